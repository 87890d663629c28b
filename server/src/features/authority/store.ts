// The SQL of authority: what a key, an app and an installation allow at this moment.
import type { Queryable, Transaction } from '../../kit/db.ts';
import { textArray } from '../../kit/pg-arrays.ts';
import { type Sql, sql } from '../../kit/sql.ts';

/**
 * A transaction in which row-level security lets one app's rows be seen: the only handle on data that an operation is
 * given. It comes from a proved caller and from nowhere else.
 */
export interface Tenant extends Queryable {
  readonly appId: string;
}

/** The same, in a transaction that may write. */
export interface TenantTransaction extends Tenant, Transaction {}

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

/** Of key k and its app a, as a KeyState. */
export const KEY_FACTS: Sql = sql`${KEY_STATE} as state, k.expires_at <= clock_timestamp() as "isExpired", a.standing as "appStanding"`;

/** What changes about a key, read for every request. */
export interface KeyStanding extends KeyState {
  kid: string;
  /** Of which key, and under which pepper: what is known of another is not known of this one. */
  keyId: string;
  pepperVersion: number;
  revisions: Record<Collection, number>;
}

/**
 * One autocommit statement for a whole batch of requests: its snapshot is younger than each of them. It answers in one
 * text, a line for each slot of each key: read as rows of columns the driver took longer over them than the database, which
 * in turn took a sixth longer when it added up the slots itself (sum(bigint) counts in numerics).
 */
export async function listKeyStanding(
  db: Queryable,
  kids: readonly string[],
): Promise<{ restoreEpoch: string; keys: Map<string, KeyStanding> }> {
  const rows = await db.query<{ restore_epoch: string; lines: string | null }>(sql`
    select (select restore_epoch from plane_state), string_agg(
      concat_ws(' ', k.kid, k.key_id, k.pepper_version, ${KEY_STATE}, (k.expires_at <= clock_timestamp())::int, a.standing,
        r.grants, r.servers, r.publications, r.roadmap, r.workflows, r.activity, r.faults), E'\n') as lines
    from keys k
    join apps a using (app_id)
    left join revisions r using (app_id)
    where k.kid = any(${textArray(kids)}::text[])`);
  const keys = new Map<string, KeyStanding>();
  for (const line of rows[0]?.lines?.split('\n') ?? []) {
    const slot = toKeyStanding(line);
    const key = keys.get(slot.kid);
    if (key) addRevisions(key.revisions, slot.revisions);
    else keys.set(slot.kid, slot);
  }
  return { restoreEpoch: rows[0]?.restore_epoch ?? '', keys };
}

// No field holds a space: the public half of a key, its id, numbers and states. An app without a revision has none of the last.
function toKeyStanding(line: string): KeyStanding {
  const fields = line.split(' ');
  const number = (at: number): number => Number(fields[at] ?? 0);
  return {
    kid: fields[0] ?? '',
    keyId: fields[1] ?? '',
    pepperVersion: number(2),
    state: fields[3] === 'active' ? 'active' : 'revoked',
    isExpired: fields[4] !== '0',
    appStanding: fields[5] === 'active' ? 'active' : 'suspended',
    revisions: {
      grants: number(6),
      servers: number(7),
      publications: number(8),
      roadmap: number(9),
      workflows: number(10),
      activity: number(11),
      faults: number(12),
    },
  };
}

function addRevisions(sum: Record<Collection, number>, slot: Record<Collection, number>): void {
  for (const collection of COLLECTIONS) sum[collection] += slot[collection];
}

export interface KeyFactsRow {
  kid: string;
  app_id: string;
  key_id: string;
  verifier: Buffer;
  pepper_version: number;
  scopes: string[];
  expires_at: Date;
}

export function listKeyFacts(db: Queryable, kids: readonly string[]): Promise<KeyFactsRow[]> {
  return db.query(sql`select kid, app_id, key_id, verifier, pepper_version, scopes, expires_at
    from keys where kid = any(${textArray(kids)}::text[])`);
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

/**
 * Holds what gives access until the transaction ends: whatever would end it (a trigger of the database sees to that) waits,
 * or has been waited for. What they allow is read after it, in a statement of its own, whose snapshot is younger.
 */
export function holdAccess(tenant: TenantTransaction, ids: { keyId: string; serverId: string }): void {
  const held = [tenant.appId, ids.keyId, ids.serverId]; // always in this order: two transactions never wait for each other
  tenant.send(sql`select pg_advisory_xact_lock_shared(access_lock(${tenant.appId}, id))
    from unnest(${held}::uuid[]) with ordinality as held (id, at) order by at`);
}

/** From here on the app's mutations wait, until the transaction ends: one lock in place of one for each server. */
export async function holdApp(tenant: Tenant): Promise<void> {
  await tenant.query(sql`select hold_app(${tenant.appId})`);
}

/**
 * For what works beside requests: whether the app is active, and if so it stays that until the transaction ends. It waits for
 * nobody, so a job that is told no comes again.
 */
export async function holdActiveApp(tenant: Tenant): Promise<boolean> {
  const [held, active] = await Promise.all([
    tenant.query<{ ok: boolean }>(sql`
      select pg_try_advisory_xact_lock_shared(access_lock(${tenant.appId}, ${tenant.appId})) as ok`),
    tenant.query(sql`select from apps where app_id = ${tenant.appId} and standing = 'active'`),
  ]);
  return held[0]?.ok === true && active.length === 1;
}

export interface AppRow {
  app_id: string;
  name: string;
  standing: AppStanding;
}

/** Until the transaction ends. */
export const tenantSetting = (appId: string): Sql => sql`select set_config('slipway.app_id', ${appId}, true)`;

export function openTenant(tx: Transaction, appId: string): TenantTransaction {
  tx.send(tenantSetting(appId));
  return { appId, query: tx.query, send: tx.send, sendLast: tx.sendLast };
}

export function setOrganisation(tx: Transaction, organisationId: string): void {
  tx.send(sql`select set_config('slipway.organisation_id', ${organisationId}, true)`);
}

/** Who asks for a change, and by which request: the history of grants tells it. */
export interface Changer {
  actor: string;
  requestUuid: string;
}

export function setChanger(tx: Transaction, { actor, requestUuid }: Changer): void {
  tx.send(
    sql`select set_config('slipway.actor', ${actor}, true), set_config('slipway.request_id', ${requestUuid}, true)`,
  );
}

/** Of apps: one whose grace is over is erased, and already not there. */
export const IS_KEPT: Sql = sql`(erase_at is null or erase_at > clock_timestamp())`;

export async function findApp(tx: Queryable, organisationId: string, appId: string): Promise<AppRow | undefined> {
  const rows = await tx.query<AppRow>(sql`select app_id, name, standing from apps
    where organisation_id = ${organisationId} and app_id = ${appId} and ${IS_KEPT}`);
  return rows[0];
}
