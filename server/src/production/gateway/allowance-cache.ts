// Caches the permissions of servers for an app. The authority of each request brings the count of changes, which shows
// if a cached row is current.
import {
  type ApiCaller,
  enforceGrantRules,
  GRANT_RULES,
  type GrantRow,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { type AllowanceRow, readAllowances } from './store.ts';

interface CachedAllowance {
  revision: number;
  row: AllowanceRow | undefined;
}

export interface AllowanceCache {
  /** Returns the row of a server; undefined if the app has no such server. */
  find(caller: ApiCaller, tenant: Tenant, serverId: string): Promise<AllowanceRow | undefined>;
  /** Returns the rows of the servers that the app has, by their id. */
  findAll(caller: ApiCaller, tenant: Tenant, serverIds: readonly string[]): Promise<Map<string, AllowanceRow>>;
}

const MAX_ENTRIES = 50_000;

export function createAllowanceCache(): AllowanceCache {
  const entries = new Map<string, CachedAllowance>();

  const keyOf = (caller: ApiCaller, serverId: string): string => `${caller.cacheEpoch} ${caller.appId} ${serverId}`;

  function find(caller: ApiCaller, serverId: string): CachedAllowance | undefined {
    const found = entries.get(keyOf(caller, serverId));
    const { grants, servers } = caller.revisions;
    return found && found.revision >= grants + servers ? found : undefined;
  }

  async function learn(
    caller: ApiCaller,
    tenant: Tenant,
    serverIds: readonly string[],
  ): Promise<Map<string, AllowanceRow>> {
    const { revision, rows } = await readAllowances(tenant, serverIds);
    const found = new Map(rows.map((row) => [row.server_id, row]));
    for (const serverId of serverIds) {
      entries.set(keyOf(caller, serverId), { revision, row: found.get(serverId) });
    }
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) break;
      entries.delete(oldest);
    }
    return found;
  }

  return {
    async find(caller, tenant, serverId) {
      const known = find(caller, serverId);
      return known ? known.row : (await learn(caller, tenant, [serverId])).get(serverId);
    },
    async findAll(caller, tenant, serverIds) {
      const wanted = [...new Set(serverIds)];
      const missing = wanted.filter((serverId) => !find(caller, serverId));
      const learned = missing.length > 0 ? await learn(caller, tenant, missing) : new Map<string, AllowanceRow>();
      const rows = wanted.flatMap((serverId) => learned.get(serverId) ?? find(caller, serverId)?.row ?? []);
      return new Map(rows.map((row) => [row.server_id, row]));
    },
  };
}

/** Returns the grant in the form of authority's rules. */
function grantOf(row: AllowanceRow | undefined, scope: Scope): GrantRow | undefined {
  if (!row) return undefined;
  const scope_state = row.scopes.find((grant) => grant.scope === scope)?.state ?? null;
  const { installation_state, is_over_cap, upstream_state, upstream_scopes, restrictions } = row;
  return {
    installation_state,
    scope_state,
    is_over_cap,
    restriction: restrictions['*'] ?? null,
    scope_restriction: restrictions[scope] ?? null,
    upstream_state,
    upstream_scope_state: upstream_scopes?.[scope] ?? null,
  };
}

export const isAllowed = (row: AllowanceRow | undefined, scope: Scope): boolean =>
  GRANT_RULES.every((rule) => rule.holds(grantOf(row, scope), scope) === true);

/** Throws the same problems as the sandbox if the grant does not allow the scope. */
export const requireAllowed = (row: AllowanceRow | undefined, scope: Scope): void =>
  enforceGrantRules(grantOf(row, scope), scope);
