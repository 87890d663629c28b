// The SQL of authority: what a key, an app and an installation allow at this moment.
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { textArray, uuidArray } from '../../kit/db/pg-arrays.ts';
import type { Shared, SharedToEnd } from '../../kit/db/shared-transaction.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { memo } from '../../kit/flow/memo.ts';

/** An app's part of a transaction, its own or one with others: each statement is told which app asks. */
export interface TenantRows extends Pick<Shared, 'each'> {
  readonly appId: string;
  /** Other mutations are in the transaction: nothing in it may wait for another transaction. */
  readonly isShared: boolean;
}

/** The same, where it may write. */
export interface WritingRows extends TenantRows, Shared {
  /** Endpoints for which a delivery was queued that is due. The wake-up notification names them after the commit. */
  readonly queuedEndpoints: Set<string>;
}

/** The same, of a mutation, which ends with what it writes. */
export type MutationRows = WritingRows & SharedToEnd;

/**
 * A transaction in which row-level security lets one app's rows be seen: the only handle on data that an operation is
 * given. It comes from a proved caller and from nowhere else.
 */
export interface Tenant extends Queryable, TenantRows {}

/** The same, in a transaction that may write. */
export interface TenantTransaction extends Tenant, Transaction, WritingRows {}

export const COLLECTIONS = ['grants', 'servers', 'publications', 'roadmap', 'workflows', 'activity', 'faults'] as const;
export type Collection = (typeof COLLECTIONS)[number];
export type GrantState = 'authorised' | 'paused' | 'revoked';

/**
 * The state of key k at this moment: one that was rotated is revoked from its end on, whatever its row says. Whoever judges
 * a key asks for this and not for its column.
 */
export const KEY_STATE: Sql = sql`case when k.ends_at <= clock_timestamp() then 'revoked' else k.state end`;

/**
 * What an app has of access: none unless it is active. Who suspended it, or whether its organisation did, makes no
 * difference; Postgres keeps it as one column.
 */
export type AppStanding = 'active' | 'suspended' | 'deleting';

/** Whether a key and its app are valid. */
export interface KeyState {
  state: 'active' | 'revoked';
  isExpired: boolean;
  appStanding: AppStanding;
}

/**
 * What key k may do: of the scopes that it was made with those that its app a is approved for now. Whoever judges a key asks for
 * this and not for its column.
 */
export const KEY_SCOPES: Sql = sql`case when a.approved_scopes @> k.scopes then k.scopes
  else array(select unnest(k.scopes) intersect select unnest(a.approved_scopes)) end`;

/** Of key k and its app a, as a KeyState. */
export const KEY_FACTS: Sql = sql`${KEY_STATE} as state, k.expires_at <= clock_timestamp() as "isExpired", a.standing as "appStanding"`;

const COUNTS = ['access', ...COLLECTIONS] as const;

/** Of an app: how often each of its collections has changed, and what its keys allow. A count never comes twice. */
export type Revisions = Readonly<Record<(typeof COUNTS)[number], number>>;

/** `restored` by `slipway-server restore`; `regressed` where a witness remembers an audit entry that the database lacks. */
export type ClosedBecause = 'restored' | 'regressed';

/** What may change between two requests, read for each of them. */
export interface Standing {
  restoreEpoch: string;
  /** Why the restore gate is closed; null while it is open. */
  closedBecause: ClosedBecause | null;
  /** Until when the Console's lease on the status of organisations runs; infinite until a Console has announced a lease. */
  leaseUntilMs: number;
  /** By the database's clock, in milliseconds: what ends by itself is judged by no other. */
  atMs: number;
  /** By the ids of apps. One of which nothing was ever counted has none. */
  revisions: Map<string, Revisions>;
}

/**
 * One autocommit statement for a whole batch of requests: its snapshot is younger than each of them. It answers in one
 * text, a line for each slot of each app: read as rows of columns the driver took longer over them than the database, which
 * in turn took a sixth longer when it added up the slots itself (sum(bigint) counts in numerics).
 */
export async function listStanding(db: Queryable, apps: readonly Buffer[]): Promise<Standing> {
  const rows = await db.query<PlaneStateRow & { lines: string | null }>(sql`
    select ${PLANE_STATE}, counted.lines
    from plane_state p cross join (
      select string_agg(concat_ws(' ', app_id, access, grants, servers, publications, roadmap, workflows, activity, faults), E'\n')
        as lines
      from revisions where app_id = any(${uuidArray(apps)}::uuid[])) counted`);
  const revisions = new Map<string, Revisions>();
  for (const line of rows[0]?.lines?.split('\n') ?? []) {
    const { appId, counted } = readLine(line);
    const other = revisions.get(appId);
    revisions.set(appId, other ? addRevisions(counted, other) : counted);
  }
  const [state] = rows;
  return {
    restoreEpoch: state?.restore_epoch ?? '',
    closedBecause: state ? state.closed_because : 'restored',
    atMs: state?.at_ms ?? Number.POSITIVE_INFINITY,
    leaseUntilMs: state?.lease_until_ms ?? Number.POSITIVE_INFINITY,
    revisions,
  };
}

interface PlaneStateRow {
  restore_epoch: string;
  closed_because: ClosedBecause | null;
  at_ms: number;
  lease_until_ms: number | null;
}

const PLANE_STATE = sql`p.restore_epoch, p.closed_because, (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms,
  (extract(epoch from p.lease_until) * 1000)::float8 as lease_until_ms`;

/** Whether jobs and deliveries stand still: the restore gate is closed, or the Console's lease has run out. */
export async function isPlaneClosed(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ is_closed: boolean }>(sql`
    select closed_because is not null or coalesce(lease_until <= clock_timestamp(), false) as is_closed from plane_state`);
  return rows[0]?.is_closed ?? true;
}

/** Seconds since the Console extended its lease; undefined until a Console has announced a lease. */
export async function findLeaseAge(db: Queryable): Promise<number | undefined> {
  const rows = await db.query<{ seconds: number | null }>(
    sql`select extract(epoch from clock_timestamp() - lease_at)::float8 as seconds from plane_state`,
  );
  return rows[0]?.seconds ?? undefined;
}

/** Why the restore gate of this plane is closed; null while it is open. */
export async function findPlaneGate(db: Queryable): Promise<ClosedBecause | null> {
  const rows = await db.query<{ closed_because: ClosedBecause | null }>(sql`select closed_because from plane_state`);
  return rows[0] ? rows[0].closed_because : 'restored';
}

// Most lines are as they were for the batch before: to read one again took ten times as long as to find it.
const readLine = memo((line) => {
  const [appId = '', ...counts] = line.split(' ');
  return { appId, counted: toRevisions(counts) };
}, 20_000);

// In the order of COUNTS, and of the statement. Each field by its name: a loop took five times as long, for every request.
function toRevisions([
  access,
  grants,
  servers,
  publications,
  roadmap,
  workflows,
  activity,
  faults,
]: string[]): Revisions {
  return {
    access: Number(access),
    grants: Number(grants),
    servers: Number(servers),
    publications: Number(publications),
    roadmap: Number(roadmap),
    workflows: Number(workflows),
    activity: Number(activity),
    faults: Number(faults),
  };
}

function addRevisions(one: Revisions, other: Revisions): Revisions {
  const sum: Record<keyof Revisions, number> = { ...one };
  for (const count of COUNTS) sum[count] += other[count];
  return sum;
}

export interface KeyFactsRow {
  kid: string;
  app_id: string;
  key_id: string;
  verifier: Buffer;
  pepper_version: number;
  scopes: string[];
  expires_at: Date;
  state: 'active' | 'revoked';
  expires_at_ms: number;
  ends_at_ms: number | null;
  standing: AppStanding;
  /** From where it may be used; null for anywhere. */
  allowed_cidrs: string[] | null;
  /** The count at which all this is so; null where nothing was counted yet. */
  access: number | null;
}

export function listKeyFacts(db: Queryable, kids: readonly string[]): Promise<KeyFactsRow[]> {
  return db.query(sql`
    select k.kid, k.app_id, k.key_id, k.verifier, k.pepper_version, ${KEY_SCOPES} as scopes, k.expires_at,
      k.state, k.allowed_cidrs::text[] as allowed_cidrs,
      (extract(epoch from k.expires_at) * 1000)::float8 as expires_at_ms,
      (extract(epoch from k.ends_at) * 1000)::float8 as ends_at_ms, a.standing,
      (select sum(access)::bigint from revisions where app_id = k.app_id) as access
    from keys k join apps a using (app_id)
    where k.kid = any(${textArray(kids)}::text[])`);
}

const REVISION: Record<Collection, Sql> = {
  grants: sql`grants`,
  servers: sql`grants + servers`,
  publications: sql`grants + publications`,
  roadmap: sql`grants + roadmap`,
  workflows: sql`grants + workflows`,
  activity: sql`grants + activity`,
  faults: sql`faults`,
};

/**
 * Rows, and the revision of the collection that they show, in one statement; the revision also where there is no row.
 * `order` is that of the rows, once more: a join promises none.
 */
export async function readRevised<Row>(
  tenant: Tenant,
  collection: Collection,
  rows: Sql,
  order: Sql = sql``,
): Promise<{ revision: number; rows: Row[] }> {
  const found = await tenant.query<{ revision: number; is_row: true | null } & Row>(sql`
    select r.revision, page.*
    from (select coalesce(sum(${REVISION[collection]}), 0)::bigint as revision
      from revisions where app_id = ${tenant.appId}) r
    left join (select true as is_row, shown.* from (${rows}) shown) page on true
    ${order}`);
  return { revision: found[0]?.revision ?? 0, rows: found.filter((row) => row.is_row) };
}

export interface AppRow {
  app_id: string;
  name: string;
  standing: AppStanding;
}

/** Of apps: one whose grace is over is erased, and already not there. */
export const IS_KEPT: Sql = sql`(erase_at is null or erase_at > clock_timestamp())`;

export async function findApp(tx: Queryable, organisationId: string, appId: string): Promise<AppRow | undefined> {
  const rows = await tx.query<AppRow>(sql`select app_id, name, standing from apps
    where organisation_id = ${organisationId} and app_id = ${appId} and ${IS_KEPT}`);
  return rows[0];
}
