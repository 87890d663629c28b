// The Console's paths for the control of production installations: the paths of the sandbox under /api/production.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { type Production, startProduction } from '../../../test/production.fixture.ts';
import { remoteLink } from '../../governance/environments/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

let production: Production;
let site: TestConsole;
beforeAll(async () => {
  production = await startProduction();
  const { managementKey } = production.options;
  const link = remoteLink('production', production.managementUrl);
  site = await startConsole('local', { production: { environment: 'production', link, managementKey } });
});
afterAll(async () => {
  await site.close();
  await production.close();
});

test('restricts installations under the production path, and rejects an unknown server', async () => {
  const { visitor } = await site.newPerson();
  const made = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  const organisationId = made.body.id;
  const app = await production.newApp(fromId('org', organisationId));
  const base = `/api/production/organisations/${organisationId}/apps/${app.id}`;
  const serverId = toId('srv', newUuid());
  const missing = `${base}/servers/${toId('srv', newUuid())}/installation`;
  expect((await visitor.call('PUT', missing, { state: 'paused' })).status).toBe(404);
  await app.install(serverId);
  const path = `${base}/servers/${serverId}/installation`;
  const paused = await visitor.call('PUT', path, { state: 'paused' });
  expect([paused.status, paused.body]).toMatchObject([200, { installation: { state: 'paused' } }]);
  const scope = await visitor.call('PUT', `${path}/scopes/servers:read`, { state: 'revoked' });
  expect([scope.status, scope.body]).toMatchObject([200, { restrictions: [{}, { scope: 'servers:read' }] }]);
  const all = await visitor.call('POST', `${base}/installation-changes`, { state: 'authorised' });
  expect([all.status, all.body]).toMatchObject([200, { changed: 1 }]);
});
