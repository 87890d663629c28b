// A page that was being read when its access was revoked is not cached. Each operation with a cache is revoked between
// the first statement of a read and the following ones.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAsTenant } from '../src/access/authority/index.ts';
import { sql } from '../src/kit/db/sql.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { untilLocksWaited } from './lock-waits.ts';
import { uuidOf } from './sweep/copied-rows.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
let server: string;
const made: Record<string, string> = {};

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
  const first = async (path: string): Promise<string> =>
    (await sandbox.call<{ data: { id: string }[] }>(path, token)).body.data.at(-1)?.id ?? '';
  server = await first('/v1/servers');
  made.publication = await first(`/v1/servers/${server}/publications`);
  made.roadmapItem = await first(`/v1/servers/${server}/roadmap`);
  const ticket = json({ subject: 'Hello', body: 'There' });
  made.ticket = (await sandbox.call<{ id: string }>(`/v1/servers/${server}/tickets`, token, ticket)).body.id;
  // The feed shows the event when no older transaction of any test is running.
  made.event = await until(async () => (await first(`/v1/events?serverId=${server}`)) || undefined);
});
afterAll(() => sandbox.close());

const ofServer = (state: string): Promise<{ status: number }> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation`, { state });

/**
 * The management operation would write an event and wait for the lock of the test. So the revocation is a single
 * statement then.
 */
async function revoke(heldTable: string): Promise<void> {
  if (heldTable !== 'events') return void expect((await ofServer('revoked')).status).toBe(200);
  await runAsTenant(sandbox.plane.db.manager, uuidOf(app.id), (tenant) =>
    tenant.query(sql`update installations set state = 'revoked'
      where app_id = ${tenant.appId} and server_id = ${uuidOf(server)} and state <> 'revoked'`),
  );
}

test.each([
  ['listPublications', 'publications', () => `/v1/servers/${server}/publications`],
  ['getPublication', 'publications', () => `/v1/publications/${made.publication}`],
  ['listRoadmap', 'roadmap_items', () => `/v1/servers/${server}/roadmap`],
  ['getRoadmapItem', 'roadmap_items', () => `/v1/roadmap/${made.roadmapItem}`],
  ['listWorkflows', 'workflows', () => `/v1/servers/${server}/workflows`],
  ['listTickets', 'tickets', () => `/v1/servers/${server}/tickets`],
  ['getTicket', 'tickets', () => `/v1/tickets/${made.ticket}`],
  ['listEvents', 'events', () => `/v1/events?serverId=${server}`],
  ['getEvent', 'events', () => `/v1/events/${made.event}`],
])('%s caches no page that was read across a revocation', async (_, table, path) => {
  const { superuser } = sandbox.database;
  // The new revision bypasses pages that are already cached.
  await ofServer('paused');
  await ofServer('authorised');
  await superuser.query('begin');
  await superuser.query(`lock table ${table} in access exclusive mode`);
  const reading = sandbox.call(path(), token);
  await untilLocksWaited(superuser, 1);
  await revoke(table);
  await superuser.query('commit');
  expect((await reading).status).toBe(403);
  expect((await sandbox.call(path(), token)).status).toBe(403);
  await ofServer('authorised');
  expect((await sandbox.call(path(), token)).status).toBe(200);
});
