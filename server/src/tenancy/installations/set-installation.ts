import { managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { changeInstallation } from './change-installation.ts';
import { detailOf, giveReason } from './give-reason.ts';
import { exampleInstallation, Installation, NewGrantState, serverParams, toInstallation } from './installation.ts';
import { restrictServer } from './restrict.ts';
import { lockInstallationRow } from './store.ts';

export const setInstallation = operation({
  id: 'setInstallation',
  method: 'PUT',
  path: '/organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation',
  tag: 'Installations',
  summary: 'Authorise, pause or revoke an installation',
  description:
    'In the sandbox it plays the server’s owner. In production it changes what your organisation withholds: what is in force is the strictest of what the upstream API states, the cap on servers and your organisation’s restriction. There `authorised` lifts the restriction and grants no more than the upstream API allows; after a revoked restriction it makes a new grant. In the sandbox, authorising a server where the app is not installed, or where it was revoked, makes a new installation with all six scopes; pausing and revoking are in force for calls and deliveries when this is answered. Emits `installation.paused`, `installation.resumed` or, for a new or revoked installation, `installation.scope_changed`.',
  access: managesApp('installations.change'),
  params: serverParams,
  body: NewGrantState,
  examples: { pause: { state: 'paused', reason: 'The team is away until Monday.' } },
  replies: {
    200: {
      description: 'The server and what it now allows.',
      schema: Installation,
      examples: { anInstallation: exampleInstallation },
    },
  },
  problems: ['conflict'],
  async run(context, { ids: { serverId }, params, body }) {
    const { plane, tenant, audit } = context;
    giveReason(tenant, body.reason);
    const row = await lockInstallationRow(tenant, serverId);
    if (!row) throw problem('not_found');
    const now =
      plane.environment === 'production'
        ? await restrictServer(context, row, null, body.state)
        : (await changeInstallation(context, row, body.state)).now;
    audit(`installation.${body.state}`, params.serverId, detailOf(body));
    return { status: 200, body: toInstallation(now) };
  },
});
