// The state that decides about access, as it is and as a change would leave it. The rules are evaluated for both.

import {
  type Environment,
  findGrants,
  findUnmetRule,
  type GrantRow,
  KEY_RULES,
  type KeyState,
  type Scope,
  strictest,
  type Tenant,
} from '../../access/authority/index.ts';
import type { AddressRanges } from '../../kit/outbound/address-ranges.ts';
import { type EndpointRow, findEndpointRow } from '../../webhooks/webhooks/index.ts';
import type { AccessChange, ForecastGrantChange } from './access-change.ts';
import { type AppFactsRow, type ForecastKeyRow, findAppFacts, listKeysAndSuccessors } from './facts-store.ts';

interface KeyView {
  state: KeyState;
  scopes: readonly Scope[];
  /** The ranges that the change sets. A recorded request met the current ranges of its key: they are fixed. */
  ranges: AddressRanges | undefined;
}

export interface AccessView {
  app: AppFactsRow;
  /** `isLate`: the record was made after the lifetime that the change gives to the key. */
  key(keyId: string, isLate: boolean): KeyView | undefined;
  grant(serverId: string, scope: Scope): GrantRow | undefined;
}

const UNKNOWN_APP: AppFactsRow = { status: 'deleting', approved_scopes: [], enforces_event_scopes: true };

/** The current state, read as far as records need it. */
export class CurrentAccess implements AccessView {
  readonly #tenant: Tenant;
  readonly #keys = new Map<string, ForecastKeyRow>();
  readonly #successors = new Map<string, ForecastKeyRow>();
  readonly #grants = new Map<string, GrantRow | undefined>();
  readonly #endpoints = new Map<string, EndpointRow | undefined>();
  app = UNKNOWN_APP;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  async loadApp(): Promise<void> {
    this.app = (await findAppFacts(this.#tenant)) ?? UNKNOWN_APP;
  }

  async loadKeys(keyIds: readonly string[]): Promise<void> {
    const missing = [...new Set(keyIds)].filter((keyId) => !this.#keys.has(keyId));
    if (missing.length === 0) return;
    for (const row of await listKeysAndSuccessors(this.#tenant, missing)) {
      this.#keys.set(row.key_id, row);
      if (row.predecessor_id !== null) this.#successors.set(row.predecessor_id, row);
    }
  }

  async loadGrants(scope: Scope, serverIds: readonly string[]): Promise<void> {
    const missing = [...new Set(serverIds)].filter((serverId) => !this.#grants.has(`${serverId} ${scope}`));
    if (missing.length === 0) return;
    for (const serverId of missing) this.#grants.set(`${serverId} ${scope}`, undefined);
    for (const row of await findGrants(this.#tenant, scope, missing))
      this.#grants.set(`${row.server_id} ${scope}`, row);
  }

  /** Loads the endpoints and their keys. */
  async loadEndpoints(endpointIds: readonly string[]): Promise<void> {
    for (const endpointId of new Set(endpointIds)) {
      if (!this.#endpoints.has(endpointId))
        this.#endpoints.set(endpointId, await findEndpointRow(this.#tenant, endpointId));
    }
    await this.loadKeys(endpointIds.flatMap((endpointId) => this.endpoint(endpointId)?.key_ids ?? []));
  }

  /** Returns undefined for a deleted endpoint. */
  endpoint(endpointId: string): EndpointRow | undefined {
    return this.#endpoints.get(endpointId);
  }

  facts(keyId: string): ForecastKeyRow | undefined {
    return this.#keys.get(keyId);
  }

  /** Returns the key that is used in place of a key: the newest of its rotations if the key itself has ended. */
  currentKeyId(keyId: string): string {
    let row = this.#keys.get(keyId);
    while (row && findUnmetRule(KEY_RULES, row, undefined)) {
      const successor = this.#successors.get(row.key_id);
      if (!successor) break;
      row = successor;
    }
    return row?.key_id ?? keyId;
  }

  key(keyId: string): KeyView | undefined {
    const row = this.#keys.get(keyId);
    return row && { state: row, scopes: row.scopes, ranges: undefined };
  }

  grant(serverId: string, scope: Scope): GrantRow | undefined {
    return this.#grants.get(`${serverId} ${scope}`);
  }
}

/** Returns the state after the change. */
export function changedAccess(current: AccessView, change: AccessChange, environment: Environment): AccessView {
  if (change.kind === 'endpoint') return current;
  if (change.kind === 'grants') {
    const servers = new Set(change.serverIds);
    return {
      app: current.app,
      key: (keyId, isLate) => current.key(keyId, isLate),
      grant(serverId, scope) {
        const grant = current.grant(serverId, scope);
        return grant && servers.has(serverId) ? narrowGrant(grant, scope, change, environment) : grant;
      },
    };
  }
  return {
    app: current.app,
    grant: (serverId, scope) => current.grant(serverId, scope),
    key(keyId, isLate) {
      const key = current.key(keyId, isLate);
      if (!key || keyId !== change.keyId) return key;
      const state = { ...key.state, isExpired: key.state.isExpired || isLate };
      return {
        state: change.isRevoked ? { ...state, state: 'revoked' } : state,
        scopes: change.scopes ? key.scopes.filter((scope) => change.scopes?.includes(scope)) : key.scopes,
        ranges: change.ranges,
      };
    },
  };
}

/** In production, a change of an organisation is a restriction, and the effective state follows it. No grant appears. */
function narrowGrant(
  grant: GrantRow,
  scope: Scope,
  { scopes, state }: ForecastGrantChange,
  environment: Environment,
): GrantRow {
  const isRestriction = environment === 'production';
  if (scopes === undefined) {
    return {
      ...grant,
      installation_state: grant.installation_state && strictest(grant.installation_state, state),
      ...(isRestriction && { restriction: grant.restriction === 'revoked' ? 'revoked' : state }),
    };
  }
  if (!scopes.includes(scope)) return grant;
  return {
    ...grant,
    scope_state: grant.scope_state && strictest(grant.scope_state, state),
    ...(isRestriction && { scope_restriction: grant.scope_restriction === 'revoked' ? 'revoked' : state }),
  };
}
