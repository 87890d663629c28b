// Values that are made from a schema with a part that accepts any value, such as a schema inside itself.
import { expect, test } from 'vitest';
import { exampleOf } from './example-value.ts';

const text = { type: 'string' };

test.each([
  ['an optional field', { type: 'object', properties: { name: text, parent: {} } }, { name: 'text' }],
  ['an item of a list', { type: 'object', properties: { replies: { type: 'array', items: {} } } }, { replies: [] }],
  ['an alternative next to others', { anyOf: [{ description: 'The parent.' }, { type: 'null' }] }, null],
])('a made value leaves out %s that accepts any value', (_, schema, value) => {
  expect(exampleOf(schema)).toEqual(value);
});

test('a made value contains each required part that accepts any value', () => {
  expect(exampleOf({ type: 'object', required: ['parent'], properties: { parent: {} } })).toEqual({ parent: 'text' });
  expect(exampleOf({ type: 'array', items: {}, minItems: 2 })).toHaveLength(2);
});

test('a made text is base64 if the schema declares this encoding, and a list of hosts stays in the reserved domain', () => {
  expect(exampleOf({ type: 'string', contentEncoding: 'base64' })).toBe('dGV4dA==');
  const hosts = { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string', format: 'hostname' } };
  expect(exampleOf(hosts)).toEqual(['example.com', 'n1.example.com']);
});
