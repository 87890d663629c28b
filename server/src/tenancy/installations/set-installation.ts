import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { setGrant } from './change-grants.ts';
import { ChangedInstallation, exampleChange, NewGrantState, serverParams, toInstallation } from './installation.ts';
import { toAuditDetail } from './record-reason.ts';

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
  replies: ok('The server, its current grants, and the receipt.', ChangedInstallation, {
    anInstallation: exampleChange,
  }),
  problems: ['conflict'],
  async run(context, { ids, params, body }) {
    const now = await setGrant(context, ids.serverId, null, body);
    const receiptId = context.receiptId();
    context.audit(`installation.${body.state}`, params.serverId, toAuditDetail(body, receiptId));
    return { status: 200, body: { ...toInstallation(now), receiptId } };
  },
});
