// Receipts of revocations, signed and verifiable offline.
import { getReceiptKeys } from './get-receipt-keys.ts';
import { getRevocationReceipt } from './get-revocation-receipt.ts';
import { listRevocationReceipts } from './list-revocation-receipts.ts';

/** Operations of the management API. */
export const receiptOperations = [listRevocationReceipts, getRevocationReceipt];
/** Operations of the public API. */
export const receiptKeyOperations = [getReceiptKeys];
export { createReceiptIssuer, type ReceiptIssuerOptions } from './receipt-issuer.ts';
export { startSigningInterrupted } from './sign-interrupted-receipts.job.ts';
