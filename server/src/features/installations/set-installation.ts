import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { type AppContext, managesApp, SCOPES } from '../authority/index.ts';
import {
  exampleInstallation,
  Installation,
  NewGrantState,
  planGrant,
  serverParams,
  toInstallation,
} from './installation.ts';
import { settleDeliveries } from './settle-deliveries.ts';
import { findInstallationRow, insertInstallations, lockInstallationRow, updateInstallation } from './store.ts';

export const setInstallation = operation({
  id: 'setInstallation',
  method: 'PUT',
  path: '/organisations/{organisationId}/apps/{appId}/servers/{serverId}/installation',
  tag: 'Installations',
  summary: 'Authorise, pause or revoke an installation',
  description:
    'Plays the server’s owner. Authorising a server where the app is not installed, or where it was revoked, makes a new installation with all six scopes; pausing and revoking are in force for calls and deliveries when this is answered.',
  access: managesApp('installations.change'),
  params: serverParams,
  body: NewGrantState,
  examples: { pause: { state: 'paused' } },
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
    const serverId = fromId('srv', params.serverId) ?? '';
    const row = await lockInstallationRow(tenant, serverId);
    if (!row) throw problem('not_found');
    await apply(context, serverId, row, body.state);
    await audit(`installation.${body.state}`, params.serverId, {}, app.app_id);
    const changed = await findInstallationRow(tenant, serverId);
    return { status: 200, body: toInstallation(changed ?? row) };
  },
});

async function apply(
  context: AppContext,
  serverId: string,
  row: NonNullable<Awaited<ReturnType<typeof findInstallationRow>>>,
  wanted: 'authorised' | 'paused' | 'revoked',
): Promise<void> {
  const plan = planGrant(row.state ?? undefined, wanted);
  if (plan === 'refuse') throw problem('conflict', { detail: `There is no installation that could be ${wanted}.` });
  if (plan === 'make') await insertInstallations(context.tenant, [serverId], SCOPES);
  if (plan === 'change' && row.installation_id) await updateInstallation(context.tenant, row.installation_id, wanted);
  if (plan !== 'keep') await settleDeliveries(context, serverId, wanted);
}
