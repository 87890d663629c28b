// Sandbox data of an operator's contract.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnyResource, fits, loadContract } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { objectReader } from '../../resources/objects/index.ts';
import { sandboxObjects } from './sandbox-objects.ts';

let resources: readonly AnyResource[];
let shop: AnyResource;
let order: AnyResource;
beforeAll(async () => {
  ({ resources } = await loadContract(join(import.meta.dirname, '../../../test/contracts/shop')));
  [shop, order] = resources as [AnyResource, AnyResource, ...AnyResource[]];
});

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
