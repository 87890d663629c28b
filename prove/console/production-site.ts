// A second installation for the proof of the Console, with production: the upstream API reports the grants of an app's
// servers, and a member restricts a server and a scope.

import { SCOPES } from '../../server/src/access/authority/index.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { startProductionInstance } from '../../test/production-instance.ts';
import { readNote, signIn } from '../../test/visitor.ts';
import { NOTHING, type Site } from './data-sets.ts';

export async function startProductionSite(): Promise<Site & { remove(): Promise<void> }> {
  const production = await startProductionInstance();
  const { postgres, instance, settings, organisationId, appId, upstream } = production;
  const sandbox = {
    ...postgres.settings,
    SLIPWAY_SANDBOX_PEPPER: 'a pepper for proofs, of no other use at all',
    SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: 'a management key for proofs, of no other use',
  };
  const connections = {
    SLIPWAY_CONSOLE_DATABASE_URL: postgres.settings.SLIPWAY_CONSOLE_DATABASE_URL,
    SLIPWAY_CONSOLE_SECRET: 'a secret of the Console, for proofs alone',
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: sandbox.SLIPWAY_SANDBOX_MANAGEMENT_KEY,
    SLIPWAY_SANDBOX_MANAGEMENT_URL: `http://127.0.0.1:${instance.ports.management}`,
    SLIPWAY_PRODUCTION_API_URL: production.apiUrl,
    SLIPWAY_PRODUCTION_MANAGEMENT_KEY: settings.SLIPWAY_PRODUCTION_MANAGEMENT_KEY ?? '',
    SLIPWAY_PRODUCTION_MANAGEMENT_URL: `http://127.0.0.1:${settings.SLIPWAY_PRODUCTION_MANAGEMENT_PORT}`,
  };
  await Promise.all([
    instance.start(sandbox, ['api', '--environment', 'sandbox']).ready,
    instance.start(settings, ['api', '--environment', 'production']).ready,
  ]);
  await instance.start(connections, ['console']).ready;
  const { cookie } = await signIn(instance, readNote(instance).link);
  const uuid = fromId('org', organisationId);
  await postgres.query(
    `insert into organisations (organisation_id, name) values ('${uuid}', 'Harbour Tools')`,
    'slipway_console',
  );
  await postgres.query(
    `insert into members (organisation_id, person_id, role) select '${uuid}', id, 'owner' from "user"`,
    'slipway_console',
  );
  const expectOk = async (what: string, answer: Promise<{ status: number; body: unknown }>): Promise<void> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  };
  const order = { version: 1, name: 'Ticket bridge', scopes: SCOPES, maxServers: null, standing: 'active' };
  await expectOk('the approval', production.manage('PUT', '/live-access', order, 'itself'));
  const [first = '', second = ''] = upstream.serverIds;
  const scopes = SCOPES.map((scope) => ({ scope, state: scope === 'roadmap:read' ? 'paused' : 'authorised' }));
  for (const [serverId, serverName] of [
    [first, 'Harbour Lights'],
    [second, 'Northern Quays'],
  ] as const) {
    const statement = { version: 1, serverName, state: 'authorised', scopes };
    await expectOk('the statement', production.ingest('PUT', `/apps/${appId}/servers/${serverId}`, statement));
  }
  const restrict = (path: string, state: string) =>
    expectOk(path, production.manage('PUT', path, { state, reason: 'The team is away until Monday.' }));
  await restrict(`/servers/${first}/installation/scopes/tickets:create`, 'paused');
  await restrict(`/servers/${second}/installation`, 'revoked');
  const params = { full: NOTHING, quiet: NOTHING, fresh: NOTHING, bare: NOTHING, typed: NOTHING, hostile: NOTHING };
  return {
    consoleUrl: instance.consoleUrl,
    cookie,
    params: { ...params, production: { ...NOTHING, organisationId, appId } },
    ids: {},
    remove: production.remove,
  };
}
