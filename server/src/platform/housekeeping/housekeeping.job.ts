// Housekeeping creates partitions ahead of time, and deletes rows past their retention. Each step works in turns of a
// bounded number of rows, until no row is left or its time slice ends. A step that fails is reported, and the other
// steps still run.

import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import {
  type AgedTable,
  cancelExpired,
  deleteAged,
  deleteFullBuckets,
  deleteOldDeprecatedUses,
  deleteOldUnauthenticated,
  dropPartitions,
  forgetClientAddresses,
  listShortRetentions,
  makePartitions,
  type PartitionedTable,
  trimDefaultRecords,
  trimRecords,
  type UsePosition,
  type WalkPosition,
} from './store.ts';

export interface Retention {
  /** Days to keep request records. */
  requestDays: number;
  /** Days to keep events, with their deliveries and attempts. */
  eventDays: number;
  /** Days to keep held deliveries; at most as long as their events. */
  heldDays: number;
}
export const DEFAULT_RETENTION: Retention = { requestDays: 30, eventDays: 90, heldDays: 30 };

const spansOf = ({
  requestDays,
  eventDays,
}: Retention): [PartitionedTable, { width: string; ahead: string; keep: string }][] => {
  const ofEvents = { width: '1 day', ahead: '3 days', keep: `${eventDays} days` };
  return [
    ['request_records', { width: '1 hour', ahead: '12 hours', keep: `${requestDays} days` }],
    ['events', ofEvents],
    ['deliveries', ofEvents],
    ['attempts', ofEvents],
  ];
};
/** Maximum number of rows that a statement changes: a statement must end within seconds, also on a busy machine. */
const ROWS_AT_ONCE = 2_000;
/** Maximum number of partitions that a statement drops: each drop locks the whole table. */
const PARTITIONS_AT_ONCE = 8;
const SLICE_MS = 60_000;
const KEEP_NOTICES = '90 days';
/** Longer than the 30 days in which uses of scopes and deprecations count, in every time zone. */
const KEEP_USES = '32 days';
const INTERVAL_MS = 30 * 60_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const KEYS_START: WalkPosition = [FIRST_ID, FIRST_ID];
const USES_START: UsePosition = [FIRST_ID, '', '-infinity'];

interface HousekeepingLimits {
  rowsAtOnce: number;
  /** Time slice of each step, in milliseconds. */
  sliceMs: number;
}
const LIMITS: HousekeepingLimits = { rowsAtOnce: ROWS_AT_ONCE, sliceMs: SLICE_MS };

interface HousekeepingStep {
  name: string;
  /** Runs one batch. Returns true if another batch is needed. */
  runBatch(): Promise<boolean>;
}

/** Creates the partitions that are needed soon. This must finish before anything is written. */
async function preparePartitions(db: Database, retention: Retention = DEFAULT_RETENTION): Promise<void> {
  for (const [table, span] of spansOf(retention)) await makePartitions(db, table, span);
}

/** Returns a step that changes a bounded number of rows per batch, until it finds fewer. */
const createBoundedStep = (
  name: string,
  limit: number,
  take: (limit: number) => Promise<number>,
): HousekeepingStep => ({
  name,
  runBatch: async () => (await take(limit)) >= limit,
});

function createWalkStep<Position>(
  name: string,
  start: Position,
  on: (after: Position) => Promise<Position | undefined>,
): HousekeepingStep {
  let after: Position | undefined = start;
  return {
    name,
    async runBatch() {
      after = await on(after ?? start);
      return after !== undefined;
    },
  };
}

function stepsOf(db: Database, retention: Retention, rows: number): HousekeepingStep[] {
  const { requestDays, eventDays, heldDays } = retention;
  const held = { states: ['held'], days: heldDays, reason: 'held_too_long' };
  const waiting = { states: ['held', 'waiting'], days: eventDays, reason: 'event_expired' };
  const cancel = (expired: typeof held): HousekeepingStep =>
    createBoundedStep(`cancelling: ${expired.reason}`, rows, (limit) => cancelExpired(db, expired, limit));
  const aged = (table: AgedTable, keep: string): HousekeepingStep =>
    createBoundedStep(table, rows, (limit) => deleteAged(db, table, keep, limit));
  const ofRequests = `${requestDays} days`;
  const ofEvents = `${eventDays} days`;
  return [
    { name: 'partitions', runBatch: () => preparePartitions(db, retention).then(() => false) },
    // Cancel before the partitions of the events are dropped, so that the delivery states its reason.
    cancel(held),
    cancel(waiting),
    ...spansOf(retention).map(([table, { keep }]) =>
      createBoundedStep(`partitions of ${table}`, PARTITIONS_AT_ONCE, (limit) =>
        dropPartitions(db, table, keep, limit),
      ),
    ),
    createBoundedStep('default records', rows, (limit) => trimDefaultRecords(db, ofRequests, limit)),
    aged('idempotency_keys', '24 hours'),
    aged('forwarded_mutations', '24 hours'),
    createWalkStep('rate_buckets', KEYS_START, (after) => deleteFullBuckets(db, after, rows)),
    aged('notices', KEEP_NOTICES),
    aged('redeliveries', ofEvents),
    // Rows are kept as long as events. An event that the upstream API repeats later counts as new.
    aged('ingested_events', ofEvents),
    aged('upstream_failures', ofEvents),
    createBoundedStep('unproved_requests', rows, (limit) => deleteOldUnauthenticated(db, ofRequests, limit)),
    aged('unproved_counts', ofRequests),
    aged('record_gaps', ofRequests),
    aged('key_scope_uses', KEEP_USES),
    aged('grant_uses', KEEP_USES),
    createWalkStep('deprecated_uses', USES_START, (after) => deleteOldDeprecatedUses(db, KEEP_USES, after, rows)),
    createWalkStep('key_uses', KEYS_START, (after) => forgetClientAddresses(db, ofRequests, after, rows)),
  ];
}

/** An error that names the failed step. */
class StepError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

interface HousekeepingOutcome {
  failures: StepError[];
  /** True if a step ran out of its time slice. */
  isLeft: boolean;
}

async function runSteps(
  db: Database,
  retention: Retention,
  { rowsAtOnce, sliceMs }: HousekeepingLimits,
  isStopped: () => boolean,
): Promise<HousekeepingOutcome> {
  const outcome: HousekeepingOutcome = { failures: [], isLeft: false };
  const run = async ({ name, runBatch }: HousekeepingStep): Promise<void> => {
    const endsMs = monotonicMs() + sliceMs;
    try {
      while (!isStopped() && (await runBatch())) {
        if (monotonicMs() < endsMs) continue;
        outcome.isLeft = true;
        return;
      }
    } catch (error) {
      outcome.failures.push(new StepError(name, error));
    }
  };
  for (const step of stepsOf(db, retention, rowsAtOnce)) await run(step);
  const trimAll = async (): Promise<boolean> => {
    for (const app of await listShortRetentions(db)) {
      await run(
        createBoundedStep(`request records of app ${app.app_id}`, rowsAtOnce, (limit) => trimRecords(db, app, limit)),
      );
    }
    return false;
  };
  await run({ name: 'request records of organisations that keep them for fewer days', runBatch: trimAll });
  return outcome;
}

/** Runs every step. Throws an AggregateError after the last step if some failed. */
export async function runHousekeeping(
  db: Database,
  retention: Retention = DEFAULT_RETENTION,
  limits: HousekeepingLimits = LIMITS,
): Promise<void> {
  const { failures } = await runSteps(db, retention, limits, () => false);
  if (failures.length > 0) throw new AggregateError(failures, 'Some steps of housekeeping failed.');
}

/**
 * Starts housekeeping; awaits only the creation of partitions. The other steps run in the background and every half
 * hour, and repeat while work is left.
 */
export async function startHousekeeping(
  db: Database,
  retention: Retention,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  await preparePartitions(db, retention);
  let isStopped = false;
  const keep = async (): Promise<void> => {
    const { failures, isLeft } = await runSteps(db, retention, LIMITS, () => isStopped);
    for (const failure of failures) onError(failure);
    if (isLeft) loop.wake();
  };
  const loop = startLoop(() => traceJob('housekeeping', keep), INTERVAL_MS, onError);
  return {
    stop() {
      isStopped = true;
      return loop.stop();
    },
  };
}
