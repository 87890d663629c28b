// The SQL of notices.

import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import {
  type DaysAhead,
  type DaysFailing,
  type DeprecationNotice,
  isAnnouncedKind,
  isMailed,
  type MailedKind,
  type NoticeRow,
} from './notice.ts';

const COLUMNS = sql`organisation_id, notice_id, app_id, key_id, kind, days_ahead, app_name, key_name, kid, key_created_by,
  expires_at, found_at, endpoint_id, endpoint_host, days_failing, disabled_reason, operation_id, request_id, page_origin,
  delivery_id, server_id, server_name, withheld_events, withheld_deliveries, deprecation, created_at, read_at, read_by`;

/**
 * The key of a notice: the key that expires or leaked, the key of its endpoint, or the key that called the upstream
 * API.
 */
export interface NoticedKey {
  organisation_id: string;
  app_id: string;
  key_id: string;
  app_name: string;
  name: string;
  kid: string;
  /** For an endpoint the member who added it, who gets the mail too. */
  created_by: string;
  expires_at: Date;
}

export interface NoticedEndpoint {
  endpointId: string;
  host: string;
}

type NewNotice =
  | { kind: 'key_expires'; daysAhead: DaysAhead }
  | { kind: 'key_leaked'; leakUrl: string | null }
  | { kind: 'endpoint_failing'; endpoint: NoticedEndpoint; daysFailing: DaysFailing }
  | { kind: 'endpoint_disabled'; endpoint: NoticedEndpoint; reason: string }
  | { kind: 'endpoint_keys_end' | 'endpoint_recovered'; endpoint: NoticedEndpoint }
  | { kind: 'delivery_exhausted'; endpoint: NoticedEndpoint; deliveryId: string }
  | { kind: 'installation_paused' | 'installation_revoked'; server: { id: string; name: string } }
  | { kind: 'platform_failing'; operationId: string; requestId: string }
  | { kind: 'key_in_browser'; pageOrigin: string | null; slot: number }
  | { kind: 'deprecation_announced'; deprecation: DeprecationNotice }
  | { kind: 'event_scopes'; events: number; deliveries: number };

/**
 * Writes the notice unless it exists. A notice about a key is written once. A notice about the upstream API is written
 * once a day for each app, and a notice about a page once a day for each key. A notice about the last
 * key of an endpoint is written once for each key. A notice about a failed delivery is written once an hour for each
 * endpoint, and a notice about an installation once an hour for each kind and server. A notice about a deprecation is written
 * once for each stage; the caller marks the stage in the same transaction. Another notice about an endpoint
 * is written for each occurrence; the caller changes the endpoint in the same transaction.
 */
export async function insertNotice(db: Queryable, key: NoticedKey, notice: NewNotice): Promise<void> {
  const endpoint = 'endpoint' in notice ? notice.endpoint : undefined;
  const server = 'server' in notice ? notice.server : undefined;
  const page = notice.kind === 'key_in_browser' ? notice : undefined;
  const withheld = notice.kind === 'event_scopes' ? notice : undefined;
  const upstream = notice.kind === 'platform_failing' ? notice : undefined;
  await db.query(sql`
    insert into notices (organisation_id, notice_id, app_id, key_id, kind, days_ahead, app_name, key_name, kid,
      key_created_by, expires_at, found_at, endpoint_id, endpoint_host, days_failing, disabled_reason, operation_id, request_id,
      page_origin, page_slot, delivery_id, server_id, server_name, withheld_events, withheld_deliveries, deprecation, is_mail_due, taken_at)
    values (${key.organisation_id}, ${newUuid()}, ${key.app_id}, ${key.key_id}, ${notice.kind},
      ${'daysAhead' in notice ? notice.daysAhead : null}::smallint, ${key.app_name}, ${key.name}, ${key.kid},
      ${key.created_by}, ${key.expires_at}, ${'leakUrl' in notice ? notice.leakUrl : null}, ${endpoint?.endpointId ?? null},
      ${endpoint?.host ?? null}, ${'daysFailing' in notice ? notice.daysFailing : null}::smallint,
      ${'reason' in notice ? notice.reason : null}, ${upstream?.operationId ?? null}, ${upstream?.requestId ?? null},
      ${page?.pageOrigin ?? null}, ${page?.slot ?? null}::smallint,
      ${'deliveryId' in notice ? notice.deliveryId : null}, ${server?.id ?? null}, ${server?.name ?? null}, ${withheld?.events ?? null}::int,
      ${withheld?.deliveries ?? null}::int, ${'deprecation' in notice ? JSON.stringify(notice.deprecation) : null}::jsonb,
      ${isAnnouncedKind(notice.kind)}::boolean,
      case when ${!isMailed(notice.kind) || isAnnouncedKind(notice.kind)}::boolean then clock_timestamp() end)
    on conflict do nothing`);
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

/** Marks the notice as read and returns it; undefined if it does not exist. The first reader stays recorded. */
export function markRead(
  tx: Queryable,
  organisationId: string,
  noticeId: string,
  actor: string,
): Promise<NoticeRow | undefined> {
  return tx.first(sql`
    update notices set read_at = coalesce(read_at, clock_timestamp()), read_by = coalesce(read_by, ${actor})
    where organisation_id = ${organisationId} and notice_id = ${noticeId} returning ${COLUMNS}`);
}

export async function markTaken(tx: Queryable, noticeIds: readonly string[]): Promise<void> {
  await tx.query(sql`update notices set taken_at = clock_timestamp(), is_mail_due = false
    where notice_id = any(${noticeIds}::uuid[]) and (taken_at is null or is_mail_due)`);
}

/** Returns notices that were not taken yet, oldest first. */
export function listPendingNotices(tx: Queryable, kinds: readonly MailedKind[], limit: number): Promise<NoticeRow[]> {
  return tx.query(sql`select ${COLUMNS} from notices
    where (taken_at is null or is_mail_due) and kind = any(${textArray(kinds)}::text[]) order by notice_id limit ${limit}`);
}
