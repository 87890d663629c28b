// The SQL of notices that were mailed, in the Console's database.
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Returns false if the notice was taken before. */
export async function insertTaken(tx: Queryable, environment: string, noticeId: string): Promise<boolean> {
  const rows = await tx.query(sql`insert into taken_notices (environment, notice_id)
    values (${environment}, ${noticeId}) on conflict do nothing returning notice_id`);
  return rows.length === 1;
}

/**
 * Returns the addresses of the organisation's owners and admins, and of the member with this address. Former members
 * get no mail.
 */
export async function listRecipients(tx: Queryable, organisationId: string, createdBy: string): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(sql`
    select u.email from members m join "user" u on u.id = m.person_id
    where m.organisation_id = ${organisationId} and m.suspended_at is null
      and (m.role in ('owner', 'admin') or lower(u.email) = lower(${createdBy}))
    order by u.email`);
  return rows.map(({ email }) => email);
}

/**
 * Deletes old rows, after a longer time than a plane keeps a notice, so that a repeated notice is always recognised.
 */
export async function deleteOldTaken(db: Queryable, limit = 1_000): Promise<void> {
  const where = sql`taken_at < statement_timestamp() - interval '180 days'`;
  await deleteSome(db, { from: sql`taken_notices`, where, by: sql`taken_at`, limit });
}
