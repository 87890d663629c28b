// The SQL of receipts and of the public keys that verify them.
import { organisationSetting, type UnsignedReceipt } from '../../access/authority/index.ts';
import type { SigningKey } from '../../kit/crypto/jws.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { nothing, type Sql, sql } from '../../kit/db/sql.ts';
import type { ReceiptRow, SignedReceiptRow } from './receipt.ts';

const COLUMNS = sql`receipt_id, app_id, request_id, keys, grants, created_at, signed_at`;

export function insertReceipt(receipt: UnsignedReceipt): Sql {
  const { receiptId, organisationId, appId, requestId, keys, grants } = receipt;
  return sql`insert into revocation_receipts (organisation_id, receipt_id, app_id, request_id, keys, grants)
    values (${organisationId}, ${receiptId}, ${appId}, ${requestId}, ${JSON.stringify(keys)}::jsonb,
      ${JSON.stringify(grants)}::jsonb)`;
}

/** Lists receipts of the organisation, newest first, optionally of one app. */
export function listReceiptRows(
  tx: Queryable,
  organisationId: string,
  appId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<ReceiptRow[]> {
  const ofApp = appId === undefined ? nothing : sql`and app_id = ${appId}`;
  const beyond = after === undefined ? nothing : sql`and receipt_id < ${after}`;
  return tx.query(sql`select ${COLUMNS} from revocation_receipts
    where organisation_id = ${organisationId} ${ofApp} ${beyond} order by receipt_id desc limit ${limit}`);
}

export function findReceiptRow(
  tx: Queryable,
  organisationId: string,
  receiptId: string,
): Promise<SignedReceiptRow | undefined> {
  return tx.first(sql`select ${COLUMNS}, jws from revocation_receipts
    where organisation_id = ${organisationId} and receipt_id = ${receiptId}`);
}

/** Reads when the receipt was stored, and the time of the database's clock. */
export async function findReceiptTimes(
  db: Database,
  { organisationId, receiptId }: UnsignedReceipt,
): Promise<{ created_at: Date; at: Date } | undefined> {
  const rows = await db.together<{ created_at: Date; at: Date }>([
    organisationSetting(organisationId),
    sql`select created_at, clock_timestamp() as at from revocation_receipts
      where organisation_id = ${organisationId} and receipt_id = ${receiptId}`,
  ]);
  return rows[0];
}

/** Stores the signature, unless the receipt is signed, together with the public key that verifies it. */
export async function storeSignature(
  db: Database,
  { organisationId, receiptId }: Pick<UnsignedReceipt, 'organisationId' | 'receiptId'>,
  jws: string,
  signedAt: Date,
  { keyId, publicKey }: SigningKey,
): Promise<void> {
  await db.together([
    organisationSetting(organisationId),
    sql`insert into receipt_keys (key_id, public_key) values (${keyId}, ${publicKey}) on conflict do nothing`,
    sql`update revocation_receipts set jws = ${jws}, signed_at = ${signedAt}
      where organisation_id = ${organisationId} and receipt_id = ${receiptId} and jws is null`,
  ]);
}

interface InterruptedReceiptRow extends ReceiptRow {
  organisation_id: string;
  at: Date;
}

/** Lists receipts that were not signed within so many seconds, oldest first. Run as slipway_worker. */
export function listInterruptedReceipts(
  worker: Queryable,
  afterS: number,
  limit: number,
): Promise<InterruptedReceiptRow[]> {
  return worker.query(sql`select organisation_id, ${COLUMNS}, clock_timestamp() as at from revocation_receipts
    where jws is null and created_at < clock_timestamp() - ${afterS} * interval '1 second'
    order by created_at limit ${limit}`);
}

/** Lists the public keys of all signed receipts, newest first. */
export async function listPublicKeys(db: Queryable): Promise<Buffer[]> {
  const rows = await db.query<{ public_key: Buffer }>(
    sql`select public_key from receipt_keys order by created_at desc, key_id limit 100`,
  );
  return rows.map((row) => row.public_key);
}
