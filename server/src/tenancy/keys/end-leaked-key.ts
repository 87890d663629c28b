// Ends a key that somebody has shown: the same as a revoke by a member, and the organisation is told.

import { inApp, type KnownKey, type Plane } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { networkOf } from '../../kit/outbound/addresses.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { cancelDeliveries } from '../../webhooks/webhooks/index.ts';
import { toKey } from './key.ts';
import type { LeakedKey } from './leaked-key.ts';
import { holdKeyRow, revokeKeyRow } from './store.ts';

const REPORTER = 'leak report';

export interface Leak {
  reportedBy: 'holder' | 'github';
  foundAt: string | null;
}

/** The request that reported it. The audit log is kept for good: of a stranger it keeps the network, and no single machine. */
export interface Report {
  requestId: string;
  clientAddress: string;
}

/** A key that is over stays as it is. When this resolves, nothing that goes through the key begins any more. */
export async function endLeakedKey(
  plane: Plane,
  { appId, keyId, kid }: KnownKey,
  leak: Leak,
  report: Report,
): Promise<LeakedKey> {
  const by = {
    actor: { kind: 'machine', id: null, name: REPORTER },
    requestId: report.requestId,
    clientAddress: networkOf(report.clientAddress, 24, 48),
  } as const;
  const state = await inApp(plane, appId, by, async ({ organisationId, app, tenant, audit, cancelInFlight }) => {
    const row = await holdKeyRow(tenant, keyId);
    const before = row && toKey(row).state;
    if (before === 'expired') return before;
    // Also when another report was first: it may still be waiting for a worker.
    cancelInFlight({ keyId, serverId: null });
    if (!row || before !== 'active') return 'revoked';
    await revokeKeyRow(tenant, keyId, REPORTER);
    cancelDeliveries(tenant, { keyId, serverId: null }, 'key_revoked');
    audit('key.revoke', toId('key', keyId), { kid, reason: 'leaked', ...leak });
    const noticed = { ...row, organisation_id: organisationId, app_id: appId, app_name: app.name };
    await insertNotice(tenant, noticed, { kind: 'key_leaked', foundAt: leak.foundAt });
    return 'revoked';
  });
  return { kid, state: state ?? 'revoked' };
}
