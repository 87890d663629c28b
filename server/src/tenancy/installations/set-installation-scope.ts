import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { changeScope } from './change-scope.ts';
import { exampleInstallation, Installation, NewGrantState, scopeParams, toInstallation } from './installation.ts';
import { recordReason, toAuditDetail } from './record-reason.ts';
import { restrictServer } from './restrict-servers.ts';
import { lockInstallationRow } from './store.ts';

export const setInstallationScope = operation({
  id: 'setInstallationScope',
  route: 'PUT /organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation/scopes/{scope}',
  tag: 'Installations',
  summary: 'Authorise, pause or revoke one scope of an installation',
  description:
    'In the sandbox, acts as the owner of the server for one scope. The other scopes are unchanged, and the installation must not be revoked. In production, changes your organisation’s restriction of the scope, like `setInstallation` for the server. Emits `installation.scope_changed`.',
  access: allowAppManagement('installations.change'),
  params: scopeParams,
  body: NewGrantState,
  examples: { revoke: { state: 'revoked' } },
  replies: ok('The server and its current grants.', Installation, { anInstallation: exampleInstallation }),
  problems: ['conflict'],
  async run(context, { ids: { serverId }, params, body }) {
    const { plane, tenant, audit } = context;
    recordReason(tenant, body.reason);
    const row = await lockInstallationRow(tenant, serverId);
    if (!row) throw problem('not_found');
    const now =
      plane.environment === 'production'
        ? await restrictServer(context, row, params.scope, body.state)
        : (await changeScope(context, row, params.scope, body.state)).now;
    audit(`installation_scope.${body.state}`, params.serverId, { scope: params.scope, ...toAuditDetail(body) });
    return { status: 200, body: toInstallation(now) };
  },
});
