// A mutation that waits for a row holds its access. Each node has only one such transaction, so the end of an access
// waits for few.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { sql } from '../src/kit/db/sql.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { untilLocksWaited } from './lock-waits.ts';
import { type ApiNode, type NodeAnswer, startNode } from './node.ts';

// Removes the lock timeout, so that each mutation waits in the shared transaction while the test looks on.
vi.mock('../src/access/authority/tenant-store.ts', async (original) => ({
  ...(await original<typeof import('../src/access/authority/tenant-store.ts')>()),
  sharedTenantSetting: (appIds: readonly string[]) =>
    sql`select set_config('slipway.app_ids', ${`{${appIds.join(',')}}`}, true)`,
}));

let sandbox: Sandbox;
let nodes: ApiNode[];
let app: TestApp;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  nodes = [startNode(sandbox), startNode(sandbox), startNode(sandbox)];
});
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await sandbox.close();
});

const createTicket = (node: ApiNode): Promise<NodeAnswer> =>
  node.call('POST', `/v1/servers/${app.serverIds[0]}/tickets`, token, { subject: 's', body: 'b' });

test('each node holds the access of mutations that wait for a ticket number in one transaction, and a pause waits for these', async () => {
  const { superuser } = sandbox.database;
  expect((await createTicket(nodes[0] as ApiNode)).status).toBe(201);
  const appId = fromId('app', app.id) ?? '';
  await superuser.query('begin');
  await superuser.query('select from ticket_numbers where app_id = $1 for update', [appId]);
  const answers = nodes.flatMap((node) => Array.from({ length: 5 }, () => createTicket(node)));
  await untilLocksWaited(superuser, nodes.length);
  const holders = await superuser.query(
    `select distinct pid from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(holders.rowCount).toBe(nodes.length);
  const installation = `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
  const pausing = sandbox.manage('PUT', `${installation}/scopes/tickets:create`, { state: 'paused' });
  await untilLocksWaited(superuser, nodes.length + 1);
  await superuser.query('rollback');
  expect((await pausing).status).toBe(200);
  const codes = (await Promise.all(answers)).map(({ status, code }) => code ?? status);
  expect(codes.filter((code) => code === 201).length).toBeGreaterThanOrEqual(nodes.length);
  expect(codes.filter((code) => code !== 201 && code !== 'installation_paused')).toEqual([]);
});
