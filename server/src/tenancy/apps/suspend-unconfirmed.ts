// Suspends an organisation whose status this plane could not confirm within the lease of the Console (docs/decisions/0068).

import { appendAuditEntry } from '../../access/audit/index.ts';
import { committed, holdOrganisation, type Plane, setOrganisation } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { settleApps } from './set-organisation-standing.ts';
import { holdApps, suspendOrganisation, updateStandings } from './standing-store.ts';

/** The next status that the Console reports applies, stricter or not. */
export function suspendUnconfirmed(plane: Plane, organisationId: string): Promise<void> {
  return committed(plane, plane.db.manager.transaction, async (tx, after) => {
    setOrganisation(tx, organisationId);
    const held = await holdOrganisation(tx, organisationId);
    const appIds = await holdApps(tx, organisationId);
    if (held.standing !== 'active') return;
    await suspendOrganisation(tx, organisationId);
    await updateStandings(tx, organisationId, 'suspended');
    await settleApps({ tx, ...after }, appIds, false);
    appendAuditEntry(tx, {
      organisationId,
      appId: null,
      actor: { kind: 'machine', id: null, name: 'Slipway' },
      action: 'organisation.unconfirmed',
      target: toId('org', organisationId),
      detail: {},
      requestId: null,
      clientAddress: null,
    });
  });
}
