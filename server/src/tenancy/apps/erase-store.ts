// The SQL of erasing: an app whose grace is over leaves every table that holds apps' rows.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * In this order: what lets somebody call comes first, what others refer to comes after them, and the counts of changes last,
 * because erasing adds to them. The audit log stays.
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
  'request_records',
  'record_gaps',
  'deprecated_uses',
  'faults',
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

/** Longer than a request's record, or a use of its key, waits in the memory of a node. */
const STRAGGLERS_COME_FOR = sql`interval '10 minutes'`;

/** Apps whose grace is over: those that have their rows yet, and those whose stragglers have had their time. */
export async function listDueApps(worker: Queryable, limit: number): Promise<string[]> {
  const rows = await worker.query<{ app_id: string }>(sql`
    select app_id from apps where erase_at <= clock_timestamp()
      and (erased_at is null or erased_at <= clock_timestamp() - ${STRAGGLERS_COME_FOR})
    order by erase_at limit ${limit}`);
  return rows.map((row) => row.app_id);
}

/** How many it erased, at most so many. */
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

/** The same of keys: only those that are not the predecessor of another one go, so rows may be left even if few went. */
export async function eraseKeys(worker: Queryable, appId: string, maxRows: number): Promise<number> {
  const rows = await worker.query<{ count: number }>(sql`select erase_keys(${appId}, ${maxRows}::int) as count`);
  return rows[0]?.count ?? 0;
}

/** Its rows are gone; the second time the app itself. */
export async function endErasing(worker: Queryable, appId: string): Promise<void> {
  await worker.query(sql`select end_erasing(${appId})`);
}
