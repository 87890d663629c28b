// The SQL of erasure: removes an app whose grace period has ended from every table with rows of apps.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * Lists the tables in the order of erasure. Tables that give access come first, referenced tables follow the tables
 * that refer to them, and the counts of changes come last because erasing increments them. The audit log and the
 * receipts of revocations stay.
 */
export const ERASED_TABLES = [
  'relays',
  'drills',
  'endpoint_health',
  'endpoints',
  'notices',
  'keys',
  'key_uses',
  'key_scope_uses',
  'grant_uses',
  'rate_buckets',
  'idempotency_keys',
  'forwarded_mutations',
  'ingested_events',
  'subject_sequences',
  'installation_restrictions',
  'upstream_installations',
  'queue',
  'stops',
  'redeliveries',
  'deliveries',
  'attempts',
  'events',
  'captures',
  'capture_contents',
  'capture_keys',
  'capture_gaps',
  'request_records',
  'record_gaps',
  'deprecated_uses',
  'deprecation_stages',
  'deprecation_answers',
  'faults',
  'objects',
  'object_numbers',
  'workflow_runs',
  'workflows',
  'tickets',
  'ticket_numbers',
  'publications',
  'roadmap_items',
  'installation_scopes',
  'installations',
  'installation_changes',
  'servers',
  'worlds',
  'stop_epochs',
  'revisions',
] as const;
type ErasedTable = (typeof ERASED_TABLES)[number];

/** Longer than the time that a request record or the use of a key can wait in the memory of a node. */
const LATE_WRITE_WINDOW = sql`interval '10 minutes'`;

/**
 * Lists apps whose grace period has ended: apps that still have rows, and apps whose late writes have had time to
 * arrive.
 */
export async function listDueApps(worker: Queryable, limit: number): Promise<string[]> {
  const rows = await worker.query<{ app_id: string }>(sql`
    select app_id from apps where erase_at <= clock_timestamp()
      and (erased_at is null or erased_at <= clock_timestamp() - ${LATE_WRITE_WINDOW})
    order by erase_at limit ${limit}`);
  return rows.map((row) => row.app_id);
}

/** Erases at most `maxRows` rows of the table and returns the number of erased rows. */
export async function eraseRows(
  worker: Queryable,
  appId: string,
  table: Exclude<ErasedTable, 'keys'>,
  maxRows: number,
): Promise<number> {
  const rows = await worker.query<{ count: number }>(
    sql`select erase_rows(${appId}, ${table}, ${maxRows}::int) as count`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Erases keys that are not the predecessor of another key, and returns their number. Keys can remain even if the number
 * is below `maxRows`.
 */
export async function eraseKeys(worker: Queryable, appId: string, maxRows: number): Promise<number> {
  const rows = await worker.query<{ count: number }>(sql`select erase_keys(${appId}, ${maxRows}::int) as count`);
  return rows[0]?.count ?? 0;
}

/** Marks the app's rows as erased. The second call erases the app itself. */
export async function finishErasure(worker: Queryable, appId: string): Promise<void> {
  await worker.query(sql`select end_erasing(${appId})`);
}
