// What becomes of a delivery that is made anew, and how many a job makes at a time. Pure.
import { type Delivery, type DeliveryAuthorityRow, type DeliveryReason, judgeDelivery } from '../webhooks/index.ts';

/** A delivery that ended, with what its endpoint, its key and its server allow now. */
export interface OriginalRow extends DeliveryAuthorityRow {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  /** The endpoint's key of now. */
  key_id: string;
  server_id: string | null;
  schema_version: number | null;
  trigger: Delivery['trigger'];
  is_endpoint_deleted: boolean;
  /** The app's count of stops under which all this is so. */
  epoch: number;
  /** Past retention. */
  is_event_gone: boolean;
  /** Of its event, when the endpoint wants order. */
  subject_id: string | null;
  sequence: number | null;
}

export interface Plan {
  status: 'pending' | 'held' | 'skipped';
  reason: DeliveryReason | null;
}

/** What it begins as; the claim judges it once more. */
export function planRedelivery(row: OriginalRow): Plan {
  if (row.is_endpoint_deleted) return { status: 'skipped', reason: 'endpoint_deleted' };
  if (row.is_event_gone) return { status: 'skipped', reason: 'event_expired' };
  const judgement = judgeDelivery(row);
  if (judgement.verdict === 'allow') return { status: 'pending', reason: null };
  return { status: judgement.verdict === 'hold' ? 'held' : 'skipped', reason: judgement.reason };
}

/** Those that wait for an earlier one of their subject among them: they are in the order of their events. */
export function findBehind<Row extends OriginalRow & Plan>(planned: readonly Row[]): Set<Row> {
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
 * So far a job is ahead of the receivers. What it makes waits in the endpoint's lane before the events of from then on, and
 * what of it was not attempted yet is all that a cancelled job has to take back at once.
 */
export const MAX_WAITING = 1_000;
const LOOK_AGAIN_MS = 500;

/** How many to make now, and when the next ones are due. */
export function planBatch(ratePerSecond: number, waiting: number): { size: number; inMs: number } {
  const paced = Math.min(MAX_BATCH, Math.ceil(ratePerSecond / BATCHES_PER_SECOND));
  const size = Math.min(paced, MAX_WAITING - waiting);
  return size <= 0 ? { size: 0, inMs: LOOK_AGAIN_MS } : { size, inMs: (size / ratePerSecond) * 1_000 };
}
