// Plans a change of an organisation's restrictions in production: the result for each cell, and the rows to write. The
// functions are pure and serve a dry run and the change itself.

import type { GrantState, Scope } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type BulkItem, resultOf, type Selection } from './bulk-change.ts';
import type { ScopeCell } from './bulk-store.ts';
import type { InstallationRow } from './installation.ts';
import {
  effectiveState,
  planRestriction,
  type RestrictedCell,
  restricted,
  restrictionOf,
  restrictionsWith,
  statementOf,
  strictest,
  type WantedServer,
} from './restriction.ts';

export const STATES = ['revoked', 'paused', 'authorised'] as const satisfies readonly GrantState[];
type ByState<Item> = Record<GrantState, Item[]>;
const byState = <Item>(): ByState<Item> => ({ revoked: [], paused: [], authorised: [] });

export interface RestrictionPlan {
  items: BulkItem[];
  restrict: RestrictedCell[];
  lift: RestrictedCell[];
  /**
   * Servers without a complete stored statement. The statement is stored before a restriction changes the effective
   * state.
   */
  unstated: InstallationRow[];
  /** New installations. A trigger limits the state of each grant to the permitted one. */
  make: { serverId: string; scopes: Scope[] }[];
  makeScopes: ScopeCell[];
  /** Grants that become less strict. A trigger makes grants stricter together with the restriction. */
  change: ByState<string>;
  changeScopes: ByState<ScopeCell>;
  /** The grants whose change affects pending deliveries, by their new state. */
  settle: ByState<RestrictedCell>;
}

/** Plans the change. `serverIds` has the order of the response. */
export function planRestrictions(
  change: Selection,
  serverIds: readonly string[],
  rows: ReadonlyMap<string, InstallationRow>,
): RestrictionPlan {
  const plan: RestrictionPlan = {
    items: [],
    restrict: [],
    lift: [],
    unstated: [],
    make: [],
    makeScopes: [],
    change: byState(),
    changeScopes: byState(),
    settle: byState(),
  };
  for (const serverId of serverIds) planServer(plan, { serverId, row: rows.get(serverId), change });
  return plan;
}

interface Server {
  serverId: string;
  row: InstallationRow | undefined;
  change: Selection;
}

function planServer(plan: RestrictionPlan, { serverId, row, change }: Server): void {
  const { state, scopes, from, includeRevoked = from === 'revoked' } = change;
  const cells: readonly (Scope | null)[] = scopes ?? [null];
  const meant = cells.filter(
    (scope) => from === undefined || ((row && effectiveState(row, scope)) ?? 'absent') === from,
  );
  const id = toId('srv', serverId);
  if (!row) {
    const missing = { outcome: 'impossible', from: null, to: null, why: 'no_such_server' } as const;
    plan.items.push(...meant.map((scope) => ({ serverId: id, scope, ...missing })));
    return;
  }
  const isExcluded = (scope: Scope | null): boolean =>
    !includeRevoked && state !== 'revoked' && restrictionOf(row.restrictions, scope) === 'revoked';
  const steps = meant.map((scope) => ({
    scope,
    step: isExcluded(scope) ? ('exclude' as const) : planRestriction(row, scope, state),
  }));
  const changed = steps.filter(({ step }) => step === 'restrict' || step === 'lift').map(({ scope }) => scope);
  const after = restricted(statementOf(row), restrictionsWith(row, changed, state));
  for (const { scope, step } of steps) {
    const current = effectiveState(row, scope);
    const isChanged = step === 'restrict' || step === 'lift';
    plan.items.push({
      serverId: id,
      scope,
      ...resultOf(step),
      from: current,
      to: isChanged ? stateAfter(row, scope, after) : current,
    });
    if (isChanged) plan[step].push({ serverId, scope });
  }
  if (changed.length === 0) return;
  if (!row.upstream) plan.unstated.push(row);
  planWrites(plan, row, after);
}

function stateAfter(row: InstallationRow, scope: Scope | null, after: WantedServer): GrantState | null {
  if (scope === null) return row.is_over_cap ? strictest('paused', after.state) : after.state;
  const state = after.scopes.find((grant) => grant.scope === scope)?.state ?? 'revoked';
  return state === 'revoked' ? effectiveState(row, scope) && state : state;
}

const isLooser = (state: GrantState, than: GrantState): boolean => state !== than && strictest(state, than) === than;

function planWrites(plan: RestrictionPlan, row: InstallationRow, after: WantedServer): void {
  const { server_id: serverId, installation_id: installationId, state } = row;
  if (installationId === null || state === null || state === 'revoked') {
    if (after.state === 'revoked') return;
    const granted = after.scopes.filter((grant) => grant.state !== 'revoked').map(({ scope }) => scope);
    plan.make.push({ serverId, scopes: granted });
    plan.settle[after.state].push({ serverId, scope: null });
    return;
  }
  if (after.state !== state) {
    if (isLooser(after.state, state)) plan.change[after.state].push(installationId);
    plan.settle[after.state].push({ serverId, scope: null });
  }
  if (after.state === 'revoked') return;
  for (const { scope, state: wanted } of after.scopes) {
    const current = effectiveState(row, scope) ?? 'revoked';
    if (wanted === current) continue;
    if (current === 'revoked') plan.makeScopes.push({ installationId, scope });
    else if (isLooser(wanted, current)) plan.changeScopes[wanted].push({ installationId, scope });
    plan.settle[wanted].push({ serverId, scope });
  }
}
