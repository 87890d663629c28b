// The SQL of notices.
import type { Queryable } from '../../kit/db.ts';
import { newUuid } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { DaysAhead, NoticeRow } from './notice.ts';

const COLUMNS = sql`organisation_id, notice_id, app_id, key_id, kind, days_ahead, app_name, key_name, kid, key_created_by,
  expires_at, found_at, created_at, read_at, read_by`;

/** What a notice says of the key that it is about. */
export interface NoticedKey {
  organisation_id: string;
  app_id: string;
  key_id: string;
  app_name: string;
  name: string;
  kid: string;
  created_by: string;
  expires_at: Date;
}

export type NewNotice = { kind: 'key_expires'; daysAhead: DaysAhead } | { kind: 'key_leaked'; foundAt: string | null };

/** Writes it unless it is there: each is told of once. */
export async function insertNotice(db: Queryable, key: NoticedKey, notice: NewNotice): Promise<void> {
  const daysAhead = notice.kind === 'key_expires' ? notice.daysAhead : null;
  const foundAt = notice.kind === 'key_leaked' ? notice.foundAt : null;
  await db.query(sql`
    insert into notices (organisation_id, notice_id, app_id, key_id, kind, days_ahead, app_name, key_name, kid,
      key_created_by, expires_at, found_at)
    values (${key.organisation_id}, ${newUuid()}, ${key.app_id}, ${key.key_id}, ${notice.kind}, ${daysAhead}::smallint,
      ${key.app_name}, ${key.name}, ${key.kid}, ${key.created_by}, ${key.expires_at}, ${foundAt})
    on conflict (app_id, key_id, kind, days_ahead) do nothing`);
}

export function listNoticeRows(
  tx: Queryable,
  organisationId: string,
  filter: { isUnread: boolean; after: string | undefined; limit: number },
): Promise<NoticeRow[]> {
  const beyond = filter.after === undefined ? sql`` : sql`and notice_id < ${filter.after}`;
  const unread = filter.isUnread ? sql`and read_at is null` : sql``;
  return tx.query(sql`select ${COLUMNS} from notices where organisation_id = ${organisationId} ${beyond} ${unread}
    order by notice_id desc limit ${filter.limit}`);
}

/** The notice as it is now; undefined when there is none. Whoever read it first stays named. */
export async function markRead(
  tx: Queryable,
  organisationId: string,
  noticeId: string,
  actor: string,
): Promise<NoticeRow | undefined> {
  const rows = await tx.query<NoticeRow>(sql`
    update notices set read_at = coalesce(read_at, clock_timestamp()), read_by = coalesce(read_by, ${actor})
    where organisation_id = ${organisationId} and notice_id = ${noticeId} returning ${COLUMNS}`);
  return rows[0];
}

export async function markTaken(tx: Queryable, noticeIds: readonly string[]): Promise<void> {
  await tx.query(sql`update notices set taken_at = clock_timestamp()
    where notice_id = any(${noticeIds}::uuid[]) and taken_at is null`);
}

/** Oldest first. */
export function listUntaken(tx: Queryable, limit: number): Promise<NoticeRow[]> {
  return tx.query(sql`select ${COLUMNS} from notices where taken_at is null order by notice_id limit ${limit}`);
}
