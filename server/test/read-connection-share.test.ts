// Reads of one organisation delay neither reads of others nor revocations.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { untilLocksWaited } from './lock-waits.ts';

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
])('20 concurrent reads of %s by one organisation take half of the read connections', async (what) => {
  const { superuser } = sandbox.database;
  const key = await busy.key();
  const organisationId = randomUUID();
  const other = await sandbox.newApp(organisationId);
  const ask = (query = '') => sandbox.manage<{ position: string }>('GET', `/apps/${busy.id}/${what}${query}`);
  const after = what === 'request-tail' ? `?after=${(await ask()).body.position}` : '';
  await superuser.query('begin');
  await superuser.query('lock table request_records in access exclusive mode');
  const all = Array.from({ length: 20 }, () => ask(after));
  await untilLocksWaited(superuser, 3);
  const reading = await sandbox.manage('GET', `/apps/${other.id}/keys`, undefined, { organisationId });
  const ending = await sandbox.manage('POST', `/apps/${busy.id}/keys/${key.id}/revoke`);
  await untilLocksWaited(superuser, 3);
  await superuser.query('rollback');
  expect([reading.status, ending.status]).toEqual([200, 200]);
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
});
