// Suspends an organisation whose status this plane could not confirm within the lease of the Console
// (docs/decisions/0068).

import { lockOrganisation, planeWork, type WorkPort } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { lockApps, suspendOrganisation, updateAppStates } from './organisation-status-store.ts';
import { holdOrReleaseDeliveries } from './set-organisation-status.ts';

const SLIPWAY_ACTOR = { kind: 'machine', id: null, name: 'Slipway' } as const;

/** Suspends the organisation. The next status that the Console reports then applies, stricter or not. */
export function suspendUnconfirmedOrganisation(plane: WorkPort, organisationId: string): Promise<void> {
  return planeWork(plane, { organisationId, actor: SLIPWAY_ACTOR }, async (work) => {
    const { tx, audit } = work;
    const organisation = await lockOrganisation(tx, organisationId);
    const appIds = await lockApps(tx, organisationId);
    if (organisation.status !== 'active') return;
    await suspendOrganisation(tx, organisationId);
    await updateAppStates(tx, organisationId, 'suspended');
    await holdOrReleaseDeliveries(work, appIds, false);
    audit('organisation.unconfirmed', toId('org', organisationId));
  });
}
