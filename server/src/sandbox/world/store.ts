// The SQL of worlds as a whole. Each feature has the SQL of its own part.

import { KEY_STATE, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import { type ResourceKind, resources } from '../../access/contracts/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { countObjects, hasTable, tableOf } from '../../resources/objects/index.ts';
import { isEmpty, PRESET_KINDS, type WorldCounts, type WorldRow, type WorldSpec } from './world.ts';

const COLUMNS: Sql = sql`preset, seed, epoch, made_at, speed, speed_until, turn as tick, due_at`;

/** A fast clock returns to normal speed after this time, so that a forgotten one does not fill the app's history. */
const FAST_CLOCK_DURATION = sql`interval '1 hour'`;

export function findWorld(tenant: Tenant): Promise<WorldRow | undefined> {
  return tenant.first(sql`select ${COLUMNS} from worlds where app_id = ${tenant.appId}`);
}

/**
 * Returns the world and locks it until the transaction ends. Every change of a world waits for this lock, including a
 * tick.
 */
export function lockWorld(tenant: Tenant): Promise<WorldRow | undefined> {
  return tenant.first(sql`select ${COLUMNS} from worlds where app_id = ${tenant.appId} for update`);
}

const resetLock = ({ appId }: Tenant): Sql => sql`hashtextextended(${appId}, 75470004)`;

/** Returns false if another transaction is resetting the app's world. */
export async function tryResetLock(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query<{ ok: boolean }>(sql`select pg_try_advisory_xact_lock(${resetLock(tenant)}) as ok`);
  return rows[0]?.ok === true;
}

/** Returns true if a transaction is resetting the app's world and holds it locked. */
export async function isBeingReset(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query<{ is_so: boolean }>(sql`
    select case when pg_try_advisory_lock_shared(${resetLock(tenant)})
      then not pg_advisory_unlock_shared(${resetLock(tenant)}) else true end as is_so`);
  return rows[0]?.is_so === true;
}

/**
 * Makes Postgres plan each following statement of the transaction with an index, including foreign key checks. The
 * statistics of tables that grow within the transaction are out of date. Without this, replacing a small world by a
 * large one took minutes, because each row scanned all servers.
 */
export function planForGrowth(tenant: TenantTransaction): void {
  tenant.send(sql`select set_config('enable_seqscan', 'off', true)`);
  tenant.send(sql`discard plans`);
}

/** Counts changes of this transaction in a slot of the app's revisions that no other writer uses. */
export function useOwnRevisionSlot(tenant: TenantTransaction): void {
  tenant.send(sql`select set_config('slipway.revision_slot', '4', true)`);
}

/** Stores the spec of the world and restarts its clock. */
export async function upsertWorld(tenant: Tenant, spec: WorldSpec): Promise<void> {
  const { tickMs } = PRESET_KINDS[spec.preset];
  const firstTick = sql`clock_timestamp() + ${tickMs}::float8 * interval '1 ms'`;
  const dueAt = isEmpty(spec) ? sql`null` : firstTick;
  await tenant.query(sql`
    insert into worlds as w (app_id, preset, seed, epoch, due_at)
    values (${tenant.appId}, ${spec.preset}, ${spec.seed}, ${spec.epoch}, ${dueAt})
    on conflict (app_id) do update set preset = excluded.preset, seed = excluded.seed, epoch = excluded.epoch,
      made_at = clock_timestamp(), turn = 0, due_at = case when w.speed = 0 then null
        else clock_timestamp() + (excluded.due_at - clock_timestamp()) / w.speed end`);
}

export async function updateSpeed(tenant: Tenant, world: WorldRow, speed: number): Promise<void> {
  const { tickMs } = PRESET_KINDS[world.preset];
  const isStill = speed === 0 || isEmpty(world);
  await tenant.query(sql`
    update worlds set speed = ${speed}, speed_until = case when ${speed} > 1 then clock_timestamp() + ${FAST_CLOCK_DURATION} end,
      due_at = case when not ${isStill} then clock_timestamp() + ${tickMs / Math.max(1, speed)}::float8 * interval '1 ms' end
    where app_id = ${tenant.appId}`);
}

export async function countWorld(tenant: Tenant): Promise<WorldCounts> {
  const counts = resources.map(async ({ kind, plural }) => [plural, await countObjects(tenant, kind)]);
  return Object.fromEntries(await Promise.all(counts)) as WorldCounts; // all resources
}

/** Returns true if the world has this object, or any object of its kind. */
export async function hasObject(tenant: Tenant, kind: ResourceKind, uuid: string | undefined): Promise<boolean> {
  const { table, id, condition } = tableOf(kind);
  const one = uuid === undefined ? sql`` : sql`and ${id} = ${uuid}`;
  const rows = await tenant.query(sql`select from ${table} where app_id = ${tenant.appId} ${condition} ${one} limit 1`);
  return rows.length > 0;
}

/** Continues the sequence numbers of events where the events of earlier worlds with the same identifiers ended. */
export async function continueSequences(tenant: Tenant): Promise<void> {
  if (!resources.some(hasTable)) return continueSequencesOf(tenant, sql`objects`, sql`object_id`, undefined);
  await continueSequencesOf(tenant, sql`publications`, sql`publication_id`, 'publication');
  await continueSequencesOf(tenant, sql`roadmap_items`, sql`roadmap_item_id`, 'roadmap_item');
  await continueSequencesOf(tenant, sql`tickets`, sql`ticket_id`, 'ticket');
  await continueSequencesOf(tenant, sql`servers`, sql`server_id`, 'server');
}

/** `subject` is undefined for a table with the objects of several kinds. */
async function continueSequencesOf(
  tenant: Tenant,
  table: Sql,
  id: Sql,
  subject: ResourceKind | undefined,
): Promise<void> {
  const ofKind = subject === undefined ? sql`` : sql`and subject_type = ${subject}`;
  await tenant.query(sql`
    update ${table} o set event_sequence = latest.last
    from (select subject_id, max(sequence) as last from events
      where app_id = ${tenant.appId} ${ofKind} group by subject_id) latest
    where o.app_id = ${tenant.appId} and o.${id} = latest.subject_id and o.event_sequence < latest.last`);
}

interface DueWorld {
  app_id: string;
  organisation_id: string;
}

/** Returns worlds of active apps with a due tick, longest overdue first. */
export function listDueWorlds(worker: Queryable, limit: number): Promise<DueWorld[]> {
  return worker.query(sql`select w.app_id, a.organisation_id from worlds w join apps a using (app_id)
    where w.due_at <= clock_timestamp() and a.standing = 'active' order by w.due_at limit ${limit}`);
}

/**
 * Returns the world, locked until the transaction ends. Returns undefined if it is not due or another worker holds it.
 */
export function lockDueWorld(
  tenant: Tenant,
): Promise<(WorldRow & { is_lapsed: boolean; is_watched: boolean }) | undefined> {
  return tenant.first<WorldRow & { is_lapsed: boolean; is_watched: boolean }>(sql`
    select ${COLUMNS}, coalesce(speed_until <= clock_timestamp(), false) as is_lapsed,
      exists (select from keys k where k.app_id = ${tenant.appId} and ${KEY_STATE} = 'active'
        and k.expires_at > clock_timestamp()) as is_watched
    from worlds where app_id = ${tenant.appId} and due_at <= clock_timestamp() for update skip locked`);
}

/** Schedules the next tick relative to this one. Drops a delay of more than one second. */
export async function scheduleNextTick(
  tenant: Tenant,
  next: { ticks: number; inMs: number; isLapsed: boolean },
): Promise<void> {
  await tenant.query(sql`
    update worlds set turn = turn + ${next.ticks},
      speed = case when ${next.isLapsed} then 1 else speed end,
      speed_until = case when ${next.isLapsed} then null else speed_until end,
      due_at = greatest(due_at + ${next.inMs}::float8 * interval '1 ms', clock_timestamp() - interval '1 second')
    where app_id = ${tenant.appId}`);
}

/** Postpones a world whose tick failed, so that it is not retried immediately and does not block others. */
export async function postponeTick(tenant: Tenant, forMs: number): Promise<void> {
  await tenant.query(sql`update worlds set due_at = clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    where app_id = ${tenant.appId} and due_at <= clock_timestamp()`);
}
