// Rules about several fields of an object, with a contract of an operator.
import { expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import { key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/post', import.meta.url).pathname;
});
useOwnContract();

type Parcel = Record<string, unknown>;
const send = (path: string, body: object, method = 'POST'): Promise<Answer<Parcel>> =>
  sandbox.call(`/v1${path}`, key.token, { ...json(body), method });

test('a creation gets the fields that the rules require', async () => {
  const { status, body } = await send('/parcels', { to: 'door', note: 'Fragile' });
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ to: 'door', note: 'Fragile', street: expect.any(String) }),
  ]);
  expect(body).not.toHaveProperty('shop');
});

test('a change that breaks a rule is refused with the field that is missing, and changes nothing', async () => {
  const before = (await send('/parcels', { to: 'door' })).body;
  const { status, body } = await send(`/parcels/${before.id}`, { status: 'delivered' }, 'PATCH');
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.errors).toEqual([{ pointer: '/signedBy', detail: 'is required' }]);
  expect((await sandbox.call(`/v1/parcels/${before.id}`, key.token)).body).toEqual(before);
});

test('an action gives the object the fields that the rules of its state require, and keeps the others', async () => {
  const before = (await send('/parcels', { to: 'door', street: 'Quay 1', note: 'Fragile' })).body;
  const { status, body } = await send(`/parcels/${before.id}/deliver`, {});
  expect([status, body]).toEqual([200, { ...before, status: 'delivered', signedBy: expect.any(String) }]);
  expect((await sandbox.call(`/v1/parcels/${before.id}`, key.token)).body).toEqual(body);
});
