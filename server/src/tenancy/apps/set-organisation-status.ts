import {
  allowConsoleForOrganisation,
  isStricter,
  lockOrganisation,
  organisationParams,
  type PlaneWork,
  withTenant,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { holdDeliveriesOfApp, releaseDeliveriesOfApp } from '../../webhooks/webhooks/index.ts';
import {
  EnvironmentStatus,
  exampleEnvironmentStatus,
  exampleStatusUpdate,
  OrganisationStatusUpdate,
  toEnvironmentStatus,
} from './organisation-status.ts';
import { eraseAuditLog, lockApps, updateAppStates, updateOrganisation } from './organisation-status-store.ts';

export const setOrganisationStatus = operation({
  id: 'setOrganisationStatus',
  route: 'PUT /organisations/{organisationId}/standing',
  tag: 'Apps',
  summary: 'Set the status of an organisation',
  description:
    'Used by the Console’s server. After the response, all apps of the organisation, including apps registered later, have the access that the status allows. `suspended` and `deleting` stop all apps immediately. `erasing` erases them permanently. The operation is idempotent: a repetition waits for the same effects and returns the number of apps that are not erased yet.',
  access: allowConsoleForOrganisation(),
  params: organisationParams,
  body: OrganisationStatusUpdate,
  examples: { aSuspension: exampleStatusUpdate },
  replies: ok('The status in force.', EnvironmentStatus, { aSuspension: exampleEnvironmentStatus }),
  problems: ['conflict'],
  async run(context, { body }) {
    const { tx, organisationId, audit } = context;
    const stored = await lockOrganisation(tx, organisationId);
    const appIds = await lockApps(tx, organisationId);
    // After a Console was restored, one version can have two statuses: the stricter status stays (docs/decisions/0068).
    const isLooser = body.version === stored.version && isStricter(stored.status, body.standing);
    if (body.version < stored.version || isLooser)
      return { status: 200, body: toEnvironmentStatus(stored, appIds.length) };
    if (stored.status === 'erasing' && body.standing !== 'erasing') {
      throw problem('conflict', { detail: 'The organisation is being erased.' });
    }
    await updateOrganisation(tx, organisationId, body);
    await updateAppStates(tx, organisationId, body.standing);
    const isNews = body.standing !== stored.status;
    if (isNews || body.standing !== 'active')
      await holdOrReleaseDeliveries(context, appIds, body.standing === 'active');
    if (body.standing === 'erasing' && appIds.length === 0) await eraseAuditLog(tx, organisationId);
    else if (isNews) audit(`organisation.${body.standing}`, toId('org', organisationId));
    return { status: 200, body: toEnvironmentStatus({ version: body.version, status: body.standing }, appIds.length) };
  },
});

export async function holdOrReleaseDeliveries(
  work: PlaneWork,
  appIds: readonly string[],
  isActive: boolean,
): Promise<void> {
  for (const appId of appIds) {
    const { tenant, cancelInFlight } = withTenant(work, appId);
    if (isActive) await releaseDeliveriesOfApp(tenant);
    else {
      await holdDeliveriesOfApp(tenant);
      cancelInFlight({ keyId: null, serverId: null });
    }
  }
  if (isActive) work.wakeWorkers();
}
