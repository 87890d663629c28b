import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { changeInstallation } from './change-installation.ts';
import { exampleInstallation, Installation, NewGrantState, serverParams, toInstallation } from './installation.ts';
import { recordReason, toAuditDetail } from './record-reason.ts';
import { restrictServer } from './restrict-servers.ts';
import { lockInstallationRow } from './store.ts';

export const setInstallation = operation({
  id: 'setInstallation',
  route: 'PUT /organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation',
  tag: 'Installations',
  summary: 'Authorise, pause or revoke an installation',
  description:
    'In the sandbox, acts as the owner of the server. Authorising a server without an installation, or with a revoked one, creates a new installation with all six scopes. In production, changes your organisation’s restriction: the effective state is the strictest of the upstream API’s statement, the cap on servers and the restriction. There, `authorised` lifts the restriction and grants no more than the upstream API allows; after a revoked restriction it creates a new grant. After the response, pauses and revocations apply to calls and deliveries. Emits `installation.paused`, `installation.resumed` or, for a new or revoked installation, `installation.scope_changed`.',
  access: allowAppManagement('installations.change'),
  params: serverParams,
  body: NewGrantState,
  examples: { pause: { state: 'paused', reason: 'The team is away until Monday.' } },
  replies: ok('The server and its current grants.', Installation, { anInstallation: exampleInstallation }),
  problems: ['conflict'],
  async run(context, { ids: { serverId }, params, body }) {
    const { plane, tenant, audit } = context;
    recordReason(tenant, body.reason);
    const row = await lockInstallationRow(tenant, serverId);
    if (!row) throw problem('not_found');
    const now =
      plane.environment === 'production'
        ? await restrictServer(context, row, null, body.state)
        : (await changeInstallation(context, row, body.state)).now;
    audit(`installation.${body.state}`, params.serverId, toAuditDetail(body));
    return { status: 200, body: toInstallation(now) };
  },
});
