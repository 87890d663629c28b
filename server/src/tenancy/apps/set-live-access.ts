import {
  allowConsoleForOrganisation,
  appParams,
  consoleActor,
  lockOrganisation,
  type TenantWork,
  withTenant,
} from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EVENT_SCOPE, RESOURCE_SCOPES } from '../../resources/events/index.ts';
import {
  cancelDeliveriesOfApp,
  cancelDeliveriesOfScopes,
  holdDeliveriesOfApp,
  releaseDeliveriesOfApp,
} from '../../webhooks/webhooks/index.ts';
import { admitWaitingServers, emitGrantEvents, lockWaitingServers } from '../installations/index.ts';
import { revokeKeysOfApp } from '../keys/index.ts';
import { insertApprovedApp, lockApprovedApp, updateApprovedApp } from './approved-app-store.ts';
import {
  type ApprovedAppRow,
  exampleLiveAccessUpdate,
  LiveAccessUpdate,
  LiveAccessUpdateReceipt,
} from './live-access-update.ts';

export const setLiveAccess = operation({
  id: 'setLiveAccess',
  route: 'PUT /organisations/{organisationId}/apps/{appId}/live-access',
  tag: 'Apps',
  summary: 'Set the live access of an app',
  description:
    'Used by the Console’s server, in production only. Creates the app if it does not exist; no other operation creates an app in production. After the response, calls that need a scope without approval are refused. If the app is suspended or revoked, all its calls are refused. Both limits also apply to writes of calls that began earlier and to deliveries. The operation is idempotent: a repetition waits for the same effects.',
  access: allowConsoleForOrganisation(),
  params: appParams,
  body: LiveAccessUpdate,
  examples: { anApproval: exampleLiveAccessUpdate },
  replies: ok('The version in force.', LiveAccessUpdateReceipt, { heard: { version: 2 } }),
  problems: ['conflict'],
  async run(context, { ids: { appId }, params, body }) {
    const { tx, organisationId, audit } = context;
    const { status } = await lockOrganisation(tx, organisationId);
    if (status === 'deleting' || status === 'erasing') {
      throw problem('conflict', { detail: 'The organisation is being deleted.' });
    }
    const inApp = withTenant(context, appId);
    const { tenant } = inApp;
    const isNew = await insertApprovedApp(tx, { appId, organisationId, name: body.name });
    await lockWaitingServers({ tenant });
    const before = await lockApprovedApp(tenant);
    if (!before) throw problem('conflict', { detail: 'The app belongs to another organisation.' });
    if (body.version < before.live_version) return { status: 200, body: { version: before.live_version } };
    await updateApprovedApp(tenant, body);
    await applyToKeysAndDeliveries(inApp, before, body);
    const { name: _name, ...approval } = body;
    if (isNew || body.version > before.live_version)
      audit(isNew ? 'app.create' : 'app.live_access', params.appId, approval);
    return { status: 200, body: { version: body.version } };
  },
});

/**
 * Applies the approval to keys, pending deliveries and in-flight attempts. Runs on every repeat, because the first call
 * may have failed.
 */
async function applyToKeysAndDeliveries(
  context: TenantWork,
  before: ApprovedAppRow,
  { standing: status, scopes }: LiveAccessUpdate,
): Promise<void> {
  const { tenant, organisationId, cancelInFlight, wakeWorkers } = context;
  await admitWaitingServers(context);
  if (status === 'revoked') await revokeKeysOfApp(tenant, consoleActor(organisationId).name);
  if (!scopes.includes(EVENT_SCOPE)) cancelDeliveriesOfApp(tenant, 'key_missing_scope');
  const notApproved = RESOURCE_SCOPES.filter((scope) => !scopes.includes(scope));
  if (notApproved.length > 0) cancelDeliveriesOfScopes(tenant, notApproved);
  if (status !== 'active') await holdDeliveriesOfApp(tenant);
  else if (before.live_status !== 'active') {
    await releaseDeliveriesOfApp(tenant);
    wakeWorkers();
  }
  // In-flight attempts are cancelled; attempts that are still allowed begin again.
  if (status !== 'active' || !scopes.includes(EVENT_SCOPE) || notApproved.length > 0) {
    cancelInFlight({ keyId: null, serverId: null });
  }
  await emitGrantEvents(context);
}
