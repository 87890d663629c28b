// The notice of an endpoint that a member enables after a notice of its failures.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { insertNotice } from '../../platform/notices/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test('enabling an endpoint writes the notice of its recovery once, and none without a notice of a failure', async () => {
  const app = await sandbox.newApp();
  const key = await app.key();
  const input = { url: 'https://hooks.example.org/slipway', keyId: key.id, eventTypes: ['ticket.created'] };
  const add = async () => {
    const path = `/apps/${app.id}/endpoints`;
    return (await sandbox.manage<{ endpoint: { id: string } }>('POST', path, input)).body.endpoint.id;
  };
  const [reported, other] = [await add(), await add()];
  const noticed = await sandbox.database.superuser.query(
    `select a.organisation_id, a.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
     from keys k join apps a using (app_id) where k.key_id = $1`,
    [fromId('key', key.id)],
  );
  const endpoint = { endpointId: fromId('whe', reported) ?? '', host: 'hooks.example.org' };
  await insertNotice(sandbox.worker, noticed.rows[0], { kind: 'endpoint_disabled', endpoint, reason: 'A reason.' });
  const set = async (endpointId: string, state: string): Promise<void> => {
    expect((await sandbox.manage('PATCH', `/apps/${app.id}/endpoints/${endpointId}`, { state })).status).toBe(200);
  };
  const kinds = async (): Promise<[string, string | undefined][]> => {
    const { body } = await sandbox.manage<{ data: { kind: string; endpointId?: string }[] }>('GET', '/notices');
    return body.data.map((notice) => [notice.kind, notice.endpointId]);
  };
  for (const id of [reported, other]) {
    await set(id, 'disabled');
    await set(id, 'enabled');
    await set(id, 'enabled');
    await set(id, 'disabled');
    await set(id, 'enabled');
  }
  expect(await kinds()).toEqual([
    ['endpoint_recovered', reported],
    ['endpoint_disabled', reported],
  ]);
});
