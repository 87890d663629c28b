import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { managesApp } from '../authority/index.ts';
import { updateScopes } from './bulk-store.ts';
import { detailOf, giveReason } from './give-reason.ts';
import {
  exampleInstallation,
  Installation,
  NewGrantState,
  planGrant,
  scopeParams,
  toInstallation,
} from './installation.ts';
import { settleDeliveries } from './settle-deliveries.ts';
import { findInstallationRow, insertScopes, lockInstallationRow } from './store.ts';

export const setInstallationScope = operation({
  id: 'setInstallationScope',
  method: 'PUT',
  path: '/organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation/scopes/{scope}',
  tag: 'Installations',
  summary: 'Authorise, pause or revoke one scope of an installation',
  description:
    'Plays the server’s owner for one scope; the others stay as they are. The installation itself must not be revoked.',
  access: managesApp('installations.change'),
  params: scopeParams,
  body: NewGrantState,
  examples: { revoke: { state: 'revoked' } },
  replies: {
    200: {
      description: 'The server and what it now allows.',
      schema: Installation,
      examples: { anInstallation: exampleInstallation },
    },
  },
  problems: ['conflict'],
  async run(context, { params, body }) {
    const { tenant, app, audit } = context;
    giveReason(tenant, body.reason);
    const serverId = fromId('srv', params.serverId) ?? '';
    const row = await lockInstallationRow(tenant, serverId);
    if (!row) throw problem('not_found');
    if (row.installation_id === null || row.state === 'revoked') {
      throw problem('conflict', { detail: 'The app is not installed on this server; authorise the server first.' });
    }
    const plan = planGrant(row.scopes.find((grant) => grant.scope === params.scope)?.state, body.state);
    if (plan === 'refuse') throw problem('conflict', { detail: `There is no grant that could be ${body.state}.` });
    const grant = { installationId: row.installation_id, scope: params.scope };
    // In one trip: from the first of them on the server's mutations wait.
    const [, , , changed] = await Promise.all([
      plan === 'make' && insertScopes(tenant, [grant]),
      plan === 'change' && updateScopes(tenant, [grant], body.state),
      plan !== 'keep' && params.scope === 'events:read' && settleDeliveries(context, [serverId], body.state),
      findInstallationRow(tenant, serverId),
    ]);
    audit(`installation_scope.${body.state}`, params.serverId, { scope: params.scope, ...detailOf(body) }, app.app_id);
    return { status: 200, body: toInstallation(changed ?? row) };
  },
});
