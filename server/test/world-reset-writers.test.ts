// A reset beside mutations that never pause.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId } from '../src/kit/ids.ts';
import { json, type Sandbox, startSandbox } from './app.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

// A mutation holds the app and waits for a slot of its revisions; a reset had such a slot, and waited for the app.
test('they never wait for each other in a circle', async () => {
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const ticket = json({ subject: 's', body: 'b' });
  const statuses = new Set<number>();
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      for (const id of app.serverIds) {
        statuses.add((await sandbox.call(`/v1/servers/${id}/tickets`, token, ticket)).status);
      }
    }
  };
  const writers = Promise.all([write(), write(), write(), write()]);
  const world = { preset: 'small', seed: 'slipway' }; // the same servers again
  for (let round = 0; round < 6; round++) {
    expect((await sandbox.manage('POST', `/apps/${app.id}/world/reset`, world)).status).toBe(200);
  }
  isOver = true;
  await writers;
  expect(sandbox.errors).toEqual([]);
  expect([...statuses]).toEqual([201]);
  const { rows } = await sandbox.database.superuser.query<{ slot: number }>(
    'select slot from revisions where app_id = $1 and publications > 1',
    [fromId('app', app.id)],
  );
  expect(rows).toEqual([{ slot: 4 }]);
});
