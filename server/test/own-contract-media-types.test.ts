// The declared media types of responses in JSON in the sandbox.
import { expect, test, vi } from 'vitest';
import { json } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/shop', import.meta.url).pathname;
});
useOwnContract();

const HAL = 'application/hal+json';
const TEA = { sku: 'green-tea', name: 'Tea', price: 1 };

/** Creates an item, lists items and reads the item. Resolves to the types of the responses. */
async function typesOf(accept: string): Promise<(string | null)[]> {
  const headers = { accept, 'content-type': 'application/json', 'idempotency-key': 'tea' };
  const answers = [
    await sandbox.call('/v1/items', key.token, { ...json(TEA), headers }),
    await sandbox.call('/v1/items', key.token, { headers: { accept } }),
    await sandbox.call('/v1/items/green-tea', key.token, { headers: { accept } }),
  ];
  return answers.map((one) => one.headers.get('content-type'));
}

test('a response in JSON has the declared type for each header Accept', async () => {
  // The second creation is the stored response of the first.
  for (const accept of [HAL, 'application/json', '*/*']) expect(await typesOf(accept)).toEqual([HAL, HAL, HAL]);
  const { headers } = await sandbox.call('/v1/shops/7', key.token);
  expect(headers.get('content-type')).toContain('application/json');
});

test('the served document has the declared type', async () => {
  const { body } = await sandbox.call<{ paths: Record<string, unknown> }>('/v1/openapi.json');
  const declared = { responses: { 200: { content: { [HAL]: expect.anything() } } } };
  expect(body.paths['/v1/items/{itemId}']).toMatchObject({ get: declared, put: declared });
});
