// The SQL of worlds as a whole; each feature has its own part of them.

import { KEY_STATE, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { PRESET_KINDS, type WorldCounts, type WorldRow, type WorldSpec } from './world.ts';

const COLUMNS: Sql = sql`preset, seed, epoch, made_at, speed, speed_until, turn, due_at`;

/** So long a clock runs fast before it falls back: a forgotten one must not fill the app's history. */
const FAST_FOR = sql`interval '1 hour'`;

export async function findWorld(tenant: Tenant): Promise<WorldRow | undefined> {
  const rows = await tenant.query<WorldRow>(sql`select ${COLUMNS} from worlds where app_id = ${tenant.appId}`);
  return rows[0];
}

/** The world, held until the transaction ends: whatever changes worlds, a turn included, waits here for the other. */
export async function lockWorld(tenant: Tenant): Promise<WorldRow | undefined> {
  const rows = await tenant.query<WorldRow>(
    sql`select ${COLUMNS} from worlds where app_id = ${tenant.appId} for update`,
  );
  return rows[0];
}

const resetLock = ({ appId }: Tenant): Sql => sql`hashtextextended(${appId}, 75470004)`;

/** False while another transaction resets the app's world. */
export async function tryResetLock(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query<{ ok: boolean }>(sql`select pg_try_advisory_xact_lock(${resetLock(tenant)}) as ok`);
  return rows[0]?.ok === true;
}

/** Whether a transaction resets the app's world, which holds the world for as long. */
export async function isBeingReset(tenant: Tenant): Promise<boolean> {
  const rows = await tenant.query<{ is_so: boolean }>(sql`
    select case when pg_try_advisory_lock_shared(${resetLock(tenant)})
      then not pg_advisory_unlock_shared(${resetLock(tenant)}) else true end as is_so`);
  return rows[0]?.is_so === true;
}

/**
 * For the rest of the transaction each statement is planned by an index, those that look after foreign keys too: what Postgres knows of
 * tables that grow within it is what they were before. (A large world in place of a small one took minutes: each of its rows read all servers.)
 */
export function planForGrowth(tenant: TenantTransaction): void {
  tenant.send(sql`select set_config('enable_seqscan', 'off', true)`);
  tenant.send(sql`discard plans`);
}

/** Until the transaction ends, what it changes is counted in a slot of the app's revisions that no other writer uses. */
export function takeOwnSlot(tenant: TenantTransaction): void {
  tenant.send(sql`select set_config('slipway.revision_slot', '4', true)`);
}

/** What the world is made from, with its clock at the beginning. */
export async function upsertWorld(tenant: Tenant, spec: WorldSpec): Promise<void> {
  const { turnMs, servers } = PRESET_KINDS[spec.preset];
  const firstTurn = sql`clock_timestamp() + ${turnMs}::float8 * interval '1 ms'`;
  const dueAt = servers === 0 ? sql`null` : firstTurn;
  await tenant.query(sql`
    insert into worlds as w (app_id, preset, seed, epoch, due_at)
    values (${tenant.appId}, ${spec.preset}, ${spec.seed}, ${spec.epoch}, ${dueAt})
    on conflict (app_id) do update set preset = excluded.preset, seed = excluded.seed, epoch = excluded.epoch,
      made_at = clock_timestamp(), turn = 0, due_at = case when w.speed = 0 then null
        else clock_timestamp() + (excluded.due_at - clock_timestamp()) / w.speed end`);
}

export async function updateSpeed(tenant: Tenant, world: WorldRow, speed: number): Promise<void> {
  const { turnMs, servers } = PRESET_KINDS[world.preset];
  const isStill = speed === 0 || servers === 0;
  await tenant.query(sql`
    update worlds set speed = ${speed}, speed_until = case when ${speed} > 1 then clock_timestamp() + ${FAST_FOR} end,
      due_at = case when not ${isStill} then clock_timestamp() + ${turnMs / Math.max(1, speed)}::float8 * interval '1 ms' end
    where app_id = ${tenant.appId}`);
}

export async function countWorld(tenant: Tenant): Promise<WorldCounts> {
  const { appId } = tenant;
  const rows = await tenant.query<WorldCounts>(sql`
    select (select count(*) from servers where app_id = ${appId})::int as servers,
      (select count(*) from publications where app_id = ${appId})::int as publications,
      (select count(*) from roadmap_items where app_id = ${appId})::int as "roadmapItems",
      (select count(*) from tickets where app_id = ${appId})::int as tickets,
      (select count(*) from workflows where app_id = ${appId})::int as workflows,
      (select count(*) from workflow_runs where app_id = ${appId})::int as "workflowRuns"`);
  return rows[0] as WorldCounts; // a select without a from gives one row
}

/** What a world is made of, by the prefix of its identifiers. */
const OBJECTS = {
  srv: [sql`servers`, sql`server_id`],
  pub: [sql`publications`, sql`publication_id`],
  rmi: [sql`roadmap_items`, sql`roadmap_item_id`],
  tkt: [sql`tickets`, sql`ticket_id`],
  wfl: [sql`workflows`, sql`workflow_id`],
} as const;
export type ObjectPrefix = keyof typeof OBJECTS;

/** Whether the world has this object, or any of its kind. */
export async function hasObject(tenant: Tenant, prefix: ObjectPrefix, uuid: string | undefined): Promise<boolean> {
  const [table, id] = OBJECTS[prefix];
  const one = uuid === undefined ? sql`` : sql`and ${id} = ${uuid}`;
  const rows = await tenant.query(sql`select from ${table} where app_id = ${tenant.appId} ${one} limit 1`);
  return rows.length > 0;
}

/** Goes on counting where the events of earlier worlds with the same servers ended. */
export async function continueServerSequences(tenant: Tenant): Promise<void> {
  await tenant.query(sql`
    update servers s set event_sequence = told.last
    from (select subject_id, max(sequence) as last from events
      where app_id = ${tenant.appId} and subject_type = 'server' group by subject_id) told
    where s.app_id = ${tenant.appId} and s.server_id = told.subject_id and s.event_sequence < told.last`);
}

export interface DueWorld {
  app_id: string;
  organisation_id: string;
}

/** Worlds of apps that are active whose next turn is due, those that wait longest first. */
export function listDueWorlds(worker: Queryable, limit: number): Promise<DueWorld[]> {
  return worker.query(sql`select w.app_id, a.organisation_id from worlds w join apps a using (app_id)
    where w.due_at <= clock_timestamp() and a.standing = 'active' order by w.due_at limit ${limit}`);
}

/** The world, if it is still due and no other worker has it, held until the transaction ends. */
export async function lockDueWorld(
  tenant: Tenant,
): Promise<(WorldRow & { is_lapsed: boolean; is_watched: boolean }) | undefined> {
  const rows = await tenant.query<WorldRow & { is_lapsed: boolean; is_watched: boolean }>(sql`
    select ${COLUMNS}, coalesce(speed_until <= clock_timestamp(), false) as is_lapsed,
      exists (select from keys k where k.app_id = ${tenant.appId} and ${KEY_STATE} = 'active'
        and k.expires_at > clock_timestamp()) as is_watched
    from worlds where app_id = ${tenant.appId} and due_at <= clock_timestamp() for update skip locked`);
  return rows[0];
}

/** The next turn is due so much later, counted from this one's; what it is behind by more than a second is let go. */
export async function updateTurn(
  tenant: Tenant,
  next: { turns: number; inMs: number; isLapsed: boolean },
): Promise<void> {
  await tenant.query(sql`
    update worlds set turn = turn + ${next.turns},
      speed = case when ${next.isLapsed} then 1 else speed end,
      speed_until = case when ${next.isLapsed} then null else speed_until end,
      due_at = greatest(due_at + ${next.inMs}::float8 * interval '1 ms', clock_timestamp() - interval '1 second')
    where app_id = ${tenant.appId}`);
}

/** Sets a world aside that could not take its turn, so that it is neither asked again at once nor in the way of others. */
export async function postponeTurn(tenant: Tenant, forMs: number): Promise<void> {
  await tenant.query(sql`update worlds set due_at = clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    where app_id = ${tenant.appId} and due_at <= clock_timestamp()`);
}
