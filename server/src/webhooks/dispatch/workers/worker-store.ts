// The SQL of the workers: their heartbeats, the attempts that dead workers had in flight, and the stops that living
// workers must confirm.

import { type LostAccess, tenantSetting } from '../../../access/authority/index.ts';
import type { Queryable, Transaction } from '../../../kit/db/db.ts';
import { nothing, sql } from '../../../kit/db/sql.ts';

/** Registers a worker, which may send for `leaseMs` milliseconds after its last heartbeat. */
export async function insertWorker(db: Queryable, workerId: string, leaseMs: number): Promise<void> {
  await db.query(sql`insert into workers (worker_id, beat_at, unqueued, lease_ms)
    values (${workerId}, clock_timestamp(), 0, ${leaseMs})`);
}

/** Records a heartbeat. Returns false if the worker was deregistered. */
export async function updateHeartbeat(db: Queryable, workerId: string): Promise<boolean> {
  const rows = await db.query(sql`update workers set beat = beat + 1, beat_at = clock_timestamp()
    where worker_id = ${workerId} returning beat`);
  return rows.length === 1;
}

/**
 * Changes the worker's count of requests that have no queue row. A request is counted before it is judged, until it is
 * off the wire. Returns false if the worker was deregistered.
 */
export async function changeUnqueuedCount(db: Queryable, workerId: string, change: 1 | -1): Promise<boolean> {
  const rows = await db.query(sql`update workers set unqueued = unqueued + ${change}::int where worker_id = ${workerId}
    returning worker_id`);
  return rows.length === 1;
}

export async function deleteWorker(db: Queryable, workerId: string): Promise<void> {
  await db.query(sql`delete from workers where worker_id = ${workerId}`);
}

export interface HeartbeatRow {
  worker_id: string;
  beat: number;
}

interface SilentWorkerRow extends HeartbeatRow {
  /** Milliseconds between its last heartbeat and now, by the database's clock. */
  silent_ms: number;
}

/**
 * Returns the other workers whose last heartbeat is more than `forMs` away from now. The heartbeat is in the future if
 * the clock was set back since. A clock jump makes all workers appear silent.
 */
export function listSilentWorkers(db: Queryable, ownId: string, forMs: number): Promise<SilentWorkerRow[]> {
  return db.query(sql`select worker_id, beat, silent_ms from workers
    cross join lateral (select (abs(extract(epoch from clock_timestamp() - beat_at)) * 1000)::float8 as silent_ms) since
    where worker_id <> ${ownId} and silent_ms > ${forMs}`);
}

/** Returns the ids of workers that have attempts in flight and are no longer registered. */
export async function listDeregisteredWorkerIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ worker_id: string }>(sql`
    select distinct q.worker_id from queue q left join workers w using (worker_id)
    where q.state = 'in_flight' and w.worker_id is null`);
  return rows.map((row) => row.worker_id);
}

interface RecoveredRow {
  app_id: string;
  delivery_id: string;
  attempt_no: number;
}

/**
 * Names this worker and the deliveries that it knows to be in flight. Any other claim of this worker that is older than
 * `forS` seconds counts as lost.
 */
export interface OwnClaims {
  workerId: string;
  deliveryIds: readonly string[];
  forS: number;
}

/**
 * Makes deliveries due again that deregistered workers had in flight, and those that this worker claimed without
 * knowing it. The result of these attempts is unknown. Their rows say so, which explains a duplicate to the receiver.
 *
 * The ids are queried before, not in this statement. While the statement waits for a row lock, a worker that its
 * snapshot does not contain may claim the row, and would look deregistered.
 */
export function recoverAttempts(
  db: Queryable,
  goneIds: readonly string[],
  own: OwnClaims | undefined,
): Promise<RecoveredRow[]> {
  return db.query(sql`
    with lost as materialized (
      select app_id, delivery_id, attempt_no, claimed_at, key_id from queue
      where state = 'in_flight' and (worker_id = any(${goneIds}::uuid[]) or (worker_id = ${own?.workerId ?? null}::uuid
        and claimed_at < clock_timestamp() - ${own?.forS ?? 0} * interval '1 second'
        and delivery_id <> all(${own?.deliveryIds ?? []}::uuid[])))
      for update skip locked),
    recorded as (
      insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, detail, key_id)
      select app_id, delivery_id, attempt_no, claimed_at, 0, 'interrupted',
        'The worker stopped during this attempt. The receiver may have received the request.', key_id
      from lost on conflict do nothing)
    update queue q set state = 'waiting', worker_id = null, claimed_at = null, due_at = clock_timestamp()
    from lost where q.app_id = lost.app_id and q.delivery_id = lost.delivery_id
    returning q.app_id, q.delivery_id, q.attempt_no`);
}

interface StopRow {
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

/** Confirms for the worker that the attempts that these rows name are off the wire and that no further one begins. */
export async function confirmStops(db: Queryable, workerId: string, stopIds: readonly string[]): Promise<void> {
  await db.query(sql`delete from stops where worker_id = ${workerId} and stop_id = any(${stopIds}::uuid[])`);
}

/** A request to workers to cancel the attempts under a lost access. */
export interface CancellationRequestRow {
  /** The workers that may send under the access. */
  worker_ids: string[];
  /** The number of attempts under the access that are in flight. */
  attempts: number;
  epoch: number;
}

/** Reads the database's clock right after the commit. */
export async function readCommitTime(tx: Pick<Transaction, 'sendAfterCommit'>): Promise<Date> {
  const rows = await tx.sendAfterCommit<{ at: Date }>(sql`select clock_timestamp() as at`);
  return rows[0]?.at as Date; // the statement returns one row
}

/**
 * Inserts a stop for each worker that may send under the denied access, with the app's current stop epoch, and notifies
 * the workers.
 *
 * A worker is concerned if it has a matching attempt in flight, or requests without a queue row. While a claim of the
 * app is being judged, all workers are concerned, because the claim may see the earlier state. The statements are sent
 * in the message of the commit, so this process cannot stall while it holds the lock of the claims.
 */
export async function requestCancellation(
  tx: Pick<Transaction, 'sendAfterCommit'>,
  stopId: string,
  denial: LostAccess,
): Promise<CancellationRequestRow> {
  const { appId, keyId, serverId, endpointId = null } = denial;
  const onServer = serverId === null ? nothing : sql`and q.server_id = ${serverId}`;
  const underKey = keyId === null ? nothing : sql`and q.key_id = ${keyId}`;
  const toEndpoint = endpointId === null ? nothing : sql`and q.endpoint_id = ${endpointId}`;
  tx.sendAfterCommit(tenantSetting(appId));
  tx.sendAfterCommit(
    sql`select set_config('slipway.is_claimed', (not pg_try_advisory_xact_lock(claims_lock(${appId})))::text, true)`,
  );
  // `asked` does not filter by key: a delivery that is in flight under one key may have been handed to another one since.
  // Only the count of attempts does. The row lock makes a worker that is being deregistered drop out, instead of
  // violating the foreign key.
  const rows = await tx.sendAfterCommit<CancellationRequestRow>(sql`with asked as (
      insert into stops (stop_id, worker_id, app_id, key_id, server_id, endpoint_id, epoch)
      select ${stopId}::uuid, worker_id, ${appId}::uuid, ${keyId}::uuid, ${serverId}::uuid, ${endpointId}::uuid,
        coalesce((select epoch from stop_epochs where app_id = ${appId}), 0)
      from (
        select worker_id from workers w
        where current_setting('slipway.is_claimed', true) is distinct from 'false' or w.unqueued is distinct from 0
          or exists (select from queue q where q.app_id = ${appId} and q.worker_id = w.worker_id
            and q.state = 'in_flight' ${onServer} ${toEndpoint})
        for key share) living
      returning worker_id),
    notified as materialized (select count(pg_notify('slipway_stops', '')) from (select from asked limit 1) once)
    select array(select worker_id::text from asked) as worker_ids, coalesce((
        select count(*)::int from asked join queue q using (worker_id)
        where q.app_id = ${appId} and q.state = 'in_flight' ${underKey} ${onServer} ${toEndpoint}), 0) as attempts,
      coalesce((select epoch from stop_epochs where app_id = ${appId}), 0) as epoch
    from notified`);
  return rows[0] as CancellationRequestRow; // the statement returns one row
}

/** Notifies workers of stops. Every worker also polls. */
const NOTIFY_STOPS = sql`select pg_notify('slipway_stops', '')`;

export async function notifyStops(db: Queryable): Promise<void> {
  await db.query(NOTIFY_STOPS);
}

export interface AskedWorkerRow extends HeartbeatRow {
  lease_ms: number;
  has_confirmed: boolean;
}

/** Returns the workers among these that are registered, with whether each has confirmed all of the stops. */
export function listAskedWorkers(
  db: Queryable,
  workerIds: readonly string[],
  stopIds: readonly string[],
): Promise<AskedWorkerRow[]> {
  return db.query(sql`select worker_id, beat, coalesce(lease_ms, 1700) as lease_ms, not exists (
      select from stops s where s.worker_id = w.worker_id and s.stop_id = any(${stopIds}::uuid[])) as has_confirmed
    from workers w where worker_id = any(${workerIds}::uuid[])`);
}

/** Deregisters a worker unless it has sent a heartbeat since. */
export async function deregisterSilentWorker(db: Queryable, row: HeartbeatRow): Promise<void> {
  await db.query(sql`delete from workers where worker_id = ${row.worker_id} and beat = ${row.beat}`);
}
