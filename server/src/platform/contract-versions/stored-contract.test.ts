// Decides which contract may follow the stored contract.
import { expect, test } from 'vitest';
import type { ContractDeclaration } from '../../access/contracts/index.ts';
import { decide } from './stored-contract.ts';

const contractWith = (...scopes: string[]): ContractDeclaration => ({
  file: 'file:///shop/contract.mjs',
  name: 'shop',
  scopes: Object.fromEntries(['events:read', ...scopes].map((scope) => [scope, 'A scope'])),
  keyPresets: {},
  resources: [],
  presets: {},
});
const shop = contractWith('orders:read');
const { store: stored } = decide(undefined, false, shop);

test('the first contract of an empty database is stored', () => {
  expect(stored).toMatchObject({ name: 'shop', scopes: ['events:read', 'orders:read'] });
  expect(stored?.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('the default contract is not stored', () => {
  expect(decide(undefined, true, undefined)).toEqual({});
});

test('the stored contract is accepted, and not stored again', () => {
  expect(decide(stored, true, shop)).toEqual({});
});

test('a contract with an additional scope is stored', () => {
  const { store, refusal } = decide(stored, true, contractWith('orders:read', 'orders:write'));
  expect([store?.scopes, refusal]).toEqual([['events:read', 'orders:read', 'orders:write'], undefined]);
});

test('a contract is stored again if only the end of a deprecation changes, and an earlier end is refused', () => {
  const ending = (ends: '2099-06-30' | '2099-12-31'): ContractDeclaration => ({
    ...shop,
    deprecations: [
      {
        id: 'ping',
        title: 'The event',
        replacement: 'Use another event.',
        announced: '2026-11-28',
        ends,
        operations: [],
        where: { in: 'events', type: 'order.paid' },
      },
    ],
  });
  const { store } = decide(stored, true, ending('2099-06-30'));
  expect(store?.hash).not.toBe(stored?.hash);
  const later = decide(store, true, ending('2099-12-31'));
  expect(later.refusal).toBeUndefined();
  expect(decide(later.store, true, ending('2099-06-30')).refusal).toContain(
    'webhook order.paid: ends on 2099-06-30, and the announced end was 2099-12-31',
  );
});

test.each([
  ['a removal', stored, contractWith(), /breaks clients or data: scope orders:read: removed\. /],
  ['the default contract', stored, undefined, /has data of the contract shop, and SLIPWAY_CONTRACT is missing/],
  ['a contract after the default one', undefined, shop, /has data of the default contract/],
])('%s is refused', (_what, before, own, sentence) => {
  const decision = decide(before, true, own);
  expect(decision.refusal).toMatch(sentence);
  expect(decision.store).toBeUndefined();
});
