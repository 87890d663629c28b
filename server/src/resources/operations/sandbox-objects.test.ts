// Sandbox data of a contract of an operator, and the values of its objects after changes.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnyResource, fits, loadContract } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { objectReader } from '../objects/index.ts';
import { changedFields, eventTypesOf, newFields, replacedFields, requireTransition } from './object-values.ts';
import { sandboxObjects } from './sandbox-objects.ts';

let resources: readonly AnyResource[];
let shop: AnyResource;
let order: AnyResource;
let item: AnyResource;
beforeAll(async () => {
  ({ resources } = await loadContract(join(import.meta.dirname, '../../../test/contracts/shop')));
  [shop, order, item] = resources as [AnyResource, AnyResource, AnyResource];
});

const NOW = new Date('2026-03-01T12:00:00Z');

describe('sandbox data', () => {
  const appId = newUuid();
  const make = (changes: object = {}) =>
    sandboxObjects(
      resources,
      { appId, seed: 'one', epoch: 0, script: 'plain', ...changes },
      { shops: 3, orders: 4, items: 40 },
    );

  test('is the same for the same seed, and has other identifiers for another seed and another app', () => {
    const ids = (made: ReturnType<typeof make>) => [...made.values()].flat().map((one) => one.object_id);
    expect(make()).toEqual(make());
    const all = [make(), make({ seed: 'two' }), make({ epoch: 1 }), make({ appId: newUuid() })].flatMap(ids);
    expect(new Set(all).size).toBe(all.length);
  });

  test('has objects that fit the schema, with keys that differ', () => {
    for (const [resource, rows] of make()) {
      const objects = rows.map((row) => objectReader(resource)(row));
      expect(objects.filter((object) => !fits(resource.schema, object))).toEqual([]);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    }
  });

  test('begins with the samples, and continues the numbers of the samples', () => {
    const shops = make().get(shop) ?? [];
    expect(shops.map(({ key, data }) => [key, data.name])).toEqual([
      ['7', 'Corner'],
      ['12', 'Harbour'],
      ['3', expect.any(String)],
    ]);
  });

  test('has objects below each object of the parent, which contain its identifier and are newer', () => {
    const made = make();
    const parents = new Map(made.get(shop)?.map((one) => [one.object_id, one]));
    const orders = made.get(order) ?? [];
    expect(orders).toHaveLength(12);
    for (const { parent_id: parentId, data, created_at: createdAt } of orders) {
      const parent = parents.get(parentId ?? '');
      expect(String(data.shop_id)).toBe(parent?.key);
      expect(createdAt > (parent?.created_at ?? '')).toBe(true);
    }
    expect(new Set(orders.map(({ state }) => state)).size).toBeGreaterThan(1);
  });
});

describe('the values of an object', () => {
  test('of a new object are those of the caller, the first state, the times, and values for required fields', () => {
    const fields = newFields(order, { title: 'Tea' }, { now: NOW, origin: 'x' });
    expect(fields).toMatchObject({ title: 'Tea', status: 'open', created_at: NOW.toISOString() });
    expect(fields.total).toMatchObject({ currency: expect.stringMatching(/^(?:EUR|USD)$/) });
    expect(Object.keys(fields)).not.toContain('note');
  });

  test('of an update keep other fields, and a null removes an optional field that cannot be null', () => {
    const before = { title: 'Tea', note: 'n', code: 'c', updated_at: 'before' };
    const after = changedFields(order, before, { note: null, code: null }, NOW);
    expect(after).toEqual({ title: 'Tea', note: null, updated_at: NOW.toISOString() });
  });

  test('of a replacement keep only what the body cannot set', () => {
    const declared = item.operations?.replaceItem;
    if (!declared) throw new Error('The contract has no such operation.');
    const before = { name: 'a', price: 1, color: 'red', weight: 3 };
    const after = replacedFields(item, declared, before, { name: 'b', price: 2 }, { now: NOW, origin: 'x' });
    expect(after).toEqual({ name: 'b', price: 2, weight: 3 });
  });

  test('follow the declared states, and an action also needs another state', () => {
    const [open, paid] = [{ status: 'open' }, { status: 'paid' }];
    expect(() => requireTransition(order, open, paid, undefined)).not.toThrow();
    expect(() => requireTransition(order, open, open, undefined)).not.toThrow();
    expect(() => requireTransition(order, paid, open, undefined)).toThrow();
    expect(() => requireTransition(order, paid, paid, 'paid')).toThrow();
  });
});

test.each([
  ['creates', 'open', ['order.created']],
  ['creates', 'paid', ['order.created', 'order.paid']],
  ['changes', null, ['order.updated']],
  ['changes', 'paid', ['order.paid']],
  ['changes', 'shipped', ['order.updated']],
  ['deletes', null, ['order.deleted']],
] as const)('a change that %s and enters %s emits %j', (kind, entered, types) => {
  expect(eventTypesOf(order, kind, entered)).toEqual(types);
});
