// The SQL of authority: what a key, an app and an installation allow now.
import { DatabaseUnavailable, type Queryable, type Transaction } from '../../kit/db/db.ts';
import type { ItemStatement } from '../../kit/db/item-statement-store.ts';
import { textArray, uuidArray } from '../../kit/db/pg-arrays.ts';
import { TIMELINE } from '../../kit/db/primary.ts';
import type { FinishableTransaction, SharedTransaction } from '../../kit/db/shared-transaction.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { memo } from '../../kit/flow/memo.ts';

/** An app's part of a transaction, which can be shared with other apps. Each statement receives the app. */
export interface TenantReader extends Pick<SharedTransaction, 'each'> {
  readonly appId: string;
  /** True if the transaction contains other mutations: no statement may wait for another transaction. */
  readonly isShared: boolean;
}

/** An app's part of a transaction, with write access. */
export interface TenantWriter extends TenantReader, SharedTransaction {
  /** Endpoints with a queued delivery that is due. The wake-up notification names them after the commit. */
  readonly queuedEndpoints: Set<string>;
  /**
   * Sends the statement like `sendEach`. Resolves after the end of the transaction: to the rows, or to undefined unless
   * the transaction is known to be committed. Only a mutation of /v1 has this function.
   */
  sendForOutcome?<Item extends object, Row>(
    statement: ItemStatement<Item, Row>,
    items: readonly Item[],
  ): Promise<Row[] | undefined>;
}

/** An app's part of the transaction of a mutation, which ends with its writes. */
export type MutationWriter = TenantWriter & FinishableTransaction;

/**
 * A transaction in which row-level security shows the rows of one app only. It is the only handle on data that an
 * operation receives, and only an authenticated caller leads to it.
 */
export interface Tenant extends Queryable, TenantReader {}

/** A Tenant in a transaction that may write. */
export interface TenantTransaction extends Tenant, Transaction, TenantWriter {}

const COLLECTIONS = ['grants', 'servers', 'publications', 'roadmap', 'workflows', 'activity', 'faults'] as const;
export type Collection = (typeof COLLECTIONS)[number];
export type GrantState = 'authorised' | 'paused' | 'revoked';

/** Returns the strictest of the states; `authorised` without any. */
export function strictest(...states: readonly (GrantState | undefined)[]): GrantState {
  if (states.includes('revoked')) return 'revoked';
  return states.includes('paused') ? 'paused' : 'authorised';
}

/**
 * Selects the current state of key k: a rotated key is revoked from its end on, although its row says active. Use this
 * expression instead of the column. Only `listKeyFacts` selects the column, because its rows are cached.
 */
export const KEY_STATE: Sql = keyStateAt(sql`clock_timestamp()`);

/** Selects the state of key k at a time. */
export function keyStateAt(at: Sql): Sql {
  return sql`case when k.ends_at <= ${at} then 'revoked' else k.state end`;
}

/**
 * The access of an app: none unless the app is active. Postgres keeps it in one column, which does not distinguish a
 * suspension by a member from a suspended organisation.
 */
export type AppStatus = 'active' | 'suspended' | 'deleting';

/** The facts that decide whether a key and its app are valid. */
export interface KeyState {
  state: 'active' | 'revoked';
  isExpired: boolean;
  appStatus: AppStatus;
}

/**
 * Selects the current scopes of key k: the scopes that it was created with, limited to those that its app a is approved
 * for now. Always use this expression instead of the column.
 */
export const KEY_SCOPES: Sql = sql`case when a.approved_scopes @> k.scopes then k.scopes
  else array(select unnest(k.scopes) intersect select unnest(a.approved_scopes)) end`;

/** Selects a KeyState of key k and its app a. */
export const KEY_STATE_COLUMNS: Sql = sql`${KEY_STATE} as state, k.expires_at <= clock_timestamp() as "isExpired", a.standing as "appStatus"`;

const COUNTS = ['access', ...COLLECTIONS] as const;

/**
 * Counts for an app how often each of its collections and the access of its keys have changed. A count never repeats.
 */
export type Revisions = Readonly<Record<(typeof COUNTS)[number], number>>;

/**
 * `restored` is set by `slipway-server restore`; `regressed` if a witness remembers an audit entry that the database
 * lacks.
 */
export type ClosureReason = 'restored' | 'regressed';

/** The facts that can change between two requests; they are read for each batch. */
export interface AuthorityState {
  restoreEpoch: string;
  /** The timeline of the server. */
  timeline: string;
  /** The restore epoch and the timeline. What was cached in another one is invalid, even if its count is equal. */
  cacheEpoch: string;
  /** The reason why the restore gate is closed; null while the gate is open. */
  closureReason: ClosureReason | null;
  /** The end of the Console's lease on the status of organisations; infinite until a Console has announced a lease. */
  leaseUntilMs: number;
  /** The time of the database's clock in milliseconds. No other clock decides about expiry. */
  atMs: number;
  /** By the id of the app. An app without counted changes is missing. */
  revisions: Map<string, Revisions>;
}

/**
 * Reads the status for a whole batch of requests in one autocommit statement, whose snapshot is newer than the start of
 * each request. The result is one text with a line for each slot of each app: reading rows of columns took the driver
 * longer than the query took the database. The database took a sixth longer to add up the slots itself, because
 * sum(bigint) counts in numerics.
 *
 * The pool has confirmed at most a second ago that the server is the primary (docs/decisions/0095).
 */
export async function readAuthorityState(db: Queryable, apps: readonly Buffer[]): Promise<AuthorityState> {
  const rows = await db.query<PlaneStateRow & { timeline: string | null; lines: string | null }>(sql`
    select ${PLANE_STATE}, ${TIMELINE} as timeline, counted.lines
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
  if (state?.timeline === null) throw new DatabaseUnavailable(new Error('a standby allows nothing'));
  const timeline = state?.timeline ?? '';
  return {
    restoreEpoch: state?.restore_epoch ?? '',
    timeline,
    cacheEpoch: `${state?.restore_epoch ?? ''} ${timeline}`,
    closureReason: state ? state.closed_because : 'restored',
    atMs: state?.at_ms ?? Number.POSITIVE_INFINITY,
    leaseUntilMs: state?.lease_until_ms ?? Number.POSITIVE_INFINITY,
    revisions,
  };
}

interface PlaneStateRow {
  restore_epoch: string;
  closed_because: ClosureReason | null;
  at_ms: number;
  lease_until_ms: number | null;
}

const PLANE_STATE = sql`p.restore_epoch, p.closed_because, (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms,
  (extract(epoch from p.lease_until) * 1000)::float8 as lease_until_ms`;

/** Returns true if jobs and deliveries are stopped: the restore gate is closed, or the Console's lease has run out. */
export async function isPlaneClosed(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ is_closed: boolean }>(sql`
    select closed_because is not null or coalesce(lease_until <= clock_timestamp(), false) as is_closed from plane_state`);
  return rows[0]?.is_closed ?? true;
}

/** Returns the seconds since the Console extended its lease; undefined until a Console has announced a lease. */
export async function findLeaseAge(db: Queryable): Promise<number | undefined> {
  const rows = await db.query<{ seconds: number | null }>(
    sql`select extract(epoch from clock_timestamp() - lease_at)::float8 as seconds from plane_state`,
  );
  return rows[0]?.seconds ?? undefined;
}

/** Returns the reason why the restore gate of this plane is closed; null while the gate is open. */
export async function findPlaneGate(db: Queryable): Promise<ClosureReason | null> {
  const rows = await db.query<{ closed_because: ClosureReason | null }>(sql`select closed_because from plane_state`);
  return rows[0] ? rows[0].closed_because : 'restored';
}

// Most lines equal those of the previous batch: parsing a line took ten times as long as finding it in this cache.
const readLine = memo((line) => {
  const [appId = '', ...counts] = line.split(' ');
  return { appId, counted: toRevisions(counts) };
}, 20_000);

// The order is that of COUNTS and of the statement. Each field is named: a loop took five times as long, and this runs
// for every request.
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
  app_status: AppStatus;
  /** Since when headers and bodies of requests are captured. Null if they are not. */
  captures_since_ms: number | null;
  /** The ranges of allowed client addresses; null for any address. */
  allowed_cidrs: string[] | null;
  /** The count at which these facts were read; null if nothing was counted yet. */
  access: number | null;
  timeline: string | null;
}

/**
 * Returns the facts of keys that are cached until the app's count of access changes moves. The end of a rotated key
 * moves no count, so `state` is the column, and `stateAt` compares `ends_at` with the time of each batch.
 */
export function listKeyFacts(db: Queryable, kids: readonly string[]): Promise<KeyFactsRow[]> {
  return db.query(sql`
    select k.kid, k.app_id, k.key_id, k.verifier, k.pepper_version, ${KEY_SCOPES} as scopes, k.expires_at,
      k.state, k.allowed_cidrs::text[] as allowed_cidrs,
      (extract(epoch from k.expires_at) * 1000)::float8 as expires_at_ms,
      (extract(epoch from k.ends_at) * 1000)::float8 as ends_at_ms, a.standing as app_status,
      (extract(epoch from a.captures_since) * 1000)::float8 as captures_since_ms,
      (select sum(access)::bigint from revisions where app_id = k.app_id) as access, ${TIMELINE} as timeline
    from keys k join apps a using (app_id)
    where k.kid = any(${textArray(kids)}::text[])`);
}

/**
 * The revision of a collection, which moves whenever one of its pages can change. A page about servers depends on the
 * grants too. `revisionOf` computes the same from the counts that the authority read.
 */
const REVISION: Record<Collection, Sql> = {
  grants: sql`grants`,
  servers: sql`grants + servers`,
  publications: sql`grants + publications`,
  roadmap: sql`grants + roadmap`,
  workflows: sql`grants + workflows`,
  activity: sql`grants + activity`,
  faults: sql`faults`,
};

/** Returns the revision of a collection at which the authority read the counts, as REVISION does in SQL. */
export const revisionOf = (counts: Revisions, collection: Collection): number =>
  collection === 'grants' || collection === 'faults' ? counts[collection] : counts.grants + counts[collection];

/**
 * Reads rows and the revision of their collection in one statement; the revision also if there are no rows. `order`
 * must repeat the order of the rows, because a join guarantees none.
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

export interface AppStatusRow {
  app_id: string;
  name: string;
  status: AppStatus;
}

/** Selects apps that are not erased: an app whose grace period is over counts as erased. */
export const IS_NOT_ERASED: Sql = sql`(erase_at is null or erase_at > clock_timestamp())`;

export function findApp(tx: Queryable, organisationId: string, appId: string): Promise<AppStatusRow | undefined> {
  return tx.first(sql`select app_id, name, standing as status from apps
    where organisation_id = ${organisationId} and app_id = ${appId} and ${IS_NOT_ERASED}`);
}
