// The SQL of the mail of notices, in the Console's database.
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { SentKind } from '../../platform/notices/index.ts';
import type { MailText } from './message.ts';
import type { NoticeMailSettings } from './settings.ts';

/** Returns false if the notice was taken before. */
export async function insertTaken(tx: Queryable, environment: string, noticeId: string): Promise<boolean> {
  const rows = await tx.query(sql`insert into taken_notices (environment, notice_id)
    values (${environment}, ${noticeId}) on conflict do nothing returning notice_id`);
  return rows.length === 1;
}

interface MailedNotice {
  organisationId: string;
  environment: string;
  kind: SentKind;
  /** The kind and the object. Notices with the same cause are mailed together, at most once an hour. */
  cause: string;
  /** The address of the member who created the object, at that time. */
  createdBy: string;
  message: MailText;
}

/** The number of notices of one cause that a mail contains. Further ones are counted. */
const MOST_WAITING = 10;

/**
 * Adds the notice to the next mail of each member who receives it: the members who chose so, owners and admins, and the
 * creator of the object. Former and suspended members receive nothing. The update of the row of the cause decides when
 * the mail is due, so concurrent notices never cause two mails within an hour. Rows are locked in the order of persons.
 */
export async function addToMails(tx: Queryable, notice: MailedNotice): Promise<void> {
  const { organisationId, environment, kind, cause, createdBy, message } = notice;
  await tx.query(sql`
    insert into notice_mails as n (organisation_id, person_id, environment, cause, waiting, due_at)
    select organisation_id, person_id, ${environment}, ${cause}, ${JSON.stringify([message])}::jsonb,
      case timing when 'immediately' then clock_timestamp()
        else (date_trunc('day', clock_timestamp() at time zone 'utc' + interval '17 hours') + interval '7 hours')
          at time zone 'utc' end
    from (
      select m.organisation_id, m.person_id, coalesce(s.timing, case
          when m.role in ('owner', 'admin') or lower(u.email) = lower(${createdBy}) or exists (
            select from earlier_emails e where e.person_id = m.person_id and lower(e.email) = lower(${createdBy}))
          then 'immediately' else 'never' end) as timing
      from members m join "user" u on u.id = m.person_id
        left join notice_mail_settings s on s.organisation_id = m.organisation_id and s.person_id = m.person_id
      where m.organisation_id = ${organisationId} and m.suspended_at is null
        and not ${kind} = any(coalesce(s.muted_kinds, '{}'))) receivers
    where timing <> 'never' order by person_id
    on conflict (organisation_id, person_id, environment, cause) do update set
      waiting = case when jsonb_array_length(n.waiting) < ${MOST_WAITING}::int then n.waiting || excluded.waiting else n.waiting end,
      further = n.further + (jsonb_array_length(n.waiting) >= ${MOST_WAITING}::int)::int,
      due_at = coalesce(n.due_at, greatest(excluded.due_at, n.mailed_at + interval '1 hour'))`);
}

export interface DueMember {
  organisation_id: string;
  person_id: string;
}

/** Returns members with due mail, the longest waiting first. */
export function listDueMembers(db: Queryable, limit: number): Promise<DueMember[]> {
  return db.query(sql`select organisation_id, person_id from notice_mails where due_at <= clock_timestamp()
    group by organisation_id, person_id order by min(due_at) limit ${limit}`);
}

interface DueMailRow {
  environment: string;
  cause: string;
  waiting: MailText[];
  further: number;
  /** Null if the member is suspended. */
  recipient: string | null;
}

/** Locks and returns the member's due causes. Causes that another process is mailing are missing. */
export function lockDueMails(
  tx: Queryable,
  { organisation_id, person_id }: DueMember,
  limit: number,
): Promise<DueMailRow[]> {
  return tx.query(sql`select n.environment, n.cause, n.waiting, n.further,
      case when m.suspended_at is null then u.email end as recipient
    from notice_mails n
      join members m on m.organisation_id = n.organisation_id and m.person_id = n.person_id
      join "user" u on u.id = n.person_id
    where n.organisation_id = ${organisation_id} and n.person_id = ${person_id} and n.due_at <= clock_timestamp()
    order by n.due_at, n.cause limit ${limit} for update of n skip locked`);
}

/** Marks these causes as mailed now. The rows are locked. */
export async function markMailed(
  tx: Queryable,
  { organisation_id, person_id }: DueMember,
  rows: readonly DueMailRow[],
): Promise<void> {
  await tx.query(sql`update notice_mails n set waiting = '[]', further = 0, due_at = null, mailed_at = clock_timestamp()
    from unnest(${textArray(rows.map((row) => row.environment))}::text[],
      ${textArray(rows.map((row) => row.cause))}::text[]) as mailed (environment, cause)
    where n.organisation_id = ${organisation_id} and n.person_id = ${person_id}
      and n.environment = mailed.environment and n.cause = mailed.cause`);
}

/**
 * Deletes old rows. A notice is known as taken for longer than a plane keeps it, so that a repeated notice is always
 * recognised. The time of a mail counts for an hour.
 */
export async function deleteOldRows(db: Queryable, limit = 1_000): Promise<void> {
  await deleteSome(db, {
    from: sql`taken_notices`,
    where: sql`taken_at < statement_timestamp() - interval '180 days'`,
    by: sql`taken_at`,
    limit,
  });
  await deleteSome(db, {
    from: sql`notice_mails`,
    where: sql`due_at is null and mailed_at < statement_timestamp() - interval '1 hour'`,
    by: sql`mailed_at`,
    limit,
  });
}

interface SettingsRow {
  timing: NoticeMailSettings['timing'];
  muted_kinds: NoticeMailSettings['mutedKinds'];
}

export function findSettings(
  tx: Queryable,
  organisationId: string,
  personId: string,
): Promise<SettingsRow | undefined> {
  return tx.first(sql`select timing, muted_kinds from notice_mail_settings
    where organisation_id = ${organisationId} and person_id = ${personId}`);
}

/** Stores the settings. Waiting mails keep their time; with the timing 'never' they are dropped. */
export async function upsertSettings(
  tx: Queryable,
  organisationId: string,
  personId: string,
  { timing, mutedKinds }: NoticeMailSettings,
): Promise<void> {
  await tx.query(sql`insert into notice_mail_settings (organisation_id, person_id, timing, muted_kinds)
    values (${organisationId}, ${personId}, ${timing}, ${textArray(mutedKinds)}::text[])
    on conflict (organisation_id, person_id) do update set timing = excluded.timing, muted_kinds = excluded.muted_kinds`);
  if (timing !== 'never') return;
  await tx.query(sql`update notice_mails
    set waiting = '[]', further = 0, due_at = null, mailed_at = coalesce(mailed_at, clock_timestamp())
    where organisation_id = ${organisationId} and person_id = ${personId} and due_at is not null`);
}
