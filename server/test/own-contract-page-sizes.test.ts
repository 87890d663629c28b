// The size of a page in the sandbox and in the served document, with the maximum and the default of a contract.
import { expect, test, vi } from 'vitest';
import type { Answer } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});
useOwnContract();

interface Refusal {
  errors?: { pointer: string }[];
}
const get = <T = Refusal>(path: string): Promise<Answer<T>> => sandbox.call<T>(`/v1${path}`, key.token);

test('a list has the declared default and maximum of its limit', async () => {
  expect((await get<object[]>('/items')).body).toHaveLength(10);
  expect((await get<object[]>('/items?size=12')).body).toHaveLength(12);
  const refused = await get('/items?size=13');
  expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/query/size']);
  expect((await get<object[]>('/item-range')).body).toHaveLength(20);
  expect((await get('/item-range?take=21')).status).toBe(400);
});

test('the served document has the declared default and maximum of a limit', async () => {
  type Parameters = { name: string; schema: { maximum?: number; default?: number } }[];
  const { body } = await get<{ paths: Record<string, { get: { parameters: Parameters } }> }>('/openapi.json');
  const limitOf = (path: string, limit: string) =>
    body.paths[path]?.get.parameters.find(({ name }) => name === limit)?.schema;
  expect(limitOf('/v1/items', 'size')).toMatchObject({ minimum: 1, maximum: 12, default: 10 });
  expect(limitOf('/v1/item-range', 'take')).toMatchObject({ minimum: 1, maximum: 20 });
  expect(limitOf('/v1/item-range', 'take')).not.toHaveProperty('default');
});
