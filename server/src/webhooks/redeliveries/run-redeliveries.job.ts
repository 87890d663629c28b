// Runs redelivery jobs. Each batch commits together with the progress of its job, so a worker that dies neither loses
// nor repeats a delivery. Several workers may run this concurrently: the lock on the job's row decides who makes a
// batch.

import { setImmediate } from 'node:timers/promises';
import { asManager, type TenantTransaction, tryLockActiveApp, type WorkPort } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { cancelWaiting, findNextBatch, insertRedeliveries, lockOriginals } from './deliveries-store.ts';
import { MAX_WAITING, type OriginalRow, planBatch, planJobRedelivery, type RedeliveryPlan } from './plan-redelivery.ts';
import { countDue, makeRetriesDueNow } from './queued-store.ts';
import { firstEndedPosition, includesEnded, isAmongRetries, retryPosition } from './redelivery-filter.ts';
import {
  listDueRedeliveries,
  lockDueRedelivery,
  postponeRedelivery,
  type RedeliveryRun,
  updateProgress,
} from './store.ts';

const LOOK_EVERY_MS = 250;
const JOB_BATCH_SIZE = 100;
/** Batches of one job per run. A job with rare matches does not delay other jobs. */
const ROUNDS = 4;
/** Number of deliveries that are examined for a batch. */
const WINDOW = 2_000;
/** Deliveries whose filter is evaluated before the process serves other work. */
const EVALUATED_PER_SLICE = 10;
const CANCEL_BATCH_SIZE = 1_000;
const IN_FLIGHT_RECHECK_MS = 1_000;
const POSTPONED_MS = 5_000;

export function startRedeliveries(worker: Database, plane: WorkPort, onError: (error: unknown) => void): Loop {
  return startLoop(() => runDueRedeliveries(worker, plane, onError), LOOK_EVERY_MS, onError);
}

/** Runs every due job for a few batches. A job that fails is reported and postponed, and delays no other job. */
export async function runDueRedeliveries(
  worker: Database,
  plane: WorkPort,
  onError: (error: unknown) => void,
  window = WINDOW,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const due = await listDueRedeliveries(worker, JOB_BATCH_SIZE);
    if (due.length === 0) return;
    const runBatch = (job: (typeof due)[number]) =>
      asManager(plane, job, (tenant) => runRedelivery(tenant, job.redelivery_id, window));
    const postpone = (job: (typeof due)[number]) =>
      asManager(plane, job, (tenant) => postponeRedelivery(tenant, job.redelivery_id, POSTPONED_MS));
    await runEach('redelivery batch', due, runBatch, onError, postpone);
    plane.deliveries.wake();
  }
}

async function runRedelivery(tenant: TenantTransaction, redeliveryId: string, window: number): Promise<void> {
  const job = await lockDueRedelivery(tenant, redeliveryId, MAX_WAITING);
  if (!job) return;
  if (job.state === 'cancelled') return cancelWaitingBatch(tenant, redeliveryId);
  if (!(await tryLockActiveApp(tenant))) return;
  await (isAmongRetries(job) ? makeRetriesDue : redeliverBatch)(tenant, job, window);
}

/**
 * Makes a batch of waiting retries due. The position passes each retry once, so a retry that fails again keeps its
 * schedule.
 */
async function makeRetriesDue(tenant: TenantTransaction, job: RedeliveryRun, window: number): Promise<void> {
  const due = await countDue(tenant, job, job.created_at, MAX_WAITING);
  const { size, inMs } = planBatch(job.rate_per_second, due);
  if (size === 0) return postponeRedelivery(tenant, job.redelivery_id, inMs);
  const sizes = { window, batch: size };
  const found = await makeRetriesDueNow(tenant, job, job.after_delivery_id, job.created_at, sizes);
  const areAllDue = found.examined < window && found.matched < size;
  await updateProgress(tenant, job.redelivery_id, {
    redelivered: found.moved,
    skipped: 0,
    isOver: areAllDue && !includesEnded(job),
    inMs: (found.moved / size) * inMs,
    ...(areAllDue ? firstEndedPosition(job) : retryPosition(found.last ?? job.after_delivery_id)),
  });
}

async function redeliverBatch(tenant: TenantTransaction, job: RedeliveryRun, window: number): Promise<void> {
  const { size, inMs } = planBatch(job.rate_per_second, job.waiting);
  if (size === 0) return postponeRedelivery(tenant, job.redelivery_id, inMs);
  const next = await findNextBatch(tenant, job, job, job.created_at, { window, batch: size });
  // The lock waits for concurrent redeliveries and skips deliveries that they have redelivered.
  const originals = next.delivery_ids.length > 0 ? await lockOriginals(tenant, next.delivery_ids) : [];
  const planned: (OriginalRow & RedeliveryPlan)[] = [];
  for (const [at, row] of originals.entries()) {
    if (row.body !== null && at % EVALUATED_PER_SLICE === 0) await setImmediate();
    planned.push({ ...row, ...planJobRedelivery(row) });
  }
  if (planned.length > 0) {
    await insertRedeliveries(tenant, planned, { trigger: 'replay', redeliveryId: job.redelivery_id });
  }
  await updateProgress(tenant, job.redelivery_id, {
    redelivered: planned.length,
    skipped: planned.filter(({ status }) => status === 'skipped').length,
    isOver: next.examined < window && next.delivery_ids.length < size,
    inMs: (planned.length / size) * inMs,
    after_event_id: next.last?.after_event_id ?? job.after_event_id,
    after_delivery_id: next.last?.after_delivery_id ?? job.after_delivery_id,
  });
}

/**
 * Cancels the waiting deliveries of a job until none is left in the queue. An in-flight delivery waits again, or ends,
 * after its attempt.
 */
async function cancelWaitingBatch(tenant: TenantTransaction, redeliveryId: string): Promise<void> {
  const { cancelled, isLeft } = await cancelWaiting(tenant, redeliveryId, CANCEL_BATCH_SIZE);
  const inMs = cancelled === CANCEL_BATCH_SIZE ? 0 : IN_FLIGHT_RECHECK_MS;
  await postponeRedelivery(tenant, redeliveryId, isLeft ? inMs : null);
}
