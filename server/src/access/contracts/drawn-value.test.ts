// Values that are drawn from a schema.
import { describe, expect, test } from 'vitest';
import { drawValue } from './drawn-value.ts';
import { fits } from './example-value.ts';
import { createSeededRandom } from './seeded-random.ts';

const SCHEMAS: Record<string, Record<string, unknown>> = {
  text: { type: 'string', minLength: 12, maxLength: 14 },
  pattern: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$' },
  time: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  uuid: { type: 'string', format: 'uuid' },
  email: { type: 'string', format: 'email' },
  address: { type: 'string', format: 'uri' },
  integer: { type: 'integer', minimum: 3, maximum: 9 },
  step: { type: 'number', multipleOf: 0.25, exclusiveMinimum: 0 },
  boolean: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 2 },
  alternatives: {
    oneOf: [
      { type: 'object', required: ['kind'], properties: { kind: { const: 'x' }, size: { type: 'integer' } } },
      { type: 'object', required: ['kind', 'name'], properties: { kind: { const: 'y' }, name: { type: 'string' } } },
    ],
  },
  nested: {
    type: 'object',
    required: ['at'],
    properties: { at: { type: 'object', properties: { on: { type: 'boolean' } } } },
  },
};
const drawn = (schema: Record<string, unknown>, count = 20): unknown[] =>
  Array.from({ length: count }, (_, index) => drawValue(schema, createSeededRandom(`origin/${index}`)));

describe.each(Object.entries(SCHEMAS))('the schema of %s', (_name, schema) => {
  test('gets values that fit, and the same ones from the same origin', () => {
    const values = drawn(schema);
    expect(values.filter((value) => !fits({ ...schema }, value))).toEqual([]);
    expect(drawn(schema)).toEqual(values);
  });
});

test.each([
  'text',
  'time',
  'date',
  'uuid',
  'integer',
  'boolean',
  'list',
])('the schema of %s gets several values', (name) => {
  expect(new Set(drawn(SCHEMAS[name] ?? {}).map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
});

test('a schema with many nested alternatives gets a value after a limited number of tries', () => {
  let schema: Record<string, unknown> = { type: 'string', maxLength: 3 };
  for (let level = 0; level < 10; level++) schema = { anyOf: [schema, { ...schema, title: 'Another' }] };
  expect(drawn(schema, 1)).toHaveLength(1);
}, 5_000);

test('values are those of enum and examples', () => {
  expect(new Set(drawn({ enum: ['a', 'b', null] }, 50))).toEqual(new Set(['a', 'b']));
  expect(new Set(drawn({ type: 'string', examples: ['one', 'two'] }, 50))).toEqual(new Set(['one', 'two']));
});
