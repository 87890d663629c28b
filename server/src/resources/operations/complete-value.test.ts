// The fields that a response requires inside the values of a request.
import { expect, test } from 'vitest';
import { completeValue, mergeObjects } from './complete-value.ts';

const code = { type: 'string', enum: ['A'] };
const line = { type: 'object', required: ['sku', 'code'], properties: { sku: { type: 'string', enum: ['t'] }, code } };

test.each([
  ['an object gets a required field', line, { sku: 's' }, {}, { sku: 's', code: 'A' }],
  [
    'each item of an array gets it',
    { items: line },
    [{ sku: 's' }, {}],
    [],
    [
      { sku: 's', code: 'A' },
      { sku: 't', code: 'A' },
    ],
  ],
  ['an inner object gets it', { properties: { line } }, { line: { sku: 's' } }, {}, { line: { sku: 's', code: 'A' } }],
  ['the previous value comes first', line, { sku: 's' }, { code: 'B', sku: 't' }, { sku: 's', code: 'B' }],
  ['the default comes before a made value', { required: ['n'], properties: { n: { default: 7 } } }, {}, {}, { n: 7 }],
  ['a given value stays', line, { sku: 's', code: 'C' }, { code: 'B' }, { sku: 's', code: 'C' }],
  ['a required field without a schema stays missing', { required: ['n'] }, {}, {}, {}],
  ['a value that is no object stays', line, 5, {}, 5],
  ['inherited names are no fields', { properties: {}, required: ['toString'] }, { valueOf: {} }, {}, { valueOf: {} }],
])('%s', (_, schema, value, before, expected) => {
  expect(completeValue(schema, value, before, 'origin')).toEqual(expected);
});

test('equal origins return equal values, and items differ', () => {
  const items = { items: { required: ['n'], properties: { n: { type: 'integer', minimum: 0 } } } };
  const made = () => completeValue(items, [{}, {}, {}], [], 'origin');
  expect(made()).toEqual(made());
  expect(new Set((made() as { n: number }[]).map(({ n }) => n)).size).toBeGreaterThan(1); // the items of the schema
});

test('objects inside are merged into the previous objects, and other values replace them', () => {
  const before = { a: { x: 1, y: 2 }, b: [1], c: { z: 3 } };
  expect(mergeObjects(before, { a: { x: 5 }, b: [2], c: null, d: { n: 1 } })).toEqual({
    a: { x: 5, y: 2 },
    b: [2],
    c: null,
    d: { n: 1 },
  });
});
