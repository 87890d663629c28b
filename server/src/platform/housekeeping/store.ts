// The SQL of housekeeping.
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

export type PartitionedTable = 'request_records' | 'events' | 'deliveries' | 'attempts';

interface Width {
  width: string;
  ahead: string;
}

/** Creates the partitions that are needed soon. Each span is a Postgres interval. */
export async function makePartitions(db: Queryable, table: PartitionedTable, { width, ahead }: Width): Promise<void> {
  await db.query(sql`select make_partitions(${table}, ${width}::interval, ${ahead}::interval)`);
}

/** Drops expired partitions, oldest first, at most `limit`. Returns their number. */
export async function dropPartitions(
  db: Queryable,
  table: PartitionedTable,
  keep: string,
  limit: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select drop_partitions(${table}, ${keep}::interval, ${limit}::int) as count`,
  );
  return rows[0]?.count ?? 0;
}

/** Deletes expired records of the default partition, at most `limit`. Returns their number. */
export async function trimDefaultRecords(db: Queryable, keep: string, limit: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select trim_default_records(${keep}::interval, ${limit}::int) as count`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the limit of age, relative to the statement's time: a volatile bound could not use an index. */
const before = (keep: string): Sql => sql`statement_timestamp() - ${keep}::interval`;

/** Tables whose rows are deleted by age, through an index on it. */
const AGED = {
  idempotency_keys: { from: sql`idempotency_keys`, age: sql`created_at` },
  forwarded_mutations: { from: sql`forwarded_mutations`, age: sql`started_at` },
  ingested_events: { from: sql`ingested_events`, age: sql`at` },
  upstream_failures: { from: sql`upstream_failures`, age: sql`hour` },
  notices: { from: sql`notices`, age: sql`created_at` },
  record_gaps: { from: sql`record_gaps`, age: sql`minute` },
  /** Finished jobs, whose deliveries are not kept either. */
  redeliveries: { from: sql`redeliveries`, age: sql`finished_at` },
  unproved_counts: { from: sql`unproved_counts`, age: sql`hour` },
  key_scope_uses: { from: sql`key_scope_uses`, age: sql`day` },
  grant_uses: { from: sql`grant_uses`, age: sql`used_on` },
};
export type AgedTable = keyof typeof AGED;

/** Deletes rows that are older than the span, at most `limit`. Returns their number. */
export function deleteAged(db: Queryable, table: AgedTable, keep: string, limit: number): Promise<number> {
  const { age, from } = AGED[table];
  return deleteSome(db, { from, where: sql`${age} < ${before(keep)}`, by: age, limit });
}

/** Deletes old requests without an authenticated key. Their identifier contains the time. */
export function deleteOldUnauthenticated(db: Queryable, keep: string, limit: number): Promise<number> {
  const where = sql`request_id < uuid_floor(${before(keep)})`;
  return deleteSome(db, { from: sql`unproved_requests`, key: sql`request_id`, where, by: sql`request_id`, limit });
}

/** The app and the key up to which a table was processed. */
export type WalkPosition = readonly [appId: string, keyId: string];

/**
 * Changes the old rows among the next `limit` rows after a key. Returns the last key, or undefined at the end of the
 * table. Used for tables with one row per key, which are updated so often that an index on the age would cost more than
 * the walk.
 */
async function walkKeys(
  db: Queryable,
  { table, isOld, change }: { table: Sql; isOld: Sql; change(places: Sql): Sql },
  [appId, keyId]: WalkPosition,
  limit: number,
): Promise<WalkPosition | undefined> {
  const places = sql`any(array(select place from examined where is_old))`;
  const rows = await db.query<{ app_id: string; key_id: string; examined: number }>(sql`
    with examined as materialized (
      select ctid as place, app_id, key_id, ${isOld} as is_old from ${table}
      where (app_id, key_id) > (${appId}::uuid, ${keyId}::uuid) order by app_id, key_id limit ${limit}::int),
    changed as (${change(places)})
    select app_id, key_id, count(*) over ()::int as examined from examined order by app_id desc, key_id desc limit 1`);
  const [last] = rows;
  return last && last.examined === limit ? [last.app_id, last.key_id] : undefined;
}

/** Deletes rate buckets without a request for a day: such a bucket is full, and a missing bucket counts as full. */
export const deleteFullBuckets = (
  db: Queryable,
  after: WalkPosition,
  limit: number,
): Promise<WalkPosition | undefined> =>
  walkKeys(
    db,
    {
      table: sql`rate_buckets`,
      isOld: sql`at < ${before('1 day')}`,
      change: (places) => sql`delete from rate_buckets where ctid = ${places}`,
    },
    after,
    limit,
  );

/** Deletes client addresses that are older than request records, which contain the address too. */
export const forgetClientAddresses = (
  db: Queryable,
  keep: string,
  after: WalkPosition,
  limit: number,
): Promise<WalkPosition | undefined> =>
  walkKeys(
    db,
    {
      table: sql`key_uses`,
      isOld: sql`client_address is not null and last_used_at < ${before(keep)}`,
      change: (places) => sql`update key_uses set client_address = null where ctid = ${places}`,
    },
    after,
    limit,
  );

/** The app, the deprecation and the day up to which counts were examined. */
export type UsePosition = readonly [appId: string, deprecationId: string, day: string];

/**
 * Examines the next `limit` counts of deprecated uses and deletes the old ones. Returns the position of the last examined
 * count; undefined at the end of the table. The table has no index on the day, because the migration would hold a lock on
 * the table while it built the index.
 */
export async function deleteOldDeprecatedUses(
  db: Queryable,
  keep: string,
  [appId, deprecationId, day]: UsePosition,
  limit: number,
): Promise<UsePosition | undefined> {
  const rows = await db.query<{ app_id: string; deprecation_id: string; day: string; examined: number }>(sql`
    with examined as materialized (
      select ctid as place, app_id, deprecation_id, day, day < ${before(keep)} as is_old from deprecated_uses
      where (app_id, deprecation_id, day) > (${appId}::uuid, ${deprecationId}::text, ${day}::date)
      order by app_id, deprecation_id, day limit ${limit}::int),
    gone as (delete from deprecated_uses where ctid = any(array(select place from examined where is_old)))
    select app_id, deprecation_id, day::text as day, count(*) over ()::int as examined
    from examined order by app_id desc, deprecation_id desc, examined.day desc limit 1`);
  const [last] = rows;
  return last && last.examined === limit ? [last.app_id, last.deprecation_id, last.day] : undefined;
}

/** Returns the apps whose organisation keeps requests for fewer days than the installation, with the number of days. */
export function listShortRetentions(db: Queryable): Promise<{ app_id: string; days: number }[]> {
  return db.query(sql`select app_id, max_request_days as days from organisations join apps using (organisation_id)
    where max_request_days is not null`);
}

/** Deletes expired records of an app, at most `maxRows`. Returns their number. */
export async function trimRecords(
  db: Queryable,
  { app_id, days }: { app_id: string; days: number },
  maxRows: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select trim_request_records(${app_id}, ${days}::int, ${maxRows}::int) as count`,
  );
  return rows[0]?.count ?? 0;
}

interface QueuedRow {
  app_id: string;
  delivery_id: string;
}

const named = (rows: readonly QueuedRow[]): Sql =>
  sql`unnest(${rows.map((row) => row.app_id)}::uuid[], ${rows.map((row) => row.delivery_id)}::uuid[]) as n (app_id, delivery_id)`;

/**
 * Cancels deliveries in these states that are older than so many days, at most `limit`. Returns their number. The time
 * in the identifier, which an index covers, must be old. The time of the row must be old too, because a node's clock
 * may have been wrong. Separate statements find, lock and change the rows (kit/db/remembered-ids-store.ts).
 */
export function cancelExpired(
  db: Database,
  { states, days, reason }: { states: readonly string[]; days: number; reason: string },
  limit: number,
): Promise<number> {
  const isInState = sql`q.state = any(${states}::text[])`;
  return db.transaction(async (tx) => {
    const expired = await tx.query<QueuedRow>(sql`
      select q.app_id, q.delivery_id from queue q
      left join lateral (
        select created_at from deliveries where app_id = q.app_id and delivery_id = q.delivery_id limit 1) d on true
      where ${isInState} and q.delivery_id < uuid_floor(clock_timestamp() - make_interval(days => ${days}::int))
        and coalesce(d.created_at < clock_timestamp() - make_interval(days => ${days}::int), true)
      limit ${limit}`);
    const locked = await tx.query<QueuedRow>(sql`
      select q.app_id, q.delivery_id from ${named(expired)}
      join queue q on q.app_id = n.app_id and q.delivery_id = n.delivery_id and ${isInState} for update of q skip locked`);
    await tx.query(sql`
      with gone as (
        delete from queue q using ${named(locked)} where q.app_id = n.app_id and q.delivery_id = n.delivery_id
        returning q.app_id, q.delivery_id)
      update deliveries d set status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()
      from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id`);
    return locked.length;
  });
}
