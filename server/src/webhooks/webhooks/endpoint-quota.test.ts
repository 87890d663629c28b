// An app's endpoints are bounded: each event is posted to every one of them. And so is what looks at an organisation's things take
// of what others need.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox } from '../../../test/app.ts';
import { untilWaiting } from '../../../test/waiting.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());

test('the twenty-first is refused, also when several are asked for at once, until one is removed', async () => {
  const app = await sandbox.newApp();
  const key = await app.key();
  const wish = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ping'] };
  const add = (): Promise<Answer<{ endpoint: { id: string }; code?: string }>> =>
    sandbox.manage('POST', `/apps/${app.id}/endpoints`, wish);
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
  const elsewhere = { ...wish, keyId: (await other.key()).id };
  expect((await sandbox.manage('POST', `/apps/${other.id}/endpoints`, elsewhere)).status).toBe(201);
});

test('looks that hang keep nobody from taking access away', async () => {
  const app = await sandbox.newApp();
  const key = await app.key();
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('lock table drills in access exclusive mode');
  const looks = Array.from({ length: 12 }, () =>
    sandbox.manage('GET', `/apps/${app.id}/drills/${toId('drl', newUuid())}`),
  );
  await untilWaiting(superuser, 3); // as many as one organisation has at once
  const revoked = await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
  await superuser.query('rollback');
  expect(revoked.status).toBe(200);
  await Promise.all(looks);
});
