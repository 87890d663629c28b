// A change of many grants in one request: selects the cells (a server as a whole, or one scope on it) and returns the
// result of each.

import { type GrantState, ReceiptId, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import { cursorSchema } from '../../kit/http/page.ts';
import { count, describedObject, namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';
import { GrantStateSchema, ServerId } from '../../resources/servers/index.ts';
import type { ServerGrant } from '../../webhooks/webhooks/index.ts';
import { type InstallationRow, planGrant } from './installation.ts';
import { Reason } from './installation-change.ts';

/** Limits the locks and the duration of one change. */
export const MAX_SERVERS = 1_000;

const CURRENT_STATES = ['authorised', 'paused', 'revoked', 'absent'] as const;

export const BulkChange = namedObject('BulkChange', 'The new state of many grants.', {
  state: GrantStateSchema,
  scopes: Type.Optional(
    Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'The scopes to change on each server. Without this field the installation as a whole changes.',
    }),
  ),
  serverIds: Type.Optional(
    Type.Array(ServerId, {
      minItems: 1,
      maxItems: MAX_SERVERS,
      uniqueItems: true,
      description: `The servers to change. Without this field every server changes, ${MAX_SERVERS} per call.`,
    }),
  ),
  from: Type.Optional(oneOf(CURRENT_STATES, 'Changes only grants in this state, and omits the others.')),
  includeRevoked: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'True to make revoked grants less strict too. Otherwise a revoked grant stays revoked and counts as `excluded`, unless `from` is `revoked`.',
    }),
  ),
  cursor: Type.Optional(
    cursorSchema('Cursor of the page: the `nextCursor` of the previous call. Only without `serverIds`.'),
  ),
  reason: Type.Optional(Reason),
  isDryRun: Type.Optional(
    Type.Boolean({ default: false, description: 'True to return the result of the change without making it.' }),
  ),
});
export type BulkChange = Static<typeof BulkChange>;

const REASONS = ['no_such_server', 'not_installed', 'nothing_granted', 'upstream_withholds', 'over_cap'] as const;

const BulkItem = namedObject(
  'BulkItem',
  'One grant: the scope on the server, or the installation as a whole if the scope is null.',
  {
    serverId: ServerId,
    scope: nullable(ScopeSchema),
    outcome: oneOf(
      ['changed', 'unchanged', 'impossible', 'excluded'],
      '`changed`: the state changed, or would change in a dry run. `unchanged`: the grant already had the state. `impossible`: the grant cannot have the state. `excluded`: the grant is revoked and stays revoked without `includeRevoked`.',
    ),
    from: nullable(GrantStateSchema),
    to: nullable({
      ...GrantStateSchema,
      description:
        'The effective state afterwards. In production it can be stricter than the requested state, because the upstream API or the cap on servers limits it.',
    }),
    reason: nullable(
      oneOf(
        REASONS,
        'The reason for `impossible`. `no_such_server`: the server does not exist. `not_installed`: the app is not installed on the server; authorise the server first. `nothing_granted`: no grant can be paused or revoked. In production, `upstream_withholds` and `over_cap`: the upstream API or the cap on servers withholds the grant, and your organisation does not restrict it.',
      ),
    ),
  },
);
export type BulkItem = Static<typeof BulkItem>;

export const BulkResult = namedObject('BulkResult', 'The result of the change for each grant.', {
  isDryRun: Type.Boolean({ description: 'True if the call was a dry run and changed nothing.' }),
  changed: count('The number of changed grants.'),
  unchanged: count('The number of grants that already had the state.'),
  impossible: count('The number of grants that cannot have the state.'),
  excluded: count('The number of grants that stay revoked, because the change does not include revoked grants.'),
  changedFrom: describedObject('The changed grants, counted by their effective state before the change.', {
    authorised: count('Changed grants that were authorised.'),
    paused: count('Changed grants that were paused.'),
    revoked: count('Changed grants that were revoked.'),
    absent: count('Changed grants that did not exist.'),
  }),
  receiptId: nullable({ ...ReceiptId, description: 'The receipt of the revoked grants; null without one.' }),
  deliveries: count(
    'The number of pending deliveries that the change cancels, holds, or releases for a new check. For an app with more than 10,000, it counts those of the oldest 10,000, and at most 250 that are cancelled. The others follow when they become due.',
  ),
  data: Type.Array(BulkItem, { maxItems: SCOPES.length * MAX_SERVERS, description: 'Each grant, server by server.' }),
  nextCursor: nullable(cursorSchema('Cursor of the remaining servers; null if none remain.')),
});

/** The part of a change that selects grants and their new state. */
export type GrantSelection = Pick<BulkChange, 'state' | 'scopes' | 'from' | 'includeRevoked'>;

/**
 * The rows to write: servers with a new installation, installations that change as a whole, and scopes of
 * installations.
 */
export interface BulkPlan {
  items: BulkItem[];
  /** Servers that get a new installation. */
  make: string[];
  /** Installations that change as a whole. */
  change: string[];
  makeScopes: { installationId: string; scope: Scope }[];
  changeScopes: { installationId: string; scope: Scope }[];
  /** The grants whose change affects pending deliveries. */
  changedGrants: ServerGrant[];
}

type BulkReason = (typeof REASONS)[number];

/**
 * Plans the change. Pure function, used for a dry run and for the change itself. `serverIds` has the order of the
 * response.
 */
export function planBulk(
  { state, scopes, from, includeRevoked = from === 'revoked' }: GrantSelection,
  serverIds: readonly string[],
  rows: ReadonlyMap<string, InstallationRow>,
): BulkPlan {
  const plan: BulkPlan = { items: [], make: [], change: [], makeScopes: [], changeScopes: [], changedGrants: [] };
  for (const serverId of serverIds) {
    const row = rows.get(serverId);
    for (const scope of scopes ?? [null]) planTarget(plan, { serverId, row, scope, state, from, includeRevoked });
  }
  return plan;
}

interface BulkTarget {
  serverId: string;
  row: InstallationRow | undefined;
  scope: Scope | null;
  state: GrantState;
  from: BulkChange['from'];
  includeRevoked: boolean;
}

function planTarget(plan: BulkPlan, { serverId, row, scope, state, from, includeRevoked }: BulkTarget): void {
  const current = (scope === null ? row?.state : row?.scopes.find((grant) => grant.scope === scope)?.state) ?? null;
  if (from !== undefined && (current ?? 'absent') !== from) return;
  const wanted = stepOf(row, scope, current, state);
  const step = wanted === 'make' && current === 'revoked' && !includeRevoked ? 'exclude' : wanted;
  const isStep = step === 'make' || step === 'change';
  const { outcome, reason } = resultOf(step);
  const to = isStep ? state : current;
  plan.items.push({ serverId: toId('srv', serverId), scope, outcome, from: current, to, reason });
  if (!isStep || !row) return;
  const installationId = row.installation_id;
  if (scope === null && step === 'make') plan.make.push(serverId);
  else if (installationId === null) throw new Error('A grant without an installation cannot change.');
  else if (scope === null) plan.change.push(installationId);
  else plan[step === 'make' ? 'makeScopes' : 'changeScopes'].push({ installationId, scope });
  plan.changedGrants.push({ serverId, scope });
}

function stepOf(
  row: InstallationRow | undefined,
  scope: Scope | null,
  current: GrantState | null,
  state: GrantState,
): 'make' | 'change' | 'keep' | BulkReason {
  if (!row) return 'no_such_server';
  if (scope !== null && (row.state === null || row.state === 'revoked')) return 'not_installed';
  const step = planGrant(current ?? undefined, state);
  return step === 'refuse' ? 'nothing_granted' : step;
}

/** Returns the outcome of a step, and the reason if the step is impossible. */
export function resultOf(
  step: 'make' | 'change' | 'restrict' | 'lift' | 'keep' | 'exclude' | BulkReason,
): Pick<BulkItem, 'outcome' | 'reason'> {
  switch (step) {
    case 'make':
    case 'change':
    case 'restrict':
    case 'lift':
      return { outcome: 'changed', reason: null };
    case 'keep':
      return { outcome: 'unchanged', reason: null };
    case 'exclude':
      return { outcome: 'excluded', reason: null };
    default:
      return { outcome: 'impossible', reason: step };
  }
}

type Counts = Record<BulkItem['outcome'], number> & Pick<Static<typeof BulkResult>, 'changedFrom'>;

export function countOutcomes(items: readonly BulkItem[]): Counts {
  const changedFrom = { authorised: 0, paused: 0, revoked: 0, absent: 0 };
  const counts = { changed: 0, unchanged: 0, impossible: 0, excluded: 0 };
  for (const { outcome, from } of items) {
    counts[outcome] += 1;
    if (outcome === 'changed') changedFrom[from ?? 'absent'] += 1;
  }
  return { ...counts, changedFrom };
}

/**
 * Returns the requested servers in a fixed order. Concurrent changes of the same servers lock them in this order and
 * cannot deadlock.
 */
export const toOrderedServerUuids = (serverIds: readonly string[]): string[] =>
  serverIds
    .map((id) => toUuid('srv', id))
    .sort()
    .reverse();

export const exampleBulkResult: Static<typeof BulkResult> = {
  isDryRun: false,
  changed: 1,
  unchanged: 0,
  impossible: 1,
  excluded: 0,
  changedFrom: { authorised: 1, paused: 0, revoked: 0, absent: 0 },
  receiptId: null,
  deliveries: 3,
  data: [
    {
      serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
      scope: 'tickets:create',
      outcome: 'changed',
      from: 'authorised',
      to: 'paused',
      reason: null,
    },
    {
      serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s1',
      scope: 'tickets:create',
      outcome: 'impossible',
      from: null,
      to: null,
      reason: 'not_installed',
    },
  ],
  nextCursor: null,
};
