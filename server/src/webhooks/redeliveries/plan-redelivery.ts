// Decides the first status of a redelivered delivery, and the size of a job's next batch. Pure.
import {
  authoriseDelivery,
  type Condition,
  type Delivery,
  type DeliveryAuthorityRow,
  type DeliveryReason,
  isKept,
} from '../webhooks/index.ts';

/** A delivery that ended, with the current authority of its endpoint, key and server. */
export interface OriginalRow extends DeliveryAuthorityRow {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  /** The key through which the endpoint delivers now. */
  key_id: string;
  server_id: string | null;
  schema_version: number | null;
  trigger: Delivery['trigger'];
  is_endpoint_deleted: boolean;
  /** The app's count of stops at which this authority was read. */
  epoch: number;
  /** True if the event is older than the retention period. */
  is_event_gone: boolean;
  /** The reason why it was skipped or cancelled; null for other deliveries. */
  reason: DeliveryReason | null;
  event_server_id: string | null;
  server_ids: string[] | null;
  conditions: Condition[] | null;
  /** The event in the schema version of the delivery; null unless a job evaluates conditions. */
  body: string | null;
  /** The subject of the event if the endpoint wants order; otherwise null. */
  subject_id: string | null;
  sequence: number | null;
}

export interface RedeliveryPlan {
  status: 'pending' | 'held' | 'skipped';
  reason: DeliveryReason | null;
  /** True if the filter of the endpoint withholds the event. Only the queue row of a held delivery stores it. */
  isFiltered: boolean;
}

/** Returns the first status of the new delivery. The claim judges it again. */
export function planRedelivery(row: OriginalRow): RedeliveryPlan {
  if (row.is_endpoint_deleted) return { status: 'skipped', reason: 'endpoint_deleted', isFiltered: false };
  if (row.is_event_gone) return { status: 'skipped', reason: 'event_expired', isFiltered: false };
  const decision = authoriseDelivery(row);
  if (decision.verdict === 'allow') return { status: 'pending', reason: null, isFiltered: false };
  return { status: decision.verdict === 'hold' ? 'held' : 'skipped', reason: decision.reason, isFiltered: false };
}

/**
 * Returns the first status of a delivery that a job makes. Access refuses or ends a delivery before the filter is
 * evaluated, so the job evaluates the filter now. A job for the reason `filtered` sends the withheld events on purpose.
 */
export function planJobRedelivery(row: OriginalRow): RedeliveryPlan {
  const plan = planRedelivery(row);
  if (plan.status === 'skipped' || row.reason === null || row.reason === 'filtered') return plan;
  const filter = { serverIds: row.server_ids, conditions: row.conditions };
  if (isKept(filter, row.event_server_id ?? '', () => JSON.parse(row.body ?? 'null'))) return plan;
  return plan.status === 'held'
    ? { ...plan, isFiltered: true }
    : { status: 'skipped', reason: 'filtered', isFiltered: true };
}

/** Returns the rows that must wait for an earlier row of the same subject. `planned` is in the order of the events. */
export function findBlocked<Row extends OriginalRow & RedeliveryPlan>(planned: readonly Row[]): Set<Row> {
  const subjects = new Set<string>();
  const behind = new Set<Row>();
  for (const row of planned) {
    if (row.subject_id === null || row.status === 'skipped') continue;
    const subject = `${row.endpoint_id} ${row.subject_id}`;
    if (subjects.has(subject)) behind.add(row);
    subjects.add(subject);
  }
  return behind;
}

const MAX_BATCH = 250;
const BATCHES_PER_SECOND = 4;
/**
 * Maximum number of a job's deliveries that wait for their first attempt. These deliveries stand in the endpoint queue
 * before later events. A cancelled job has at most this many of them to cancel.
 */
export const MAX_WAITING = 1_000;
const LOOK_AGAIN_MS = 500;

/** Returns the size of the next batch, and the milliseconds until the batch after it is due. */
export function planBatch(ratePerSecond: number, waiting: number): { size: number; inMs: number } {
  const paced = Math.min(MAX_BATCH, Math.ceil(ratePerSecond / BATCHES_PER_SECOND));
  const size = Math.min(paced, MAX_WAITING - waiting);
  return size <= 0 ? { size: 0, inMs: LOOK_AGAIN_MS } : { size, inMs: (size / ratePerSecond) * 1_000 };
}
