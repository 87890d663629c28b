// Revokes a leaked key, like a member's revocation, and notifies the organisation.

import { type PresentedKey, runInApp, type WorkPort } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { networkOf } from '../../kit/outbound/addresses.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { cancelDeliveriesOfKey } from '../../webhooks/webhooks/index.ts';
import { toKey } from './key.ts';
import type { LeakedKey } from './leaked-key.ts';
import { lockKeyRow, revokeKeyRow } from './store.ts';

const REPORTER = 'leak report';

/**
 * The request that reported the key. The audit log is permanent, so for an unauthenticated caller it contains the
 * network and not the address.
 */
export interface ReportingRequest {
  requestId: string;
  clientAddress: string;
}

/**
 * Revokes the key, unless it is already revoked or expired. When the promise resolves, no call, mutation or delivery
 * starts with the key.
 */
export async function revokeLeakedKey(
  plane: WorkPort,
  { appId, keyId, kid }: PresentedKey,
  leak: { reportedBy: 'holder' | 'github'; leakUrl: string | null },
  report: ReportingRequest,
): Promise<LeakedKey> {
  const author = {
    actor: { kind: 'machine', id: null, name: REPORTER },
    requestId: report.requestId,
    clientAddress: networkOf(report.clientAddress, 24, 48),
  } as const;
  const state = await runInApp(plane, appId, author, async (context) => {
    const { organisationId, app, tenant, audit, cancelInFlight, certify } = context;
    const row = await lockKeyRow(tenant, keyId);
    const before = row && toKey(row).state;
    if (before === 'expired') return before;
    // Cancels also if another report was first: its cancellation may still wait for a worker.
    cancelInFlight({ keyId, serverId: null });
    if (!row || before !== 'active') return 'revoked';
    await revokeKeyRow(tenant, keyId, REPORTER);
    const receiptId = certify({ keys: [{ keyId, kid }], cancelled: cancelDeliveriesOfKey(tenant, keyId) });
    // Entries of release 0.1.0 have the URL as `foundAt`.
    const detail = { kid, reason: 'leaked', reportedBy: leak.reportedBy, foundAt: leak.leakUrl, receiptId };
    audit('key.revoke', toId('key', keyId), detail);
    const noticed = { ...row, organisation_id: organisationId, app_id: appId, app_name: app.name };
    await insertNotice(tenant, noticed, { kind: 'key_leaked', leakUrl: leak.leakUrl });
    return 'revoked';
  });
  return { kid, state: state ?? 'revoked' };
}
