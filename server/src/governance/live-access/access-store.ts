// The SQL of live access: the approvals of an app, and the version that production has confirmed.

import type { Scope } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { LiveAccessRow, LiveAccessStatus } from './live-access.ts';

const COLUMNS = sql`organisation_id, app_id, production_app_id, app_name, scopes, max_servers, standing as status, reason, version,
  confirmed_version`;

export function findLiveAccess(
  db: Queryable,
  organisationId: string,
  appId: string,
): Promise<LiveAccessRow | undefined> {
  return db.first(
    sql`select ${COLUMNS} from live_access where organisation_id = ${organisationId} and app_id = ${appId}`,
  );
}

/** Returns the live access of these apps of an organisation; an app without live access has no row. */
export function listLiveAccessOf(
  db: Queryable,
  organisationId: string,
  appIds: readonly string[],
): Promise<LiveAccessRow[]> {
  return db.query(sql`select ${COLUMNS} from live_access
    where organisation_id = ${organisationId} and app_id = any(${appIds}::uuid[])`);
}

export function listLiveAccessRows(
  db: Queryable,
  organisationId: string,
  of: { appId: string | undefined; productionAppId: string | undefined; after: string | undefined; limit: number },
): Promise<LiveAccessRow[]> {
  const { appId = null, productionAppId = null, after = null, limit } = of;
  return db.query(sql`select ${COLUMNS} from live_access where organisation_id = ${organisationId}
      and (${appId}::uuid is null or app_id = ${appId}) and (${after}::uuid is null or app_id < ${after})
      and (${productionAppId}::uuid is null or production_app_id = ${productionAppId})
    order by app_id desc limit ${limit}`);
}

/** Stores the current approval. The app's id in production is drawn once and never changes. */
export async function upsertLiveAccess(
  tx: Queryable,
  access: Pick<LiveAccessRow, 'organisation_id' | 'app_id' | 'app_name' | 'max_servers' | 'status'> & {
    scopes: readonly Scope[];
  },
): Promise<void> {
  await tx.query(sql`
    insert into live_access (organisation_id, app_id, production_app_id, app_name, scopes, max_servers, standing)
    values (${access.organisation_id}, ${access.app_id}, ${newUuid()}, ${access.app_name}, ${access.scopes}::text[],
      ${access.max_servers}, ${access.status})
    on conflict (organisation_id, app_id) do update set scopes = excluded.scopes, max_servers = excluded.max_servers,
      standing = excluded.standing, reason = case when excluded.standing = 'active' then null else live_access.reason end`);
}

export async function updateStatus(
  tx: Queryable,
  { organisation_id, app_id }: Pick<LiveAccessRow, 'organisation_id' | 'app_id'>,
  to: { status: LiveAccessStatus; scopes: readonly Scope[]; reason: string | null },
): Promise<void> {
  await tx.query(sql`update live_access
    set standing = ${to.status}, scopes = ${to.scopes}::text[], reason = ${to.reason}
    where organisation_id = ${organisation_id} and app_id = ${app_id}`);
}

/** Returns live access whose latest version production has not confirmed, longest waiting first. */
export function listUnconfirmed(
  db: Queryable,
  limit: number,
): Promise<Pick<LiveAccessRow, 'organisation_id' | 'app_id'>[]> {
  return db.query(sql`select organisation_id, app_id from live_access where confirmed_version < version
    order by tried_at nulls first limit ${limit}`);
}

/** Records the attempt and returns the row to report to production. */
export function recordReportAttempt(
  db: Queryable,
  organisationId: string,
  appId: string,
): Promise<LiveAccessRow | undefined> {
  return db.first(sql`update live_access set tried_at = clock_timestamp()
    where organisation_id = ${organisationId} and app_id = ${appId} returning ${COLUMNS}`);
}

/** Records the confirmed version. A late response with an older version changes nothing. */
export async function recordConfirmation(
  db: Queryable,
  { organisation_id, app_id }: LiveAccessRow,
  received: number,
): Promise<void> {
  await db.query(sql`update live_access set confirmed_version = greatest(confirmed_version, ${received}::bigint)
    where organisation_id = ${organisation_id} and app_id = ${app_id} and version >= ${received}::bigint`);
}

/** Raises the version above production's version, for a Console that was restored from a backup. */
export async function raiseVersion(
  db: Queryable,
  { organisation_id, app_id }: LiveAccessRow,
  received: number,
): Promise<void> {
  await db.query(sql`update live_access set version = ${received}::bigint + 1
    where organisation_id = ${organisation_id} and app_id = ${app_id} and version < ${received}::bigint`);
}
