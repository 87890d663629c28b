// The number of an app's endpoints is limited, because each event is posted to all of them. Concurrent reads of one
// organisation are limited too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox } from '../../../test/app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());

test('refuses the twenty-first endpoint, also of several concurrent requests, until one is deleted', async () => {
  const app = await sandbox.newApp();
  const key = await app.key();
  const input = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ping'] };
  const add = (): Promise<Answer<{ endpoint: { id: string }; code?: string }>> =>
    sandbox.manage('POST', `/apps/${app.id}/endpoints`, input);
  for (let made = 0; made < 18; made++) expect((await add()).status).toBe(201);
  const together = await Promise.all([add(), add(), add(), add()]);
  expect(together.map((answer) => answer.body.code ?? 'made').sort()).toEqual([
    'made',
    'made',
    'quota_exceeded',
    'quota_exceeded',
  ]);
  const [made] = together.filter((answer) => answer.status === 201);
  await sandbox.manage('DELETE', `/apps/${app.id}/endpoints/${made?.body.endpoint.id}`);
  expect((await add()).status).toBe(201);
  const other = await sandbox.newApp();
  const elsewhere = { ...input, keyId: (await other.key()).id };
  expect((await sandbox.manage('POST', `/apps/${other.id}/endpoints`, elsewhere)).status).toBe(201);
});

test('hanging reads do not prevent a revocation', async () => {
  const app = await sandbox.newApp();
  const key = await app.key();
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('lock table drills in access exclusive mode');
  const reads = Array.from({ length: 12 }, () =>
    sandbox.manage('GET', `/apps/${app.id}/drills/${toId('drl', newUuid())}`),
  );
  await untilLocksWaited(superuser, 3); // the limit of one organisation
  const revoked = await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  await superuser.query('rollback');
  expect(revoked.status).toBe(200);
  await Promise.all(reads);
});
