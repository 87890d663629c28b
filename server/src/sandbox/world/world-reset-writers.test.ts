// Resets during continuous mutations.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox } from '../../../test/app.ts';
import { startNode } from '../../../test/node.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

// A mutation locks the app and then waits for a slot of its revisions. A reset once held such a slot and waited for the
// app.
test('a reset and mutations of the app do not deadlock', async () => {
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

// A mutation takes a ticket's number before the access lock if it only tries the lock, and after it if it waits. A
// reset locks the app and then waits for the numbers.
test('a reset does not deadlock with many tickets of one server from several nodes, in shared and in separate transactions', async () => {
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const nodes = [startNode(sandbox), startNode(sandbox), startNode(sandbox)];
  const statuses = new Set<number>();
  let isOver = false;
  const writers = nodes.flatMap((node) =>
    ['b', 'b', 'b', 'b'.repeat(10_000)].map(async (body) => {
      const path = `/v1/servers/${app.serverIds[0]}/tickets`;
      while (!isOver) statuses.add((await node.call('POST', path, token, { subject: 's', body })).status);
    }),
  );
  for (let round = 0; round < 6; round++) {
    const world = { preset: 'small', seed: 'slipway' };
    expect((await sandbox.manage('POST', `/apps/${app.id}/world/reset`, world)).status).toBe(200);
  }
  isOver = true;
  await Promise.all(writers);
  expect([...statuses]).toEqual([201]);
  for (const node of nodes) await node.close();
});
