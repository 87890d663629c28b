// Signs receipts of revocations whose process ended before it signed them.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { createReceiptSigner, type ReceiptIssuerOptions, signReceipt } from './receipt-issuer.ts';
import { listInterruptedReceipts } from './store.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
/**
 * Seconds. No transaction and no wait for workers takes longer than a minute, and no claim from before a commit lives
 * longer than another one.
 */
const INTERRUPTED_AFTER_S = 300;

export function startSigningInterrupted(
  worker: Database,
  options: ReceiptIssuerOptions,
  onError: (error: unknown) => void,
): Loop {
  return startLoop(() => signInterruptedReceipts(worker, options), EVERY_MS, onError);
}

export async function signInterruptedReceipts(worker: Database, options: ReceiptIssuerOptions): Promise<void> {
  const rows = await listInterruptedReceipts(worker, INTERRUPTED_AFTER_S, BATCH);
  if (rows.length === 0) return;
  const signer = createReceiptSigner(options);
  for (const row of rows) {
    const { organisation_id, receipt_id, app_id, request_id, keys, grants } = row;
    const ids = { organisationId: organisation_id, receiptId: receipt_id, appId: app_id, requestId: request_id };
    await signReceipt(worker, { ...ids, keys, grants }, row, signer);
  }
}
