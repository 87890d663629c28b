// The effective state of a grant in production: the strictest of the upstream API's statement, the cap and the
// organisation's restriction. The functions are pure. The database applies the cap (apply_limits), so a state that is
// requested here as authorised may become paused.
import { type GrantState, SCOPES, type Scope, strictest } from '../../access/authority/index.ts';
import type { InstallationRow, RestrictionRow } from './installation.ts';

/** A server as a whole, or one scope on it. */
export interface RestrictionTarget {
  serverId: string;
  scope: Scope | null;
}

/** The requested grants of a server. A missing scope is revoked. */
export interface ServerGrants {
  state: GrantState;
  scopes: readonly { scope: Scope; state: GrantState }[];
}

export const restrictionOf = (restrictions: readonly Pick<RestrictionRow, 'scope' | 'state'>[], scope: Scope | null) =>
  restrictions.find((one) => one.scope === scope)?.state;

/**
 * Returns the upstream API's statement. If none is known, the effective grants replace it, because the upstream API
 * stated them to a process of the previous release. If that process stored them under a restriction, they are too
 * strict until the upstream API states them again.
 */
export function statementOf({ upstream, state, scopes, is_over_cap }: InstallationRow): ServerGrants {
  if (upstream) {
    return {
      state: upstream.state,
      scopes: SCOPES.map((scope) => ({ scope, state: upstream.scopes[scope] ?? 'revoked' })),
    };
  }
  return { state: is_over_cap ? 'authorised' : (state ?? 'revoked'), scopes };
}

/** Returns the grants of the server under the restrictions, without the cap. */
export function applyRestrictions(
  statement: ServerGrants,
  restrictions: readonly Pick<RestrictionRow, 'scope' | 'state'>[],
): ServerGrants {
  return {
    state: strictest(statement.state, restrictionOf(restrictions, null)),
    scopes: statement.scopes.map(({ scope, state }) => ({
      scope,
      state: strictest(state, restrictionOf(restrictions, scope)),
    })),
  };
}

type RestrictionStep = 'restrict' | 'lift' | 'keep' | 'over_cap' | 'upstream_withholds';

/**
 * Returns the step that a requested state requires for a cell. Pausing and revoking restrict. Authorising lifts the
 * restriction and grants nothing further.
 */
export function planRestriction(row: InstallationRow, scope: Scope | null, wanted: GrantState): RestrictionStep {
  const current = restrictionOf(row.restrictions, scope);
  if (wanted !== 'authorised') return current === wanted ? 'keep' : 'restrict';
  if (current !== undefined) return 'lift';
  if (effectiveState(row, scope) === 'authorised') return 'keep';
  return scope === null && row.is_over_cap ? 'over_cap' : 'upstream_withholds';
}

export const effectiveState = (row: InstallationRow, scope: Scope | null): GrantState | null =>
  (scope === null ? row.state : row.scopes.find((grant) => grant.scope === scope)?.state) ?? null;

/** Returns the restrictions of the row after the cells have the requested state. */
export function restrictionsWith(
  row: InstallationRow,
  scopes: readonly (Scope | null)[],
  wanted: GrantState,
): Pick<RestrictionRow, 'scope' | 'state'>[] {
  const others = row.restrictions.filter(({ scope }) => !scopes.includes(scope));
  return wanted === 'authorised' ? others : [...others, ...scopes.map((scope) => ({ scope, state: wanted }))];
}
