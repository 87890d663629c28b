// The SQL of the workers: who lives, what the dead had in flight, and the stops that each living one has to confirm.

import { type Denial, tenantSetting } from '../../access/authority/index.ts';
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { nothing, sql } from '../../kit/db/sql.ts';

/** One that may send for so long after its last beat. */
export async function insertWorker(db: Queryable, workerId: string, leaseMs: number): Promise<void> {
  await db.query(sql`insert into workers (worker_id, beat_at, unqueued, lease_ms)
    values (${workerId}, clock_timestamp(), 0, ${leaseMs})`);
}

/** False when the worker was struck off. */
export async function updateBeat(db: Queryable, workerId: string): Promise<boolean> {
  const rows = await db.query(sql`update workers set beat = beat + 1, beat_at = clock_timestamp()
    where worker_id = ${workerId} returning beat`);
  return rows.length === 1;
}

/** Of requests that no row of the queue tells of: counted before they are judged, and no longer when they are off the wire. */
export async function countUnqueued(db: Queryable, workerId: string, change: 1 | -1): Promise<boolean> {
  const rows = await db.query(sql`update workers set unqueued = unqueued + ${change}::int where worker_id = ${workerId}
    returning worker_id`);
  return rows.length === 1;
}

export async function deleteWorker(db: Queryable, workerId: string): Promise<void> {
  await db.query(sql`delete from workers where worker_id = ${workerId}`);
}

export interface BeatRow {
  worker_id: string;
  beat: number;
}

export interface SilentRow extends BeatRow {
  /** The distance of its last beat from now, by the database's clock. */
  silent_ms: number;
}

/**
 * Whose last beat is not of now: so long ago, or, where it was before the clock was set back, as far ahead. That a clock has
 * jumped makes it of everybody.
 */
export function listSilentWorkers(db: Queryable, ownId: string, forMs: number): Promise<SilentRow[]> {
  return db.query(sql`select worker_id, beat, silent_ms from workers
    cross join lateral (select (abs(extract(epoch from clock_timestamp() - beat_at)) * 1000)::float8 as silent_ms) since
    where worker_id <> ${ownId} and silent_ms > ${forMs}`);
}

/** Workers that have something in flight and are no longer registered. */
export async function listGoneWorkerIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ worker_id: string }>(sql`
    select distinct q.worker_id from queue q left join workers w using (worker_id)
    where q.state = 'in_flight' and w.worker_id is null`);
  return rows.map((row) => row.worker_id);
}

export interface RecoveredRow {
  app_id: string;
  delivery_id: string;
  attempt_no: number;
}

/** This worker, what it knows that it has in flight, and how old a claim is when it is taken for one that it forgot. */
export interface OwnClaims {
  workerId: string;
  deliveryIds: readonly string[];
  forS: number;
}

/**
 * What workers that are gone had in flight waits again, due at once, and so does what this worker claimed without
 * knowing of it. Whether a receiver got the attempt is not known: its row says so, and explains a duplicate.
 *
 * The ids are looked up before, not in this statement: while it waits for a row's lock a worker that its snapshot does
 * not know may claim the row, and would look like one that is gone.
 */
export function recoverAttempts(
  db: Queryable,
  goneIds: readonly string[],
  own: OwnClaims | undefined,
): Promise<RecoveredRow[]> {
  return db.query(sql`
    with lost as materialized (
      select app_id, delivery_id, attempt_no, claimed_at from queue
      where state = 'in_flight' and (worker_id = any(${goneIds}::uuid[]) or (worker_id = ${own?.workerId ?? null}::uuid
        and claimed_at < clock_timestamp() - ${own?.forS ?? 0} * interval '1 second'
        and delivery_id <> all(${own?.deliveryIds ?? []}::uuid[])))
      for update skip locked),
    told as (
      insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, detail)
      select app_id, delivery_id, attempt_no, claimed_at, 0, 'interrupted',
        'The sender stopped during this attempt; whether the receiver got it is not known.'
      from lost on conflict do nothing)
    update queue q set state = 'waiting', worker_id = null, claimed_at = null, due_at = clock_timestamp()
    from lost where q.app_id = lost.app_id and q.delivery_id = lost.delivery_id
    returning q.app_id, q.delivery_id, q.attempt_no`);
}

export interface StopRow {
  stop_id: string;
  app_id: string;
  key_id: string | null;
  server_id: string | null;
  endpoint_id: string | null;
  epoch: number;
}

export function listStops(db: Queryable, workerId: string): Promise<StopRow[]> {
  return db.query(
    sql`select stop_id, app_id, key_id, server_id, endpoint_id, epoch from stops where worker_id = ${workerId}`,
  );
}

/** The worker's word that what these rows name is off the wire and does not begin any more. */
export async function deleteStops(db: Queryable, workerId: string, stopIds: readonly string[]): Promise<void> {
  await db.query(sql`delete from stops where worker_id = ${workerId} and stop_id = any(${stopIds}::uuid[])`);
}

/**
 * One row for every worker that may send something of what is denied, with the app's present count of stops, and a notice to
 * them; undefined when there is none. One that is asked has it in flight, or sends what no row tells of; and while a claim of
 * the app is being judged, which may be of as it was before, all are asked. In the message of the commit: nobody can stand still while it
 * has the claims' lock.
 */
export async function askWorkers(
  tx: Pick<Transaction, 'afterCommit'>,
  stopId: string,
  denial: Denial,
): Promise<string | undefined> {
  const { appId, keyId, serverId, endpointId = null } = denial;
  // Not by key: what is in flight under one may have been handed on to another since.
  const onServer = serverId === null ? nothing : sql`and q.server_id = ${serverId}`;
  const toEndpoint = endpointId === null ? nothing : sql`and q.endpoint_id = ${endpointId}`;
  tx.afterCommit(tenantSetting(appId));
  tx.afterCommit(
    sql`select set_config('slipway.is_claimed', (not pg_try_advisory_xact_lock(claims_lock(${appId})))::text, true)`,
  );
  // The lock makes a worker that is being struck off just now drop out, instead of failing the foreign key.
  const asked = await tx.afterCommit(sql`with asked as (
      insert into stops (stop_id, worker_id, app_id, key_id, server_id, endpoint_id, epoch)
      select ${stopId}::uuid, worker_id, ${appId}::uuid, ${keyId}::uuid, ${serverId}::uuid, ${endpointId}::uuid,
        coalesce((select epoch from stop_epochs where app_id = ${appId}), 0)
      from (
        select worker_id from workers w
        where current_setting('slipway.is_claimed', true) is distinct from 'false' or w.unqueued is distinct from 0
          or exists (select from queue q where q.app_id = ${appId} and q.worker_id = w.worker_id
            and q.state = 'in_flight' ${onServer} ${toEndpoint})
        for key share) living
      returning worker_id)
    select pg_notify('slipway_stops', '') from asked limit 1`);
  return asked.length > 0 ? stopId : undefined;
}

/** A notice that there are stops. A hint: every worker looks by itself too. */
const NOTIFY_STOPS = sql`select pg_notify('slipway_stops', '')`;

export async function notifyStops(db: Queryable): Promise<void> {
  await db.query(NOTIFY_STOPS);
}

export interface LeaseRow extends BeatRow {
  lease_ms: number;
}

/** The workers that have not confirmed all of the stops. */
export function listUnconfirmed(db: Queryable, stopIds: readonly string[]): Promise<LeaseRow[]> {
  return db.query(sql`select distinct worker_id, beat, coalesce(lease_ms, 1700) as lease_ms
    from stops join workers using (worker_id) where stop_id = any(${stopIds}::uuid[])`);
}

/** Strikes a worker off, unless it has beaten since. */
export async function deleteStillWorker(db: Queryable, row: BeatRow): Promise<void> {
  await db.query(sql`delete from workers where worker_id = ${row.worker_id} and beat = ${row.beat}`);
}
