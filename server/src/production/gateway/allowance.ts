// What servers allow an app, kept as long as nothing of it has changed: the count of changes comes with the authority of each request.
import {
  type Caller,
  GRANT_RULES,
  type GrantRow,
  judgeGrant,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { type AllowanceRow, readAllowances } from './store.ts';

interface Kept {
  revision: number;
  row: AllowanceRow | undefined;
}

export interface Allowances {
  /** Undefined where there is no such server for the app. */
  of(caller: Caller, tenant: Tenant, serverId: string): Promise<AllowanceRow | undefined>;
  /** Of those that there are. */
  ofAll(caller: Caller, tenant: Tenant, serverIds: readonly string[]): Promise<Map<string, AllowanceRow>>;
}

const MAX_KEPT = 50_000;

export function createAllowances(): Allowances {
  const kept = new Map<string, Kept>();

  const keyOf = (caller: Caller, serverId: string): string => `${caller.restoreEpoch} ${caller.appId} ${serverId}`;

  function find(caller: Caller, serverId: string): Kept | undefined {
    const found = kept.get(keyOf(caller, serverId));
    const { grants, servers } = caller.revisions;
    return found && found.revision >= grants + servers ? found : undefined;
  }

  async function learn(
    caller: Caller,
    tenant: Tenant,
    serverIds: readonly string[],
  ): Promise<Map<string, AllowanceRow>> {
    const { revision, rows } = await readAllowances(tenant, serverIds);
    const found = new Map(rows.map((row) => [row.server_id, row]));
    for (const serverId of serverIds) {
      kept.set(keyOf(caller, serverId), { revision, row: found.get(serverId) });
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return found;
  }

  return {
    async of(caller, tenant, serverId) {
      const known = find(caller, serverId);
      return known ? known.row : (await learn(caller, tenant, [serverId])).get(serverId);
    },
    async ofAll(caller, tenant, serverIds) {
      const wanted = [...new Set(serverIds)];
      const missing = wanted.filter((serverId) => !find(caller, serverId));
      const learned = missing.length > 0 ? await learn(caller, tenant, missing) : new Map<string, AllowanceRow>();
      const rows = wanted.flatMap((serverId) => learned.get(serverId) ?? find(caller, serverId)?.row ?? []);
      return new Map(rows.map((row) => [row.server_id, row]));
    },
  };
}

/** As authority's rules ask for it. */
export function grantOf(row: AllowanceRow | undefined, scope: Scope): GrantRow | undefined {
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

/** Throws what the sandbox answers. */
export const requireAllowed = (row: AllowanceRow | undefined, scope: Scope): void =>
  judgeGrant(grantOf(row, scope), scope);
