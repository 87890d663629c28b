// The SQL of standings, in the Console's database.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { ReceiptRow, StandingRow } from './standing.ts';

export async function findStanding(db: Queryable, organisationId: string): Promise<StandingRow | undefined> {
  const rows = await db.query<StandingRow>(sql`
    select organisation_id, name, delete_at, erasing_since, standing_version as version,
      suspended_at is not null as is_suspended, quotas
    from organisations where organisation_id = ${organisationId}`);
  return rows[0];
}

export function listReceipts(db: Queryable, organisationId: string): Promise<ReceiptRow[]> {
  return db.query(
    sql`select environment, version, apps from standing_receipts where organisation_id = ${organisationId}`,
  );
}

/** Again moves nothing. */
export async function dateDeletion(tx: Queryable, organisationId: string, graceDays: number): Promise<void> {
  await tx.query(sql`update organisations set delete_at = clock_timestamp() + make_interval(days => ${graceDays}::int)
    where organisation_id = ${organisationId} and delete_at is null`);
}

/** False once it is being erased. */
export async function cancelDeletion(tx: Queryable, organisationId: string): Promise<boolean> {
  const rows = await tx.query(sql`update organisations set delete_at = null
    where organisation_id = ${organisationId} and erasing_since is null returning organisation_id`);
  return rows.length === 1;
}

/** From here on those whose grace is over cannot be restored. */
export async function beginErasing(db: Queryable): Promise<void> {
  await db.query(sql`update organisations set erasing_since = clock_timestamp()
    where delete_at <= clock_timestamp() and erasing_since is null`);
}

/** Those of whose latest version an environment has not confirmed, and those that are being erased; who waits longest first. */
export async function listUnheard(db: Queryable, environments: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.query<{ organisation_id: string }>(sql`
    select organisation_id from organisations o
    where standing_version > 0 and (erasing_since is not null or exists (
      select from unnest(${environments}::text[]) as e (name) where not exists (
        select from standing_receipts r where r.organisation_id = o.organisation_id and r.environment = e.name
          and r.version = o.standing_version)))
    order by standing_tried_at nulls first limit ${limit}`);
  return rows.map((row) => row.organisation_id);
}

export async function noteTry(db: Queryable, organisationId: string): Promise<void> {
  await db.query(sql`update organisations set standing_tried_at = clock_timestamp()
    where organisation_id = ${organisationId}`);
}

/** An answer that was overtaken by a later one says nothing. */
export async function upsertReceipt(db: Queryable, organisationId: string, receipt: ReceiptRow): Promise<void> {
  await db.query(sql`insert into standing_receipts as r (organisation_id, environment, version, apps)
    select organisation_id, ${receipt.environment}, ${receipt.version}::bigint, ${receipt.apps}::int
      from organisations where organisation_id = ${organisationId}
    on conflict (organisation_id, environment) do update
      set version = excluded.version, apps = excluded.apps, confirmed_at = clock_timestamp()
      where excluded.version >= r.version`);
}

/** A Console that was restored from a backup counts on from where the environments are. */
export async function raiseVersion(db: Queryable, organisationId: string, heard: number): Promise<void> {
  await db.query(sql`update organisations set standing_version = ${heard}::bigint + 1,
    standing_raised_at = clock_timestamp()
    where organisation_id = ${organisationId} and standing_version < ${heard}::bigint`);
}

/** Suspends what an environment knows a stricter status of. An operator who resumes the organisation confirms that it is active. */
export async function adoptSuspension(tx: Queryable, organisationId: string, reason: string): Promise<void> {
  await tx.query(sql`update organisations set suspended_at = clock_timestamp(), suspended_reason = ${reason}
    where organisation_id = ${organisationId} and suspended_at is null`);
}

/** With its members, invitations and its audit log, but for where that ended. */
export async function eraseOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select erase_audit_chain(${organisationId})`);
  await tx.query(sql`delete from organisations where organisation_id = ${organisationId}`);
}
