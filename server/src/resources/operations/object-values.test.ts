// The values of objects of an operator's contract after changes, and the events of the changes.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnyResource, loadContract } from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import {
  changedFields,
  eventTypesOf,
  newFields,
  parentFields,
  replacedFields,
  requireTransition,
} from './object-values.ts';

let order: AnyResource;
let item: AnyResource;
beforeAll(async () => {
  const { resources } = await loadContract(join(import.meta.dirname, '../../../test/contracts/shop'));
  [, order, item] = resources as [AnyResource, AnyResource, AnyResource];
});

const NOW = new Date('2026-03-01T12:00:00Z');

describe('the values of an object', () => {
  test('a new object has the values of the caller, the first state, the times, and values for required fields', () => {
    const fields = newFields(order, { title: 'Tea' }, { now: NOW, origin: 'x' });
    expect(fields).toMatchObject({ title: 'Tea', status: 'open', created_at: NOW.toISOString() });
    expect(fields.total).toMatchObject({ currency: expect.stringMatching(/^(?:EUR|USD)$/) });
    expect(Object.keys(fields)).not.toContain('note');
  });

  test('a new object has the defaults of fields that the caller leaves out, also as its first state', () => {
    const [code, status] = [
      { type: 'string', default: 'new' },
      { ...order.fields.status, default: 'paid' },
    ] as TSchema[];
    const resource = { ...order, fields: { ...order.fields, code, status } as AnyResource['fields'] };
    const source = { now: NOW, origin: 'x' };
    expect(newFields(resource, { title: 'Tea' }, source)).toMatchObject({ code: 'new', status: 'paid' });
    expect(newFields(resource, { title: 'Tea', code: 'given' }, source)).toMatchObject({ code: 'given' });
  });

  test('an update keeps other fields, and a null removes an optional field that cannot be null', () => {
    const before = { title: 'Tea', note: 'n', code: 'c', updated_at: 'before' };
    const after = changedFields(order, before, { note: null, code: null }, NOW);
    expect(after).toEqual({ title: 'Tea', note: null, updated_at: NOW.toISOString() });
  });

  test('a replacement keeps only the fields that the body cannot set', () => {
    const declared = item.operations?.replaceItem;
    if (!declared) throw new Error('The contract has no such operation.');
    const before = { name: 'a', price: 1, color: 'red', weight: 3 };
    const after = replacedFields(item, declared, before, { name: 'b', price: 2 }, { now: NOW, origin: 'x' });
    expect(after).toEqual({ name: 'b', price: 2, weight: 3 });
  });

  test('a change follows the declared states, and an action also needs another state', () => {
    const [open, paid] = [{ status: 'open' }, { status: 'paid' }];
    expect(() => requireTransition(order, open, paid, undefined)).not.toThrow();
    expect(() => requireTransition(order, open, open, undefined)).not.toThrow();
    expect(() => requireTransition(order, paid, open, undefined)).toThrow();
    expect(() => requireTransition(order, paid, paid, 'paid')).toThrow();
  });
});

test('an object below a parent repeats the identifier of the object above both, in a field that accepts it', () => {
  const row = { key: '7', data: { shop_id: 11 } };
  const below = (schema: object): AnyResource =>
    ({ ...item, parent: order, parentField: 'order_id', fields: { shop_id: schema, order_id: {} } }) as AnyResource;
  expect(parentFields(below({ type: 'integer' }), row)).toEqual({ shop_id: 11, order_id: '7' });
  expect(Object.keys(parentFields(below({ type: 'string' }), row))).toEqual(['order_id']);
  expect(Object.keys(parentFields(below({ type: 'integer' }), { key: '7', data: {} }))).toEqual(['order_id']);
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
