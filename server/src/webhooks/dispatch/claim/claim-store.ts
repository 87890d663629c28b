// The SQL of claims, run as slipway_worker: finds due queues, limits them to the rates of their endpoints, and claims
// deliveries while it judges their current authority. attempt-store.ts records attempts, and worker-store.ts keeps the
// workers.

import { currentGrant } from '../../../access/authority/index.ts';
import type { Queryable, Transaction } from '../../../kit/db/db.ts';
import { plainArray } from '../../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../../kit/db/sql.ts';
import { resourceScopeOf } from '../../../resources/events/index.ts';
import {
  type DeliveryAuthorityRow,
  type DeliveryReason,
  deliveringKeyId,
  deliveryAuthority,
  LIVE_PREVIOUS_SECRET,
} from '../../webhooks/index.ts';
import type { ClaimToken } from '../workers/pre-send-check.ts';
import type { DueQueueRow, QueuePlan } from './queue-plan.ts';

/**
 * Maximum number of ids in a notification, whose payload is limited to 8,000 bytes. An id takes 36 characters and a
 * comma.
 */
const MAX_NAMED_ENDPOINTS = 200;

/**
 * Notifies every worker that deliveries of these endpoints are due. Without names, or with more names than a
 * notification holds, the payload is empty, and workers search. A worker that misses the notification polls.
 */
export async function notifyQueue(db: Queryable, endpointIds: readonly string[] = []): Promise<void> {
  const payload = endpointIds.length > MAX_NAMED_ENDPOINTS ? '' : endpointIds.join(',');
  await db.query(sql`select pg_notify('slipway_queue', ${payload})`);
}

/** Returns the endpoints that a notification names; undefined if workers must search. */
export const parseQueueNotification = (payload: string): string[] | undefined =>
  payload === '' ? undefined : payload.split(',');

/**
 * Returns the endpoints with a due delivery, after `after` in the order of their ids. A loose index scan needs one
 * descent of the index per endpoint, however long the backlogs are.
 */
export function listDueQueues(db: Queryable, after: string, limit: number): Promise<DueQueueRow[]> {
  return db.query(sql`
    with recursive queues as (
      (select app_id, endpoint_id, due_at from queue where state = 'waiting' and endpoint_id > ${after}::uuid
        order by endpoint_id, due_at limit 1)
      union all
      select next.* from queues cross join lateral (
        select app_id, endpoint_id, due_at from queue where state = 'waiting' and endpoint_id > queues.endpoint_id
        order by endpoint_id, due_at limit 1) next)
    select q.app_id, q.endpoint_id, of_queue.url, of_queue.rate_per_second, coalesce(of_queue.wait_ms, 0) as wait_ms
    from queues q
    left join lateral (
      select e.url, e.rate_per_second, ${paceWaitMs} as wait_ms from endpoints e
      left join endpoint_health h on h.app_id = e.app_id and h.endpoint_id = e.endpoint_id
      where e.app_id = q.app_id and e.endpoint_id = q.endpoint_id limit 1) of_queue on true
    where q.due_at <= statement_timestamp() limit ${limit}`);
}

/**
 * Takes the claim locks of the apps in shared mode until the transaction ends. A stop that finds a lock taken cannot
 * know what a running claim will have in flight. The statement is separate from `lockDueDeliveries` because the judging
 * statement needs a newer snapshot.
 */
export function shareClaimLocks(tx: Transaction, appIds: readonly string[]): void {
  tx.send(sql`select pg_advisory_xact_lock_shared(claims_lock(app_id)) from unnest(${appIds}::uuid[]) as app_id`);
}

/** Selects the stop epoch since which the current grant of a scope on the server of queue row q is in force. */
const grantEpoch = (scope: Sql): Sql =>
  currentGrant(sql`since_epoch`, { appId: sql`q.app_id`, serverId: sql`q.server_id`, scope });

export interface CandidateRow extends DeliveryAuthorityRow {
  app_id: string;
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  /** The key of the claim: the first usable key of the endpoint. */
  key_id: string;
  server_id: string | null;
  /** Number of the attempt that this claim is for. */
  attempt_no: number;
  /** Null if the delivery no longer exists. */
  trigger: string | null;
  is_endpoint_deleted: boolean;
  /** Null if the endpoint was deleted, as its secret and the speed of its schedule. */
  url: string | null;
  rate_per_second: number | null;
  sealed_secret: Buffer | null;
  /** Null unless the previous secret still signs. */
  sealed_previous_secret: Buffer | null;
  sealed_headers: Buffer | null;
  schedule_speed: number | null;
  /** True if another delivery may wait for the end of this one. */
  is_ordered: boolean;
  /** True if the endpoint's latest attempts all failed, as far as this is recorded. */
  is_failing: boolean;
  /** The transaction that wrote the endpoint's row. Null if the endpoint was deleted. */
  endpoint_version: string | null;
  /** Null if the event is older than the retention period. */
  body: string | null;
  /** Null if the event no longer exists. */
  schema_version: number | null;
  epoch: number;
  /** True if the delivery was queued under a grant that was revoked and later replaced by a new one. */
  is_of_earlier_grant: boolean;
  /** The same for the grant of the resource's scope. */
  is_of_earlier_resource_grant: boolean;
  /** True if the endpoint has lost all its keys since the delivery was queued, and later got another one. */
  is_of_lost_keys: boolean;
  key_life_ms: number;
  /** True if the filter of the endpoint withheld the event while access held the delivery. */
  is_filtered: boolean | null;
}

type PresentColumn =
  | 'body'
  | 'trigger'
  | 'url'
  | 'sealed_secret'
  | 'schedule_speed'
  | 'schema_version'
  | 'endpoint_version';

/** The row of a delivery that a claim allowed. */
export type ClaimedDeliveryRow = CandidateRow & { [K in PresentColumn]: NonNullable<CandidateRow[K]> };

/** The settings of an endpoint that sending needs. */
export type SendingSettings = Pick<
  ClaimedDeliveryRow,
  'url' | 'sealed_secret' | 'sealed_previous_secret' | 'sealed_headers' | 'schedule_speed' | 'is_failing'
>;

type DeliveryColumn =
  | 'app_id'
  | 'delivery_id'
  | 'endpoint_id'
  | 'event_id'
  | 'key_id'
  | 'server_id'
  | 'attempt_no'
  | 'trigger'
  | 'schema_version'
  | 'is_ordered'
  | 'body';

/** An allowed delivery, with everything that sending needs. */
export interface DeliveryClaim {
  row: SendingSettings & Pick<ClaimedDeliveryRow, DeliveryColumn>;
  token: ClaimToken;
}

/**
 * Locks up to `examineLimit` due deliveries per queue, and skips those that another worker holds. Returns them with
 * their current authority.
 *
 * The same statement, and so the same snapshot, reads the app's stop epoch. A claim that sees the count of a stop
 * therefore also sees that the access has ended. The limits keep the planner to one look-up per row. Without
 * them, and with new statistics, it read whole partitions (20 ms for 13 rows instead of 2.6 ms). The table `deliveries`
 * is read only for rows that older versions queued.
 */
export function lockDueDeliveries(
  tx: Queryable,
  queues: readonly { endpointId: string; examineLimit: number }[],
): Promise<CandidateRow[]> {
  // Not clock_timestamp(): a volatile bound cannot be looked up in the index.
  return tx.query(sql`
    with locked as materialized (
      select due.* from unnest(${plainArray(queues.map((queue) => queue.endpointId))}::uuid[], ${plainArray(queues.map((queue) => queue.examineLimit))}::int[])
        as due_queue (endpoint_id, examine_limit)
      cross join lateral (
        select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, epoch, attempt_no, subject_id,
          trigger, schema_version, is_filtered
        from queue
        where endpoint_id = due_queue.endpoint_id and state = 'waiting' and due_at <= statement_timestamp()
        order by due_at limit due_queue.examine_limit for update skip locked) due)
    select q.app_id, q.delivery_id, q.endpoint_id, q.event_id, k.key_id, q.server_id, q.attempt_no + 1 as attempt_no,
      d.trigger, e.endpoint_id is null as is_endpoint_deleted, e.url, e.rate_per_second, e.sealed_secret, ${LIVE_PREVIOUS_SECRET}, e.sealed_headers,
      e.schedule_speed, q.subject_id is not null as is_ordered, q.is_filtered, h.failing_since is not null as is_failing,
      e.xmin::text as endpoint_version, ev.body,
      ev.schema_version,
      coalesce(s.epoch, 0) as epoch,
      case when q.epoch < s.epoch and q.server_id is not null
        then coalesce(q.epoch < ${grantEpoch(sql`'events:read'`)}, false) else false
        end as is_of_earlier_grant,
      case when q.epoch < s.epoch and a.enforces_event_scopes and d.resource_scope is not null
        then coalesce(q.epoch < ${grantEpoch(sql`d.resource_scope`)}, false) else false
        end as is_of_earlier_resource_grant,
      coalesce(coalesce(q.epoch, 0) < e.min_epoch, false) as is_of_lost_keys,
      (extract(epoch from least(k.expires_at, k.ends_at) - clock_timestamp()) * 1000)::float8 as key_life_ms,
      ${deliveryAuthority(sql`q.app_id`, sql`q.server_id`, sql`d.resource_scope`)}
    from locked q
    left join lateral (
      select trigger, schema_version from deliveries
      where q.trigger is null and app_id = q.app_id and delivery_id = q.delivery_id limit 1) before on true
    cross join lateral (
      select coalesce(q.schema_version, before.schema_version) as schema_version) v
    left join lateral (
      select coalesce(older_bodies[v.schema_version], body) as body, coalesce(v.schema_version, schema_version) as schema_version,
        type
      from events where app_id = q.app_id and event_id = q.event_id limit 1) ev on true
    cross join lateral (
      select coalesce(q.trigger, before.trigger) as trigger,
        case when q.server_id is not null then coalesce(q.resource_scope, ${resourceScopeOf(sql`ev.type`)}) end as resource_scope) d
    left join endpoints e on e.app_id = q.app_id and e.endpoint_id = q.endpoint_id
    cross join lateral (
      select key_id, state, ends_at, expires_at, scopes from keys
      where app_id = q.app_id and key_id = coalesce(${deliveringKeyId}, q.key_id) limit 1) k
    join apps a on a.app_id = q.app_id
    left join endpoint_health h on h.app_id = q.app_id and h.endpoint_id = q.endpoint_id
    left join stop_epochs s on s.app_id = q.app_id`);
}

export interface ClaimDecisionRow {
  app_id: string;
  delivery_id: string;
  /** The key that the claim chose. */
  key_id: string;
  verdict: 'allow' | 'hold' | 'refuse';
  reason: DeliveryReason | null;
  /** Scope of the event's resource. The claim writes it to held deliveries, whose groups differ by it. */
  resource_scope: string | null;
}

/**
 * Applies the verdicts: 'allow' puts in flight, 'hold' sets aside, 'refuse' ends the delivery. Sent together with the
 * commit.
 */
export function applyDecisions(tx: Transaction, workerId: string, verdicts: readonly ClaimDecisionRow[]): void {
  const allowed = verdicts.filter(({ verdict }) => verdict === 'allow');
  const others = verdicts.filter(({ verdict }) => verdict !== 'allow');
  if (allowed.length > 0) markInFlight(tx, workerId, allowed);
  if (others.length > 0) holdOrCancel(tx, others);
}

function markInFlight(tx: Transaction, workerId: string, allowed: readonly ClaimDecisionRow[]): void {
  tx.send(sql`
    update queue q set state = 'in_flight', worker_id = ${workerId}, attempt_no = q.attempt_no + 1,
      claimed_at = clock_timestamp(), key_id = j.key_id
    from unnest(${plainArray(allowed.map((one) => one.app_id))}::uuid[],
      ${plainArray(allowed.map((one) => one.delivery_id))}::uuid[],
      ${plainArray(allowed.map((one) => one.key_id))}::uuid[]) as j (app_id, delivery_id, key_id)
    where q.app_id = j.app_id and q.delivery_id = j.delivery_id`);
}

function holdOrCancel(tx: Transaction, others: readonly ClaimDecisionRow[]): void {
  tx.send(sql`
    with judged as materialized (
      select * from json_to_recordset(${JSON.stringify(others)}::json)
        as j (app_id uuid, delivery_id uuid, verdict text, reason text, resource_scope text)),
    held as (
      update queue q set state = 'held', resource_scope = j.resource_scope
      from judged j where q.app_id = j.app_id and q.delivery_id = j.delivery_id and j.verdict = 'hold'),
    refused as (
      delete from queue q using judged j
      where q.app_id = j.app_id and q.delivery_id = j.delivery_id and j.verdict = 'refuse')
    update deliveries d set reason = j.reason,
      status = case when j.verdict = 'hold' then 'held' when j.reason = 'filtered' then 'skipped' else 'cancelled' end,
      finished_at = case j.verdict when 'refuse' then clock_timestamp() end
    from judged j where d.app_id = j.app_id and d.delivery_id = j.delivery_id`);
}

// Depth of the bucket: attempts of a tenth of a second, at least one. In t seconds at most rate * t + depth attempts
// are claimed.
const BUCKET_DEPTH: Sql = sql`ceil(e.rate_per_second / 10.0)`;

/**
 * Ignores a wait of more than five seconds, reservations included: such a value was written before the clock was set
 * back.
 */
const PACED_UNTIL: Sql = sql`case when h.paced_until > statement_timestamp() + interval '5 seconds'
  then '-infinity' else h.paced_until end`;

/** The time since which the available tokens have accumulated. */
const TOKENS_SINCE: Sql = sql`greatest(${PACED_UNTIL},
  statement_timestamp() - (${BUCKET_DEPTH} - 1) / e.rate_per_second * interval '1 second')`;

/**
 * Milliseconds for which the queue of endpoint e with health h must wait. (Before Postgres 17, infinity cannot be
 * subtracted.)
 */
const paceWaitMs: Sql = sql`case when e.rate_per_second is null then 0 else
  extract(epoch from greatest(${PACED_UNTIL}, statement_timestamp()) - statement_timestamp()) * 1000 end::float8`;

interface RateAllowance {
  endpoint_id: string;
  /** The number of attempts that the rate allows now. */
  allowed: number;
}

/**
 * Locks the queues' rates and returns how many attempts each allows now. Skips a queue that another worker is claiming.
 */
export function lockRates(tx: Queryable, queues: readonly QueuePlan[]): Promise<RateAllowance[]> {
  return tx.query(sql`
    select h.endpoint_id,
      greatest(0, floor(extract(epoch from statement_timestamp() - ${TOKENS_SINCE}) * e.rate_per_second) + 1)::int
        as allowed
    from unnest(${queues.map((queue) => queue.appId)}::uuid[], ${queues.map((queue) => queue.endpointId)}::uuid[])
      as queue (app_id, endpoint_id)
    join endpoint_health h on h.app_id = queue.app_id and h.endpoint_id = queue.endpoint_id
    join endpoints e on e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
    where e.rate_per_second is not null
    order by h.endpoint_id for update of h skip locked`);
}

/** Takes tokens for the attempts that begin now. */
export async function spendTokens(
  tx: Queryable,
  begun: readonly { appId: string; endpointId: string; count: number }[],
): Promise<void> {
  await tx.query(sql`
    update endpoint_health h set paced_until = ${TOKENS_SINCE} + b.count / e.rate_per_second::float8 * interval '1 second'
    from unnest(${begun.map((one) => one.appId)}::uuid[], ${begun.map((one) => one.endpointId)}::uuid[],
        ${begun.map((one) => one.count)}::int[]) as b (app_id, endpoint_id, count)
      join endpoints e on e.app_id = b.app_id and e.endpoint_id = b.endpoint_id
    where h.app_id = b.app_id and h.endpoint_id = b.endpoint_id`);
}

/**
 * Takes the next token of an endpoint's bucket, even if it is not available yet. Returns the milliseconds to wait for
 * it; 0 if the endpoint has no rate.
 */
export async function reserveToken(db: Queryable, appId: string, endpointId: string): Promise<number> {
  const rows = await db.query<{ wait_ms: number }>(sql`
    update endpoint_health h set paced_until = ${TOKENS_SINCE} + interval '1 second' / e.rate_per_second
    from endpoints e
    where h.app_id = ${appId} and h.endpoint_id = ${endpointId} and e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
      and e.rate_per_second is not null
    returning (extract(epoch from h.paced_until - interval '1 second' / e.rate_per_second - statement_timestamp())
      * 1000)::float8 as wait_ms`);
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}
