// The client that `slipway-server contract sdk` writes, in an empty project with the built package: it compiles, and calls
// a sandbox with the contract of an operator.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fileOfType } from '../../server/src/resources/operations/declared-file.ts';
import type { Sandbox } from '../../server/test/app.ts';
import { type Installed, installPackage } from './installed.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('../../server/test/contracts/shop', import.meta.url).pathname;
});
const { startSandbox } = await import('../../server/test/app.ts');
const { writeSdk } = await import('../../server/src/commands/contract-sdk/index.ts');

const PROGRAM = `
import { SlipwayProblem } from '@slipway/sdk';
import { createApi, type Order, type WebhookEvent } from './client.js';

const api = createApi({ baseUrl: process.env.SLIPWAY_API_URL ?? '', key: process.env.SLIPWAY_KEY ?? '' });
const [shop] = await api.listShops();
const order: Order = await api.createOrder(
  { shopId: shop?.id ?? 0, body: { title: 'Tea', total: { amount: 2, currency: 'EUR' }, note: null } },
  { idempotencyKey: 'one' },
);
const label: Blob = await api.getLabel({
  shopId: order.shop_id,
  orderId: order.id,
  bodyQuery: 'front',
  shopIdQuery: 3,
});
const paid = await api.payOrder({ shopId: order.shop_id, orderId: order.id });
const problem = await api.payOrder({ shopId: order.shop_id, orderId: order.id }).catch((error: unknown) => error);
export const noteOf = (event: WebhookEvent): string | null | undefined =>
  event.type === 'order.paid' ? event.data.note : undefined;
console.log(order.status, paid.status, problem instanceof SlipwayProblem ? problem.code : '', label.type, await label.text());
`;
// Each line is a type error: an unknown operation, a missing input, a value that the contract does not declare.
const MISTAKEN = `import type { ApiClient, Order } from './client.js';
export const one = (api: ApiClient) => api.listServers();
export const two = (api: ApiClient) => api.getOrder({ shopId: 7 });
export const three: Order['status'] = 'lost';
`;

let sandbox: Sandbox;
let installed: Installed;
let compiled: ReturnType<Installed['compile']>;
beforeAll(async () => {
  installed = await installPackage();
  sandbox = await startSandbox();
  const written = await writeSdk(installed.folder);
  expect(readFileSync(written, 'utf8')).toContain('payOrder');
  writeFileSync(join(installed.folder, 'program.ts'), PROGRAM);
  writeFileSync(join(installed.folder, 'mistaken.ts'), MISTAKEN);
  compiled = installed.compile();
}, 120_000);
afterAll(async () => {
  await sandbox.close();
  installed.remove();
});

test('compiles, refuses mistakes, and calls the operations of the contract', async () => {
  const { places, text } = compiled;
  expect([places, text]).toEqual([['mistaken.ts(2', 'mistaken.ts(3', 'mistaken.ts(4'], expect.anything()]);
  const { token } = await (await sandbox.newApp()).key();
  const settings = { SLIPWAY_API_URL: sandbox.apiUrl, SLIPWAY_KEY: token };
  const file = fileOfType('application/pdf');
  expect(await installed.run('program.js', settings).done).toBe(`open paid conflict application/pdf ${file}\n`);
});
