// The filters of endpoints under a contract of an operator, and the titles of its objects.
import { expect, test, vi } from 'vitest';
import { json } from './app.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/library', import.meta.url).pathname;
});
useOwnContract();

test.each([
  ['number', '/data/number'],
  ['identifier that Slipway assigns', '/data/id'],
])('keep the events that have the %s of a condition', async (_, pointer) => {
  const create = async (number: number): Promise<{ id: number; number: number }> =>
    (await sandbox.call<{ id: number; number: number }>('/v1/shelves', key.token, json({ label: 'Tea', number }))).body;
  const before = await create(7);
  // The identifiers of shelves count up.
  const value = pointer === '/data/id' ? before.id + 2 : 2;
  const endpoint = {
    url: 'https://bridge.example.org/',
    keyId: key.id,
    eventTypes: ['shelf.added'],
    conditions: [{ pointer, equals: value }],
  };
  expect((await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint)).status).toBe(201);
  for (const number of [1, 2]) await create(number);
  const { body } = await sandbox.manage<{ data: { status: string; reason: string | null }[] }>(
    'GET',
    `/apps/${app.id}/deliveries`,
  );
  // Newest first.
  expect(body.data.map(({ status, reason }) => [status, reason])).toEqual([
    ['pending', null],
    ['skipped', 'filtered'],
  ]);
});

test('the title of an object of the sandbox data is its label, or its identifier if the label is empty', async () => {
  const { id } = (await sandbox.call<{ id: number }>('/v1/shelves', key.token, json({ label: 'Green tea' }))).body;
  await sandbox.call('/v1/shelves', key.token, json({ id: 4711, label: '' }));
  const { body } = await sandbox.manage<{ data: { title: string }[] }>(
    'GET',
    `/apps/${app.id}/world/objects?kind=shelf&limit=2`,
  );
  expect([id, ...body.data.map(({ title }) => title)]).toEqual([expect.any(Number), '4711', 'Green tea']);
});

test('a trigger takes the text of a number for a field that is a number, and refuses other texts', async () => {
  const trigger = (set: object) =>
    sandbox.manage<{ data: object; errors: { pointer: string }[] }>('POST', `/apps/${app.id}/world/events`, {
      type: 'shelf.added',
      set,
    });
  expect((await trigger({ number: '12', label: '12' })).body.data).toMatchObject({ number: 12, label: '12' });
  for (const number of ['twelve', '', '1.5', 'true']) {
    expect((await trigger({ number })).body.errors).toMatchObject([{ pointer: '/set/number' }]);
  }
  expect((await trigger({ id: 7 })).body.errors).toMatchObject([{ pointer: '/set/id' }]);
});

test('the document ends the meaning of an event with a full stop, also if its declaration has none', async () => {
  const { body } = await sandbox.call<{
    webhooks: Record<string, { post: { description: string } }>;
    components: { schemas: Record<string, { description: string }> };
  }>('/v1/openapi.json', key.token);
  expect(body.webhooks['shelf.added']?.post.description).toMatch(/^A shelf was added\. Sent by POST/);
  expect(body.components.schemas.ShelfAddedV1?.description).toBe('A shelf was added. In schema version 1.');
});
