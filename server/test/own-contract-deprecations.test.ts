// The deprecations of a contract of an operator: headers, refusals after the end, counts and the pages.
import { expect, test, vi } from 'vitest';
import { startNode } from './node.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});
useOwnContract();

const END_MS = Date.parse('2099-12-31T00:00:00Z');
const ORDER = { title: 'Tea', total: { amount: 2.5, currency: 'EUR' } };

const nodeAt = (atMs: number) =>
  startNode(sandbox, {}, (plane) => ({ deprecations: { ...plane.deprecations, nowMs: () => atMs } }));

test('each deprecated part of a request has headers, is refused after its end, and is counted for the app', async () => {
  const uses = [
    { id: 'order-totals', request: ['GET', '/v1/order-totals'], other: ['GET', '/v1/shops'] },
    { id: 'item-price', request: ['GET', '/v1/items?price=1'], other: ['GET', '/v1/items'] },
    {
      id: 'order-code',
      request: ['POST', '/v1/shops/7/orders', { ...ORDER, code: 'T' }],
      other: ['POST', '/v1/shops/7/orders', ORDER],
    },
  ] as const;
  const before = nodeAt(END_MS - 1);
  for (const { id, request, other } of uses) {
    const [method, path, body] = request;
    const served = await before.call(method, path, key.token, body);
    expect([id, served.status < 300, served.headers.sunset]).toEqual([id, true, 'Thu, 31 Dec 2099 00:00:00 GMT']);
    expect(served.headers.link).toContain(`/deprecations/${id}>; rel="deprecation"`);
    const without = await before.call(other[0], other[1], key.token, other[2]);
    expect([id, without.status < 300, without.headers.sunset]).toEqual([id, true, undefined]);
  }
  await before.call('GET', '/v1/shops/7/orders', key.token);
  await before.call('GET', '/v1/events', key.token);
  await before.close();
  const counts = await sandbox.manage<{ data: { id: string; uses: number }[] }>(
    'GET',
    `/apps/${app.id}/deprecated-uses`,
  );
  expect(new Map(counts.body.data.map((one) => [one.id, one.uses]))).toEqual(
    new Map([
      ['order-totals', 1],
      ['item-price', 1],
      ['order-code', 1],
      ['order-note', 1],
      ['shop-renamed', 1],
    ]),
  );
  const after = nodeAt(END_MS);
  for (const { request } of uses) {
    const refused = await after.call(request[0], request[1], key.token, request[2]);
    expect([refused.status, refused.code]).toEqual([410, 'gone']);
  }
  await after.close();
});

test('the pages name the deprecations of this contract, and none of the default contract', async () => {
  const { text } = await sandbox.call('/deprecations');
  const linked = [...text.matchAll(/href="[^"]*\/deprecations\/([^"]*)"/g)].map(([, id]) => id);
  expect(linked.toSorted()).toEqual(['item-price', 'order-code', 'order-note', 'order-totals', 'shop-renamed']);
  expect((await sandbox.call('/deprecations/order-totals')).text).toContain('Read the guide about order-totals.');
  const document = (await sandbox.call('/v1/openapi.json')).body;
  expect(document).toHaveProperty(['paths', '/v1/order-totals', 'get', 'deprecated'], true);
  expect(document).not.toHaveProperty(['paths', '/v1/shops', 'get', 'deprecated']);
});
