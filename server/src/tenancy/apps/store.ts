// The SQL of apps.

import { IS_NOT_ERASED, KEY_STATE, SCOPES, type Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { AppRow } from './app.ts';

const COLUMNS = sql`app_id, organisation_id, name, state, organisation_standing as organisation_status, live_standing as live_status,
  standing as status, erase_at, captures_since, created_by, created_at`;

export function listAppRows(tx: Queryable, organisationId: string, after: string | undefined, limit: number) {
  const beyond = after === undefined ? sql`` : sql`and app_id < ${after}`;
  return tx.query<AppRow>(sql`select ${COLUMNS} from apps where organisation_id = ${organisationId} and ${IS_NOT_ERASED} ${beyond}
    order by app_id desc limit ${limit}`);
}

export function findAppRow(tx: Queryable, organisationId: string, appId: string): Promise<AppRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from apps
    where organisation_id = ${organisationId} and app_id = ${appId} and ${IS_NOT_ERASED}`);
}

/**
 * Locks the app until the transaction ends and returns its row. A concurrent change waits and sees the result of this
 * one.
 */
export function lockAppRow(tenant: Tenant): Promise<AppRow | undefined> {
  return tenant.first(
    sql`select ${COLUMNS} from apps where app_id = ${tenant.appId} and ${IS_NOT_ERASED} for no key update`,
  );
}

/** Counts the organisation's apps. A deleted app counts until it is erased. The organisation's row must be locked. */
export async function countApps(tx: Queryable, organisationId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from apps where organisation_id = ${organisationId} and ${IS_NOT_ERASED}`,
  );
  return rows[0]?.count ?? 0;
}

export async function insertApp(
  tx: Queryable,
  app: { appId: string; organisationId: string; name: string; createdBy: string },
): Promise<AppRow> {
  const rows = await tx.query<AppRow>(sql`insert into apps (app_id, organisation_id, name, created_by, approved_scopes)
    values (${app.appId}, ${app.organisationId}, ${app.name}, ${app.createdBy}, ${SCOPES}::text[]) returning ${COLUMNS}`);
  return rows[0] as AppRow; // an insert without a conflict clause returns its row or throws
}

/** Updates the app and returns its new row. The row must be locked. */
async function updateApp(tenant: Tenant, change: Sql): Promise<AppRow> {
  const rows = await tenant.query<AppRow>(
    sql`update apps set ${change} where app_id = ${tenant.appId} returning ${COLUMNS}`,
  );
  return rows[0] as AppRow; // its row is held by this transaction
}

/**
 * Updates the name, and whether headers and bodies are captured; undefined changes nothing. A trigger destroys the keys
 * of the captures when they end.
 */
export const updateSettings = (
  tenant: Tenant,
  { name, capturesBodies }: { name?: string | undefined; capturesBodies?: boolean | undefined },
): Promise<AppRow> =>
  updateApp(
    tenant,
    sql`name = coalesce(${name ?? null}::text, name), captures_since = case ${capturesBodies ?? null}::boolean
      when true then coalesce(captures_since, clock_timestamp()) when false then null else captures_since end`,
  );

/** Updates the state. A trigger makes this statement and the app's mutations in progress wait for each other. */
export const updateState = (tenant: Tenant, state: AppRow['state']): Promise<AppRow> =>
  updateApp(tenant, sql`state = ${state}`);

/**
 * Sets the erasure date and the state `suspended`, because a restored app is suspended. Waits for mutations like
 * `updateState`.
 */
export const scheduleErasure = (tenant: Tenant, graceDays: number): Promise<AppRow> =>
  updateApp(tenant, sql`state = 'suspended', erase_at = clock_timestamp() + make_interval(days => ${graceDays}::int)`);

/**
 * Cancels the erasure. Returns undefined in the last minute before its date: the erasing job compares the date with the
 * clock and takes no lock, so this transaction must end before the date.
 */
export function cancelErasure(tenant: Tenant): Promise<AppRow | undefined> {
  return tenant.first(sql`update apps set erase_at = null
    where app_id = ${tenant.appId} and erase_at > clock_timestamp() + interval '1 minute' returning ${COLUMNS}`);
}

/** Counts the app's active keys and its workflow runs in progress. */
export async function countActiveKeysAndRuns(tenant: Tenant): Promise<{ keys: number; workflowRuns: number }> {
  const rows = await tenant.query<{ keys: number; workflowRuns: number }>(sql`
    select (select count(*) from keys k where k.app_id = ${tenant.appId} and ${KEY_STATE} = 'active'
        and k.expires_at > clock_timestamp())::int as keys,
      (select count(*) from workflow_runs where app_id = ${tenant.appId} and due_at is not null)::int as "workflowRuns"`);
  return rows[0] as { keys: number; workflowRuns: number }; // a select without a from gives one row
}
