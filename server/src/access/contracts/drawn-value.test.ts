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

const distinct = (schema: Record<string, unknown>, name?: string): Set<unknown> =>
  new Set(Array.from({ length: 200 }, (_, index) => drawValue(schema, createSeededRandom(`distinct/${index}`), name)));

test.each<[Record<string, unknown>, RegExp]>([
  [{ type: 'string', examples: ['Harbour Songs'] }, /^Harbour Songs \d+$/],
  [{ type: 'string', examples: ['Harbour Songs'], maxLength: 15 }, /^Harbour So\S* \d+$/],
  [{ type: 'string', examples: ['🍵🍵🍵🍵'], maxLength: 6 }, /^🍵+ \d+$/u],
  [{ type: 'string', examples: ['ticket-a98c8f-7eb12'] }, /^ticket-a\d\dc\df-\deb\d\d$/],
  [{ type: 'string', examples: ['Room 5'] }, /^Room \d+$/],
  [{ type: 'string', pattern: '^([01]\\d|2[0-3]):?([0-5]\\d)$', examples: ['09:00'] }, /^\d\d:\d\d$/],
  [{ type: 'string', pattern: '^HALL-[0-9]{4}$', examples: ['HALL-1234'] }, /^HALL-\d{4}$/],
  [{ type: 'string', pattern: '^[a-z-]+$', examples: ['green-tea'] }, /^green-tea-[a-z]+$/],
  [{ type: 'string', format: 'date', examples: ['2025-03-14'] }, /^2025-\d\d-\d\d$/],
  [{ type: 'string', examples: ['2025-03-14T10:00:00Z'] }, /^2025-.+Z$/],
  [{ type: 'string', format: 'uri', examples: ['https://theatre.example/a.png'] }, /^https:\S+a\.png\?number=\d+$/],
  [{ anyOf: [{ type: 'string', examples: ['East hall'] }, { type: 'null' }] }, /^East hall \d+$/],
  [{ type: 'number', minimum: 5, maximum: 60, multipleOf: 0.5, examples: [25] }, /^\d+(?:\.5)?$/],
  [{ type: 'integer', minimum: 10, maximum: 40, examples: [40] }, /^\d+$/],
  [{ type: 'number', examples: [25, 40] }, /^(?:2[5-9]|3\d|40)(?:\.5)?$/],
])('values of %j keep its form and differ from its example', (schema, form) => {
  const values = [...distinct(schema)];
  expect(values.filter((value) => !fits({ ...schema }, value) || !form.test(String(value)))).toEqual([]);
  expect(values.length).toBeGreaterThan(10);
});

const text = (more: object) => ({ type: 'string', ...more });

test.each<[Record<string, unknown>, RegExp]>([
  [text({ format: 'ipv4' }), /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
  [text({ format: 'ipv4', examples: ['10.0.0.7'] }), /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
  [text({ format: 'ipv6' }), /^2001:db8::[\da-f]+:[\da-f]+$/],
  [text({ format: 'hostname' }), /^[a-z]+-\d+\.example\.com$/],
  [text({ format: 'hostname', maxLength: 14 }), /\.example(?:\.com)?$/],
  [text({ format: 'email' }), /@example\.com$/],
  [text({ format: 'uri' }), /^https:\/\/example\.com\/\d+$/],
  [text({ format: 'uri-reference' }), /^\/path\/\d+$/],
  [text({ format: 'uuid' }), /^[\da-f-]{36}$/],
  [text({ format: 'duration' }), /^PT\d+M$/],
  [text({ contentEncoding: 'base64' }), /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/],
  [text({ format: 'byte' }), /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/],
  [{ type: ['string', 'null'], format: 'ipv6' }, /^2001:db8::/],
  [
    { type: 'array', minItems: 2, uniqueItems: true, items: text({ format: 'hostname' }) },
    /example\.com,\S+example\.com$/,
  ],
])('values of %j differ and are reserved for documentation', (schema, form) => {
  const values = [...new Set([...distinct(schema)].map(String))];
  expect(values.filter((value) => !form.test(value))).toEqual([]);
  expect(values.length).toBeGreaterThan(100);
});

test('a name of another object, a currency and a time zone stay those of the example', () => {
  expect(distinct({ type: 'string', examples: ['sponsor-100'] }, 'sponsorId')).toEqual(new Set(['sponsor-100']));
  expect(distinct({ type: 'string', examples: ['EUR'] })).toEqual(new Set(['EUR']));
  expect(distinct({ type: 'string', examples: ['Europe/Berlin'] })).toEqual(new Set(['Europe/Berlin']));
});

test.each([
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time', examples: ['2025-03-14T10:00:00Z'] },
])('dates of %j are in each month of the year', (schema) => {
  expect(new Set([...distinct(schema)].map((one) => String(one).slice(0, 7))).size).toBe(12);
});
