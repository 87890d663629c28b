// Fields that requests can have and responses cannot.
import { expect, test } from 'vitest';
import { withoutWriteOnly } from './write-only.ts';

const secret = { type: 'string', writeOnly: true };

test.each([
  ['a field', { properties: { a: {}, b: secret } }, { a: 1, b: 'x' }, { a: 1 }],
  [
    'a field of an inner object',
    { properties: { a: { properties: { b: secret } } } },
    { a: { b: 'x', c: 1 } },
    { a: { c: 1 } },
  ],
  [
    'fields of items',
    { properties: { a: { items: { properties: { b: secret } } } } },
    { a: [{ b: 'x' }, 1] },
    { a: [{}, 1] },
  ],
  ['a field of an alternative', { anyOf: [{}, { properties: { b: secret } }] }, { b: 'x', c: 2 }, { c: 2 }],
  ['a field with an alternative', { properties: { a: { allOf: [secret] } } }, { a: 'x', c: 2 }, { c: 2 }],
  ['further fields', { additionalProperties: { properties: { b: secret } } }, { z: { b: 'x', c: 1 } }, { z: { c: 1 } }],
  ['nothing, without a schema', undefined, { a: { b: 'x' } }, { a: { b: 'x' } }],
  ['nothing, if values have the names of inherited properties', { properties: {} }, { toString: 1 }, { toString: 1 }],
])('%s', (_, schema, value, expected) => {
  expect(withoutWriteOnly(schema, value)).toEqual(expected);
});
