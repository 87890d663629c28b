// Sandbox data of an operator's contract.
import { createHash } from 'node:crypto';
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

describe('sandbox data of a contract with examples', () => {
  const dataOf = async (seed: string) => {
    const theatre = await loadContract(join(import.meta.dirname, '../../../test/contracts/theatre'));
    const world = { appId: '0190b2c4-6d1e-7a3f-8b5c-9d7e1f2a3b4c', seed, epoch: 0, script: 'plain' as const };
    const [event] = theatre.resources;
    if (!event) throw new Error('The contract has no resource.');
    const rows = sandboxObjects(theatre.resources, world, theatre.presets.busy?.counts ?? {}).get(event) ?? [];
    expect(rows.filter((row) => !fits(event.schema, objectReader(event)(row)))).toEqual([]);
    return rows.map(({ data }) => data);
  };

  test('begins with the samples, and has further objects that differ in each field', async () => {
    const data = await dataOf('one');
    expect(data).toHaveLength(200);
    expect(data[0]).toMatchObject({
      name: 'Songs of the Harbour',
      price: 45,
      confirmationCode: 'seat-balcony-4f0c21-9ab37',
    });
    const distinct = (field: string) => new Set(data.map((one) => JSON.stringify(one[field]))).size;
    expect(new Set(data.map((one) => JSON.stringify(one))).size).toBe(200);
    expect(distinct('confirmationCode')).toBeGreaterThan(190);
    for (const field of ['dates', 'opens', 'price']) expect([field, distinct(field) > 20]).toEqual([field, true]);
    expect(distinct('seats')).toBeGreaterThan(5);
    expect([distinct('name'), distinct('location'), distinct('kind')]).toEqual([2, 2, 3]);
    expect([distinct('currency'), distinct('sponsorId')]).toEqual([1, 2]);
  });

  test('has the same bytes for the same seed on any machine', async () => {
    const text = JSON.stringify(await dataOf('one'));
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      'a54c6205de76192ecd443e9a3a2763b16b7583ab7f0bc5309f785c520c0919c0',
    );
    expect(JSON.stringify(await dataOf('two'))).not.toBe(text);
  });
});
