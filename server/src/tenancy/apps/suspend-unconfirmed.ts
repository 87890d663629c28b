// Suspends an organisation whose status this plane could not confirm within the lease of the Console (docs/decisions/0068).

import { holdOrganisation, type Plane, planeWork } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { settleApps } from './set-organisation-standing.ts';
import { holdApps, suspendOrganisation, updateStandings } from './standing-store.ts';

const SLIPWAY = { kind: 'machine', id: null, name: 'Slipway' } as const;

/** The next status that the Console reports applies, stricter or not. */
export function suspendUnconfirmed(plane: Plane, organisationId: string): Promise<void> {
  return planeWork(plane, { organisationId, actor: SLIPWAY }, async (work) => {
    const { tx, audit } = work;
    const held = await holdOrganisation(tx, organisationId);
    const appIds = await holdApps(tx, organisationId);
    if (held.standing !== 'active') return;
    await suspendOrganisation(tx, organisationId);
    await updateStandings(tx, organisationId, 'suspended');
    await settleApps(work, appIds, false);
    audit('organisation.unconfirmed', toId('org', organisationId));
  });
}
