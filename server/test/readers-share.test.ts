// What one organisation reads keeps nobody else waiting, neither who reads for another one nor who ends an access.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { untilWaiting } from './waiting.ts';

let sandbox: Sandbox;
let busy: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
  busy = await sandbox.newApp();
});
afterAll(() => sandbox.close());

test.each([
  'requests',
  'request-histogram',
  'request-tail',
])('%s, asked for by one organisation twenty times at once, takes half of the connections that read', async (what) => {
  const { superuser } = sandbox.database;
  const key = await busy.key();
  const organisationId = randomUUID();
  const other = await sandbox.newApp(organisationId);
  const ask = (query = '') => sandbox.manage<{ position: string }>('GET', `/apps/${busy.id}/${what}${query}`);
  const after = what === 'request-tail' ? `?after=${(await ask()).body.position}` : '';
  await superuser.query('begin');
  await superuser.query('lock table request_records in access exclusive mode');
  const all = Array.from({ length: 20 }, () => ask(after));
  await untilWaiting(superuser, 3);
  const reading = await sandbox.manage('GET', `/apps/${other.id}/keys`, undefined, { organisationId });
  const ending = await sandbox.manage('POST', `/apps/${busy.id}/keys/${key.id}/revoke`);
  await untilWaiting(superuser, 3);
  await superuser.query('rollback');
  expect([reading.status, ending.status]).toEqual([200, 200]);
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
});
