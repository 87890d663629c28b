// The rules of a document about several fields of an object: `if`, `not` and `dependentRequired`.
import { expect, test } from 'vitest';
import { fits, resource } from '../../access/contracts/index.ts';
import { importDocument } from './index.ts';

const text = { type: 'string' };
const PROPERTIES = { id: { type: 'integer' }, kind: { enum: ['sent', 'fetched'] }, street: text, window: text };
const isSent = { properties: { kind: { const: 'sent' } }, required: ['kind'] };

/** Returns a condition. An object literal with `then` would look like a promise. */
const when = (condition: object, branch: object, otherwise?: object): object =>
  Object.fromEntries([['if', condition], ['then', branch], ...(otherwise ? [['else', otherwise]] : [])]);

/** Imports a list of orders with these rules. */
function importWith(rules: object, properties: object = PROPERTIES) {
  const order = { type: 'object', required: ['id', 'kind'], properties, ...rules };
  const content = { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: { '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'OK', content } } } } },
    components: { schemas: { Order: order } },
  };
  const { resources, findings } = importDocument('orders.json', JSON.stringify(document));
  const [found] = resources;
  if (!found) throw new Error('The import has no resource.');
  const { parentName: _, ...declaration } = found;
  const { schema } = resource({ ...declaration, file: import.meta.url });
  return { found, schema, reasons: findings.map(({ reason }) => reason).filter((reason) => reason.includes('rule')) };
}

test.each<[string, object, object]>([
  ['if, then and else', when(isSent, { required: ['street'] }, { required: ['window'] }), { kind: 'sent' }],
  [
    'several conditions in allOf',
    {
      allOf: [when(isSent, { required: ['street'] }), when({ required: ['window'] }, { required: ['kind'] })],
    },
    { kind: 'sent' },
  ],
  ['not', { not: { required: ['street', 'window'] } }, { kind: 'sent', street: 'a', window: 'b' }],
  ['dependentRequired', { dependentRequired: { street: ['window'] } }, { kind: 'sent', street: 'a' }],
  ['dependentSchemas', { dependentSchemas: { street: { required: ['window'] } } }, { kind: 'sent', street: 'a' }],
])('the resource keeps %s, and has an example that fits', (_, rules, refused) => {
  const { found, schema, reasons } = importWith(rules);
  expect(reasons).toEqual([]);
  expect(fits(schema, { id: 1, ...refused })).toBe(false);
  expect(fits(schema, found.example)).toBe(true);
});

test('conditions of two members of allOf are not merged', () => {
  const { schema } = importWith({
    allOf: [when(isSent, { required: ['street'] }), { if: { required: ['street'] }, else: { required: ['window'] } }],
  });
  expect(fits(schema, { id: 1, kind: 'fetched', street: 'a' })).toBe(true);
  expect(fits(schema, { id: 1, kind: 'fetched' })).toBe(false);
  expect(fits(schema, { id: 1, kind: 'sent', window: 'a' })).toBe(false);
});

test('a condition inside a field has an example that fits', () => {
  const address = {
    type: 'object',
    properties: { kind: { const: 'box' }, street: text },
    required: ['kind'],
    ...when(
      { properties: { kind: { const: 'box' } } },
      { required: ['number'], properties: { number: { type: 'integer' } } },
    ),
  };
  const { found } = importWith({}, { ...PROPERTIES, address });
  expect(found.fields.address).toHaveProperty('if');
  expect(found.example).toMatchObject({ address: { kind: 'box', number: expect.any(Number) } });
});

test('rules without an example are left out and reported', () => {
  const { found, reasons } = importWith({ not: { required: ['kind'] } });
  expect(found.rules).toBeUndefined();
  expect(reasons).toEqual(['has rules (not) for which no example was found. The contract leaves them out']);
});
