// The SQL of organisation status, in the Console's database.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { OrganisationStatusRow, StatusReceiptRow } from './organisation-status.ts';

export function findOrganisationStatus(
  db: Queryable,
  organisationId: string,
): Promise<OrganisationStatusRow | undefined> {
  return db.first(sql`
    select organisation_id, name, delete_at, erasing_since, standing_version as version,
      suspended_at is not null as is_suspended, quotas
    from organisations where organisation_id = ${organisationId}`);
}

export function listReceipts(db: Queryable, organisationId: string): Promise<StatusReceiptRow[]> {
  return db.query(
    sql`select environment, version, apps from standing_receipts where organisation_id = ${organisationId}`,
  );
}

/** Sets the date of deletion. Idempotent: a second call does not move the date. */
export async function scheduleDeletion(tx: Queryable, organisationId: string, graceDays: number): Promise<void> {
  await tx.query(sql`update organisations set delete_at = clock_timestamp() + make_interval(days => ${graceDays}::int)
    where organisation_id = ${organisationId} and delete_at is null`);
}

/** Returns false if the erasure has begun. */
export async function cancelDeletion(tx: Queryable, organisationId: string): Promise<boolean> {
  const rows = await tx.query(sql`update organisations set delete_at = null
    where organisation_id = ${organisationId} and erasing_since is null returning organisation_id`);
  return rows.length === 1;
}

/** Begins the erasure of organisations whose grace period is over. From here on they cannot be restored. */
export async function beginErasing(db: Queryable): Promise<void> {
  await db.query(sql`update organisations set erasing_since = clock_timestamp()
    where delete_at <= clock_timestamp() and erasing_since is null`);
}

/**
 * Returns organisations with a version that some environment has not confirmed, and those that are being erased,
 * longest waiting first.
 */
export async function listUnconfirmedOrganisations(
  db: Queryable,
  environments: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organisation_id: string }>(sql`
    select organisation_id from organisations o
    where standing_version > 0 and (erasing_since is not null or exists (
      select from unnest(${environments}::text[]) as e (name) where not exists (
        select from standing_receipts r where r.organisation_id = o.organisation_id and r.environment = e.name
          and r.version = o.standing_version)))
    order by standing_tried_at nulls first limit ${limit}`);
  return rows.map((row) => row.organisation_id);
}

export async function recordReportAttempt(db: Queryable, organisationId: string): Promise<void> {
  await db.query(sql`update organisations set standing_tried_at = clock_timestamp()
    where organisation_id = ${organisationId}`);
}

/** Records a confirmation. A late response with an older version changes nothing. */
export async function upsertReceipt(db: Queryable, organisationId: string, receipt: StatusReceiptRow): Promise<void> {
  await db.query(sql`insert into standing_receipts as r (organisation_id, environment, version, apps)
    select organisation_id, ${receipt.environment}, ${receipt.version}::bigint, ${receipt.apps}::int
      from organisations where organisation_id = ${organisationId}
    on conflict (organisation_id, environment) do update
      set version = excluded.version, apps = excluded.apps, confirmed_at = clock_timestamp()
      where excluded.version >= r.version`);
}

/** Raises the version above an environment's version, for a Console that was restored from a backup. */
export async function raiseVersion(db: Queryable, organisationId: string, received: number): Promise<void> {
  await db.query(sql`update organisations set standing_version = ${received}::bigint + 1,
    standing_raised_at = clock_timestamp()
    where organisation_id = ${organisationId} and standing_version < ${received}::bigint`);
}

/**
 * Suspends an organisation of which an environment knows a stricter status. An operator who resumes the organisation
 * confirms that it is active.
 */
export async function adoptSuspension(tx: Queryable, organisationId: string, reason: string): Promise<void> {
  await tx.query(sql`update organisations set suspended_at = clock_timestamp(), suspended_reason = ${reason}
    where organisation_id = ${organisationId} and suspended_at is null`);
}

/** Deletes an organisation with its members, invitations and audit log. The head of the audit chain is kept. */
export async function eraseOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select erase_audit_chain(${organisationId})`);
  await tx.query(sql`delete from organisations where organisation_id = ${organisationId}`);
}
