// Why a change is made: told to the history that its transaction writes, and to the audit log.

import type { TenantTransaction } from '../../access/authority/index.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { setReason } from './change-store.ts';
import { isPlainReason } from './installation-change.ts';

export function giveReason(tenant: TenantTransaction, reason: string | undefined): void {
  if (!isPlainReason(reason)) {
    throw problem('invalid_request', { errors: [{ pointer: '/reason', detail: 'must not hold the secret of a key' }] });
  }
  setReason(tenant, reason);
}

/** Of a change, for its audit entry. */
export const detailOf = ({ reason }: { reason?: string }): { reason?: string } =>
  reason === undefined ? {} : { reason };
