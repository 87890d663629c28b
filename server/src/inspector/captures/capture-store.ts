// The SQL that writes captures. Run as slipway_recorder.
import type { BodyState } from '../../access/authority/index.ts';
import { uuidBytes } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { uuidArray } from '../../kit/db/pg-arrays.ts';
import { arrayOfRows, RowWriter } from '../../kit/db/pg-rows.ts';
import { sql } from '../../kit/db/sql.ts';

interface NewKey {
  appId: string;
  keyId: string;
  hour: Date;
  sealedKey: Buffer;
  expiresAt: Date;
  /** When the app began to capture, as the request read it. */
  sinceMs: number;
}

/**
 * Returns the key of the app and hour, which may be the new one. Returns undefined if the app captures nothing, or has
 * begun again since the request.
 */
export async function addKey(db: Queryable, key: NewKey): Promise<{ key_id: string; sealed_key: Buffer } | undefined> {
  const rows = await db.query<{ key_id: string; sealed_key: Buffer }>(sql`
    select key_id, sealed_key
    from add_capture_key(${key.appId}, ${key.keyId}, ${key.hour}, ${key.sealedKey}, ${key.expiresAt}, ${key.sinceMs})`);
  return rows[0];
}

interface NewCaptureRow {
  appBytes: Buffer;
  requestUuid: Buffer;
  keyId: Buffer;
  requestBody: BodyState;
  responseBody: BodyState;
  contentId: Buffer | null;
  ciphertext: Buffer;
}

interface NewContentRow {
  appBytes: Buffer;
  keyId: Buffer;
  contentId: Buffer;
  ciphertext: Buffer;
}

export function encodeCapture(capture: NewCaptureRow): Buffer {
  const row = new RowWriter(7);
  row.uuid(capture.appBytes);
  row.uuid(capture.requestUuid);
  row.uuid(capture.keyId);
  row.text(capture.requestBody);
  row.text(capture.responseBody);
  row.bytes(capture.contentId);
  row.bytes(capture.ciphertext);
  return row.end();
}

export function encodeContent(content: NewContentRow): Buffer {
  const row = new RowWriter(4);
  row.uuid(content.appBytes);
  row.uuid(content.keyId);
  row.bytes(content.contentId);
  row.bytes(content.ciphertext);
  return row.end();
}

/**
 * Stores captures and contents whose key still exists, and returns the keys that exist. The lock makes the end of an
 * app's captures wait for this statement; a later statement finds no key and stores nothing.
 */
export async function insertCaptures(
  db: Queryable,
  keyIds: readonly string[],
  captures: readonly Buffer[],
  contents: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await db.query<{ key_id: string }>(sql`
    with held as materialized (
      select key_id from capture_keys where key_id = any(${uuidArray(keyIds.map(uuidBytes))}::uuid[])
        and sealed_key is not null order by key_id for share),
    stored_contents as (
      insert into capture_contents (app_id, key_id, content_id, ciphertext)
      select c.* from unnest(${arrayOfRows(contents)}::capture_content_v1[]) c join held using (key_id)
      on conflict do nothing),
    stored as (
      insert into captures (app_id, request_id, key_id, request_body, response_body, content_id, ciphertext)
      select c.* from unnest(${arrayOfRows(captures)}::capture_v1[]) c join held using (key_id)
      on conflict do nothing)
    select key_id from held`);
  return new Set(rows.map(({ key_id }) => key_id));
}

export interface CaptureGapRow {
  appId: string;
  /** The beginning of the minute, in milliseconds since the Unix epoch. */
  minuteMs: number;
  refused: number;
}

/** Adds gaps, sorted, so that two nodes cannot deadlock. */
export async function addCaptureGaps(db: Queryable, gaps: readonly CaptureGapRow[]): Promise<void> {
  await db.query(sql`
    insert into capture_gaps as g (app_id, minute, refused)
    select app_id, minute, refused
    from unnest(${gaps.map((gap) => gap.appId)}::uuid[], ${gaps.map((gap) => new Date(gap.minuteMs).toISOString())}::timestamptz[],
      ${gaps.map((gap) => gap.refused)}::bigint[]) as n (app_id, minute, refused)
    order by app_id, minute
    on conflict (app_id, minute) do update set refused = g.refused + excluded.refused`);
}
