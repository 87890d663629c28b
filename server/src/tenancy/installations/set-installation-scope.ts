import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { setGrant } from './change-grants.ts';
import { ChangedInstallation, exampleChange, NewGrantState, scopeParams, toInstallation } from './installation.ts';
import { toAuditDetail } from './record-reason.ts';

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
  replies: ok('The server, its current grants, and the receipt.', ChangedInstallation, {
    anInstallation: exampleChange,
  }),
  problems: ['conflict'],
  async run(context, { ids, params, body }) {
    const now = await setGrant(context, ids.serverId, params.scope, body);
    const receiptId = context.receiptId();
    const detail = { scope: params.scope, ...toAuditDetail(body, receiptId) };
    context.audit(`installation_scope.${body.state}`, params.serverId, detail);
    return { status: 200, body: { ...toInstallation(now), receiptId } };
  },
});
