// Plans a change of an organisation's restrictions in production: the result for each cell, and the rows to write. The
// functions are pure and serve a dry run and the change itself.

import { type GrantState, type Scope, strictest } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type BulkItem, type GrantSelection, resultOf } from './bulk-change.ts';
import type { InstallationScope } from './bulk-store.ts';
import type { InstallationRow } from './installation.ts';
import {
  applyRestrictions,
  effectiveState,
  planRestriction,
  type RestrictionTarget,
  restrictionOf,
  restrictionsWith,
  type ServerGrants,
  statementOf,
} from './restriction.ts';

export const STATES = ['revoked', 'paused', 'authorised'] as const satisfies readonly GrantState[];
type ByState<Item> = Record<GrantState, Item[]>;
const emptyByState = <Item>(): ByState<Item> => ({ revoked: [], paused: [], authorised: [] });

export interface RestrictionPlan {
  items: BulkItem[];
  restrict: RestrictionTarget[];
  lift: RestrictionTarget[];
  /**
   * Servers without a complete stored statement. The statement is stored before a restriction changes the effective
   * state.
   */
  unstated: InstallationRow[];
  /** New installations. A trigger limits the state of each grant to the permitted one. */
  make: { serverId: string; scopes: Scope[] }[];
  makeScopes: InstallationScope[];
  /** Grants that become less strict. A trigger makes grants stricter together with the restriction. */
  change: ByState<string>;
  changeScopes: ByState<InstallationScope>;
  /** The grants whose change affects pending deliveries, by their new state. */
  changedGrants: ByState<RestrictionTarget>;
}

/** Plans the change. `serverIds` has the order of the response. */
export function planRestrictions(
  change: GrantSelection,
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
    change: emptyByState(),
    changeScopes: emptyByState(),
    changedGrants: emptyByState(),
  };
  for (const serverId of serverIds) planServer(plan, { serverId, row: rows.get(serverId), change });
  return plan;
}

interface ServerChange {
  serverId: string;
  row: InstallationRow | undefined;
  change: GrantSelection;
}

function planServer(plan: RestrictionPlan, { serverId, row, change }: ServerChange): void {
  const { state, scopes, from, includeRevoked = from === 'revoked' } = change;
  const cells: readonly (Scope | null)[] = scopes ?? [null];
  const selectedCells = cells.filter(
    (scope) => from === undefined || ((row && effectiveState(row, scope)) ?? 'absent') === from,
  );
  const id = toId('srv', serverId);
  if (!row) {
    const missing = { outcome: 'impossible', from: null, to: null, reason: 'no_such_server' } as const;
    plan.items.push(...selectedCells.map((scope) => ({ serverId: id, scope, ...missing })));
    return;
  }
  const isExcluded = (scope: Scope | null): boolean =>
    !includeRevoked && state !== 'revoked' && restrictionOf(row.restrictions, scope) === 'revoked';
  const steps = selectedCells.map((scope) => ({
    scope,
    step: isExcluded(scope) ? ('exclude' as const) : planRestriction(row, scope, state),
  }));
  const changed = steps.filter(({ step }) => step === 'restrict' || step === 'lift').map(({ scope }) => scope);
  const after = applyRestrictions(statementOf(row), restrictionsWith(row, changed, state));
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

function stateAfter(row: InstallationRow, scope: Scope | null, after: ServerGrants): GrantState | null {
  if (scope === null) return row.is_over_cap ? strictest('paused', after.state) : after.state;
  const state = after.scopes.find((grant) => grant.scope === scope)?.state ?? 'revoked';
  return state === 'revoked' ? effectiveState(row, scope) && state : state;
}

const isLooser = (state: GrantState, than: GrantState): boolean => state !== than && strictest(state, than) === than;

function planWrites(plan: RestrictionPlan, row: InstallationRow, after: ServerGrants): void {
  const { server_id: serverId, installation_id: installationId, state } = row;
  if (installationId === null || state === null || state === 'revoked') {
    if (after.state === 'revoked') return;
    const granted = after.scopes.filter((grant) => grant.state !== 'revoked').map(({ scope }) => scope);
    plan.make.push({ serverId, scopes: granted });
    plan.changedGrants[after.state].push({ serverId, scope: null });
    return;
  }
  if (after.state !== state) {
    if (isLooser(after.state, state)) plan.change[after.state].push(installationId);
    plan.changedGrants[after.state].push({ serverId, scope: null });
  }
  if (after.state === 'revoked') return;
  for (const { scope, state: wanted } of after.scopes) {
    const current = effectiveState(row, scope) ?? 'revoked';
    if (wanted === current) continue;
    if (current === 'revoked') plan.makeScopes.push({ installationId, scope });
    else if (isLooser(wanted, current)) plan.changeScopes[wanted].push({ installationId, scope });
    plan.changedGrants[wanted].push({ serverId, scope });
  }
}
