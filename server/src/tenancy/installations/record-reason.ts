// Records the reason of a change in the history of the transaction and in the audit log.

import type { TenantTransaction } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { setReason } from './change-store.ts';
import { isPlainReason } from './installation-change.ts';

export function recordReason(tenant: TenantTransaction, reason: string | undefined): void {
  if (!isPlainReason(reason)) {
    throw problem('invalid_request', {
      errors: [{ pointer: '/reason', detail: 'must not contain the secret of a key' }],
    });
  }
  setReason(tenant, reason);
}

/** Returns the reason and the receipt of a revocation as the detail of an audit entry. */
export const toAuditDetail = (
  { reason }: { reason?: string },
  receiptId: string | null,
): { reason?: string; receiptId?: string } => ({
  ...(reason !== undefined && { reason }),
  ...(receiptId !== null && { receiptId }),
});
