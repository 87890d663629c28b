// The SQL of the table `objects`, which holds the objects of each resource that has no table of its own.
import type { Tenant, TenantReader, TenantWriter } from '../../access/authority/index.ts';
import { grantedCondition, readRevised, type Scope } from '../../access/authority/index.ts';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { defineItemRead, defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Fields, ObjectName, StoredObject } from './stored-object.ts';

const COLUMNS: Sql = sql`o.object_id, o.key, o.server_id, o.parent_id, o.state, o.data, o.hidden, o.event_sequence,
  o.created_at`;

const FIND = defineItemRead<ObjectName, StoredObject>(
  sql`kind text, key text`,
  (rows) => sql`select nth, ${COLUMNS} from ${rows} join objects o using (app_id, kind, key)`,
);

export async function findStored(tenant: TenantReader, kind: string, key: string): Promise<StoredObject | undefined> {
  const [row] = await tenant.each(FIND, { kind, key });
  return row;
}

// Requests cannot lock objects that they cannot change, and delete none of them. The topmost object is locked first, as a
// deletion locks it, so that no deletion of it misses an object that is created below.
const SHARE = defineItemRead<ObjectName, StoredObject & { level: number; lockable: number; is_writable: boolean }>(
  sql`kind text, key text`,
  (rows) => sql`
    with recursive above as (
      select item.nth, 0 as level, o.app_id, o.object_id, o.parent_id, o.is_writable
      from ${rows} join objects o using (app_id, kind, key)
      union all
      select a.nth, a.level + 1, o.app_id, o.object_id, o.parent_id, o.is_writable
      from above a join objects o on o.app_id = a.app_id and o.object_id = a.parent_id),
    counted as materialized (
      select above.*, count(*) filter (where is_writable) over (partition by nth)::int as lockable from above)
    select c.nth, c.level, c.lockable, c.is_writable, ${COLUMNS} from counted c
    join objects o on o.app_id = c.app_id and o.object_id = c.object_id
    order by c.level desc, o.app_id, o.object_id for key share of o`,
);

/** Returns the object. Before the transaction ends, neither it nor an object above it can be deleted. */
export async function shareStored(tenant: TenantReader, kind: string, key: string): Promise<StoredObject | undefined> {
  const rows = await tenant.each(SHARE, { kind, key });
  const row = rows.find(({ level }) => level === 0);
  // A row is missing if its object was deleted while this transaction waited for the lock.
  const locked = rows.filter(({ is_writable: isLockable }) => isLockable);
  return locked.length === row?.lockable ? row : undefined;
}

const FIND_PARENT = defineItemRead<{ object_id: string }, { parent_id: string | null }>(
  sql`object_id uuid`,
  (rows) => sql`select nth, o.parent_id from ${rows} join objects o using (app_id, object_id)`,
);

/** Returns the parent of an object; undefined without one. */
export async function findParentId(tenant: TenantReader, objectId: string): Promise<string | undefined> {
  const [row] = await tenant.each(FIND_PARENT, { object_id: objectId });
  return row?.parent_id ?? undefined;
}

const LOCK = defineItemRead<ObjectName, StoredObject>(
  sql`kind text, key text`,
  (rows) => sql`select nth, ${COLUMNS} from ${rows} join objects o using (app_id, kind, key) for update of o`,
);

/** Returns the object and locks it until the transaction ends. The transaction must contain no other mutation. */
export async function lockStored(tenant: TenantReader, kind: string, key: string): Promise<StoredObject | undefined> {
  const [row] = await tenant.each(LOCK, { kind, key });
  return row;
}

const LOCK_KIND = defineItemRead<{ kind: string }, never>(
  sql`kind text`,
  (rows) => sql`select pg_advisory_xact_lock(hashtextextended(app_id::text || kind, 75470005))
    from (select distinct app_id, kind from ${rows} order by app_id, kind) kinds`,
);

/** Makes other transactions that lock the kind wait until this one ends. */
export const lockKind = (tenant: TenantWriter, kind: string): void => tenant.sendEach(LOCK_KIND, [{ kind }]);

const COUNT_KIND = defineItemRead<{ kind: string }, { objects: number }>(
  sql`kind text`,
  (rows) => sql`
    select nth, (select count(*)::int from objects o where o.app_id = item.app_id and o.kind = item.kind) as objects from ${rows}`,
);

export async function countKind(tenant: TenantReader, kind: string): Promise<number> {
  const [row] = await tenant.each(COUNT_KIND, { kind });
  return row?.objects ?? 0;
}

/** Returns the object with the revision at which it was read. */
export async function findStoredRevised(
  tenant: Tenant,
  kind: string,
  key: string,
): Promise<{ revision: number; row: StoredObject | undefined }> {
  const { revision, rows } = await readRevised<StoredObject>(
    tenant,
    'activity',
    sql`select ${COLUMNS} from objects o where o.app_id = ${tenant.appId} and o.kind = ${kind} and o.key = ${key}`,
  );
  return { revision, row: rows[0] };
}

interface StoredSelection {
  kind: string;
  /** The object above, and the number of levels between; undefined for the objects below all parents. */
  below: { objectId: string; levels: number } | undefined;
  /** Values that the objects must have. */
  fields: Fields;
  /** Scopes that the servers of the objects must grant. */
  granted?: readonly Scope[];
}

interface StoredPage {
  after: string | undefined;
  skip: number;
  limit: number;
  /** The page ends with the object that exceeds this number. */
  bytes: number;
  /** True to count the objects of all pages. */
  isCounted?: boolean;
}

interface StoredRows {
  revision: number;
  rows: StoredObject[];
  isMore: boolean;
  /** The number of objects in all pages; undefined if they are not counted. */
  total: number | undefined;
}

/** Selects the objects that are directly below an object, or with `levels` between. */
function selectBelow(tenant: Tenant, { objectId, levels }: { objectId: string; levels: number }): Sql {
  let parents = sql`${objectId}::uuid`;
  for (let level = 0; level < levels; level++)
    parents = sql`select p.object_id from objects p where p.app_id = ${tenant.appId} and p.parent_id in (${parents})`;
  return sql`and o.parent_id in (${parents})`;
}

/**
 * Lists objects after a position or behind a number of objects, newest first. `isMore`: the page ended before the last
 * object, because of `limit` or `bytes`.
 */
export async function listStored(
  tenant: Tenant,
  selection: StoredSelection,
  { after, skip, limit, bytes, isCounted = false }: StoredPage,
): Promise<StoredRows> {
  const { kind, below, fields, granted = [] } = selection;
  const inParent = below ? selectBelow(tenant, below) : sql``;
  const matching = Object.keys(fields).length === 0 ? sql`` : sql`and o.data @> ${JSON.stringify(fields)}::jsonb`;
  const beyond = after === undefined ? sql`` : sql`and o.object_id < ${after}`;
  const isGranted = sql`exists (select from installations i where i.app_id = o.app_id and i.server_id = o.server_id
    and ${grantedCondition(sql`needed.scope`)})`;
  const permitted =
    granted.length === 0
      ? sql``
      : sql`and not exists (select from unnest(${textArray(granted)}::text[]) needed (scope) where not ${isGranted})`;
  const selected = sql`from objects o where o.app_id = ${tenant.appId} and o.kind = ${kind} ${inParent} ${matching}`;
  // Grants are read once for each server, and not for each object.
  const total = isCounted
    ? sql`(select coalesce(sum(o.objects), 0)::int from (
        select o.app_id, o.server_id, count(*) as objects ${selected} group by o.app_id, o.server_id) o
        where true ${permitted})`
    : sql`null::int`;
  // Objects beyond the limit of bytes are not sent to this process.
  const rows = sql`
    select ${COLUMNS}, o.found, ${total} as total from (
      select found.*, count(*) over ()::int as found, coalesce(sum(octet_length(found.data::text) + octet_length(found.hidden::text)) over (
          order by found.object_id desc rows between unbounded preceding and 1 preceding), 0) as preceding
      from (select ${COLUMNS} ${selected} ${beyond} ${permitted}
        order by o.object_id desc offset ${skip}::int limit ${limit + 1}) found) o
    where o.preceding < ${bytes}`;
  const page = await readRevised<StoredObject & { found: number; total: number | null }>(
    tenant,
    'activity',
    rows,
    sql`order by object_id desc`,
  );
  const [first] = page.rows;
  const shown = page.rows.slice(0, limit);
  const read = { revision: page.revision, rows: shown, isMore: (first?.found ?? 0) > shown.length };
  if (first || !isCounted) return { ...read, total: first?.total ?? undefined };
  if (after === undefined && skip === 0) return { ...read, total: 0 };
  // A page after the last object has no row with the count.
  const start = await listStored(tenant, selection, { after: undefined, skip: 0, limit: 1, bytes, isCounted });
  return { ...read, revision: Math.min(read.revision, start.revision), total: start.total };
}

const NEXT_NUMBER = defineItemWrite<{ kind: string }, { number: number }>(
  sql`kind text`,
  (rows) => sql`
    with asked as materialized (
      select item.*, row_number() over of_kind as place, count(*) over (partition by item.app_id, item.kind) as size
      from ${rows} window of_kind as (partition by item.app_id, item.kind order by item.nth)),
    counted as (
      insert into object_numbers as n (app_id, kind, last_number)
      select app_id, kind, size from asked where place = 1 order by app_id, kind
      on conflict (app_id, kind) do update set last_number = n.last_number + excluded.last_number
      returning app_id, kind, last_number)
    select nth, (last_number - size + place)::bigint as number from asked join counted using (app_id, kind)`,
);

/** Returns the next number of a kind. Other transactions that need a number of the kind wait until this one ends. */
export async function nextNumber(tenant: TenantWriter, kind: string): Promise<number> {
  const [row] = await tenant.each(NEXT_NUMBER, { kind });
  return (row as { number: number }).number; // an upsert returns its row or throws
}

const RAISE_NUMBER = defineItemWrite<{ kind: string; number: number }>(
  sql`kind text, number bigint`,
  (rows) => sql`
    insert into object_numbers as n (app_id, kind, last_number)
    select app_id, kind, max(number) from ${rows} group by app_id, kind order by app_id, kind
    on conflict (app_id, kind) do update set last_number = excluded.last_number where n.last_number < excluded.last_number`,
);

/** The highest number after which a kind continues, so that enough numbers remain below the highest safe integer. */
const MAX_RAISED = 2 ** 52;

/**
 * Continues the numbers of a kind after one that a client gives to a new object. Call it before the object is inserted:
 * `nextNumber` locks the same row before its object.
 */
export function raiseNumber(tenant: TenantWriter, kind: string, number: number): void {
  if (number <= MAX_RAISED) tenant.sendEach(RAISE_NUMBER, [{ kind, number }]);
}

/** Continues the numbers of a kind after those of the stored objects, whose keys are all integers. */
export async function continueNumbers(tenant: Tenant, kind: string): Promise<void> {
  await tenant.query(sql`
    insert into object_numbers (app_id, kind, last_number)
    select app_id, kind, max(key::bigint) from objects where app_id = ${tenant.appId} and kind = ${kind}
    group by app_id, kind
    on conflict (app_id, kind) do update set last_number = greatest(object_numbers.last_number, excluded.last_number)`);
}

export interface NewStoredObject {
  object_id: string;
  kind: string;
  key: string;
  server_id: string;
  parent_id: string | null;
  state: string | null;
  data: Fields;
  hidden: Fields;
  request_id: string | null;
  event_sequence: number;
  /** The delay until `onDue` decides about the object; null for never. */
  due_in_ms: number | null;
  created_at: string;
}

const NEW_COLUMNS = sql`object_id uuid, kind text, key text, server_id uuid, parent_id uuid, state text, data jsonb,
  hidden jsonb, request_id uuid, event_sequence int, due_in_ms float8, created_at timestamptz`;

/** Inserts objects from rows with the columns of NEW_COLUMNS. Objects with an existing key are left out. */
const insertFrom = (rows: Sql, appId: Sql, isWritable: Sql): Sql => sql`
  insert into objects (app_id, object_id, kind, key, server_id, parent_id, state, data, hidden, is_writable, request_id,
    event_sequence, due_at, created_at)
  select ${appId}, object_id, kind, key, server_id, parent_id, state, data, hidden, ${isWritable}, request_id,
    event_sequence, clock_timestamp() + due_in_ms * interval '1 ms', created_at
  from ${rows}
  on conflict do nothing`;

const INSERT = defineItemWrite<NewStoredObject, { object_id: string }>(
  NEW_COLUMNS,
  (rows) => sql`
    with asked as materialized (select * from ${rows}),
    made as (${insertFrom(sql`asked`, sql`app_id`, sql`true`)} returning object_id)
    select nth, made.object_id from made join asked using (object_id)`,
);

/** Returns false if another object of the kind has the key. */
export async function insertStored(tenant: TenantWriter, object: NewStoredObject): Promise<boolean> {
  return (await tenant.each(INSERT, object)).length > 0;
}

/** The number of objects that one statement inserts, because a statement has a timeout of seconds. */
const INSERTED_AT_ONCE = 2_000;

/** Inserts objects of new sandbox data. With `isWritable`, requests may change them. */
export async function insertSandboxObjects(
  tenant: Tenant,
  objects: readonly NewStoredObject[],
  isWritable: boolean,
): Promise<void> {
  for (let at = 0; at < objects.length; at += INSERTED_AT_ONCE) {
    const rows = JSON.stringify(objects.slice(at, at + INSERTED_AT_ONCE));
    await tenant.query(
      insertFrom(
        sql`json_to_recordset(${rows}::json) as item (${NEW_COLUMNS})`,
        sql`${tenant.appId}::uuid`,
        sql`${isWritable}::boolean`,
      ),
    );
  }
}

interface StoredChange {
  object_id: string;
  parent_id: string | null;
  state: string | null;
  data: Fields;
  hidden: Fields;
  event_sequence: number;
  /** False if the time at which the object is due remains. */
  sets_due: boolean;
  due_in_ms: number | null;
}

const UPDATE = defineItemWrite<StoredChange>(
  sql`object_id uuid, parent_id uuid, state text, data jsonb, hidden jsonb, event_sequence int, sets_due boolean, due_in_ms float8`,
  (rows) => sql`
    update objects o set parent_id = item.parent_id, state = item.state, data = item.data, hidden = item.hidden,
      event_sequence = item.event_sequence,
      due_at = case when item.sets_due then clock_timestamp() + item.due_in_ms * interval '1 ms' else o.due_at end
    from ${rows} where o.app_id = item.app_id and o.object_id = item.object_id`,
);

/** Sets the values of an object that this transaction has locked. */
export function updateStored(tenant: TenantWriter, change: StoredChange): void {
  tenant.sendEach(UPDATE, [change]);
}

/** The number of objects that one statement deletes, because a statement has a timeout of seconds. */
const DELETED_AT_ONCE = 5_000;

/** Deletes all stored objects of the app. */
export async function deleteAllStored(tenant: Tenant, limit = DELETED_AT_ONCE): Promise<void> {
  const all = { from: sql`objects`, where: sql`app_id = ${tenant.appId}`, by: sql`object_id`, limit };
  while ((await deleteSome(tenant, all)) === limit);
}

/** Lists due objects of active apps, longest wait first. */
export function listDueObjects(worker: Queryable, limit: number): Promise<{ app_id: string; object_id: string }[]> {
  return worker.query(sql`select o.app_id, o.object_id from objects o join apps a using (app_id)
    where o.due_at <= clock_timestamp() and a.standing = 'active' order by o.due_at limit ${limit}`);
}

export interface DueObject extends StoredObject {
  kind: string;
  /** The fields and the hidden fields of the parent; null without one. */
  parent_values: Fields | null;
  /** The time of the database's clock, in milliseconds since the Unix epoch. */
  now_ms: number;
}

/** Locks the object until the transaction ends, unless it is no longer due or another worker has locked it. */
export function lockDueObject(tenant: Tenant, objectId: string): Promise<DueObject | undefined> {
  return tenant.first<DueObject>(sql`
    select ${COLUMNS}, o.kind, (select p.data || p.hidden from objects p
        where p.app_id = o.app_id and p.object_id = o.parent_id) as parent_values,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms from objects o
    where o.app_id = ${tenant.appId} and o.object_id = ${objectId} and o.due_at <= clock_timestamp()
    for update of o skip locked`);
}

/** Postpones an object whose handler failed, so that it is not retried immediately and does not delay others. */
export async function postponeDue(tenant: Tenant, objectId: string, forMs: number): Promise<void> {
  await tenant.query(sql`update objects set due_at = clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    where app_id = ${tenant.appId} and object_id = ${objectId} and due_at <= clock_timestamp()`);
}

interface Suitable {
  /** Undefined for the newest object. */
  objectId: string | undefined;
  /** Undefined for any state. */
  states: readonly string[] | undefined;
}

/** Locks the newest object of a kind in one of the states, or the named object if it is in one of them. */
export const lockSuitableObject = (tenant: Tenant, kind: string, wanted: Suitable): Promise<StoredObject | undefined> =>
  tenant.first<StoredObject>(sql`${selectSuitable(tenant, kind, wanted)} for update of o`);

/** Finds the newest object of a kind, or the named object. */
export const findSuitableObject = (tenant: Tenant, kind: string, objectId: string | undefined) =>
  tenant.first<StoredObject>(selectSuitable(tenant, kind, { objectId, states: undefined }));

function selectSuitable(tenant: Tenant, kind: string, { objectId, states }: Suitable): Sql {
  const one = objectId === undefined ? sql`` : sql`and o.object_id = ${objectId}`;
  const inState = states === undefined ? sql`` : sql`and o.state = any(${states}::text[])`;
  return sql`select ${COLUMNS} from objects o
    where o.app_id = ${tenant.appId} and o.kind = ${kind} ${one} ${inState}
    order by o.object_id desc limit 1`;
}
