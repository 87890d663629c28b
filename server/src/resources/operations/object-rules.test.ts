// Values of an object that keep the rules of its resource about several fields.
import { expect, test } from 'vitest';
import { resource } from '../../access/contracts/index.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { withRules } from './object-rules.ts';

const text = { type: 'string', maxLength: 20 } as TSchema;
const order = (rules: object) =>
  resource({
    file: import.meta.url,
    name: 'Order',
    kind: 'order',
    plural: 'orders',
    noun: 'order',
    description: 'An order.',
    path: 'orders',
    tag: 'Orders',
    idPrefix: 'ord',
    scope: 'orders:read',
    origin: 'made',
    identity: { field: 'id', form: 'integer', description: 'The number.' },
    fields: { kind: { type: 'string', enum: ['sent', 'fetched'] } as TSchema, street: text, window: text },
    optional: ['street', 'window'],
    rules: rules as TSchema,
    example: { id: 1, kind: 'sent', street: 'Quay 1' },
    events: {},
  });
/** Returns a condition. An object literal with `then` would look like a promise. */
const when = (condition: object, branch: object, otherwise?: object): object =>
  Object.fromEntries([['if', condition], ['then', branch], ...(otherwise ? [['else', otherwise]] : [])]);
const sent = { properties: { kind: { const: 'sent' } } };
const delivery = order(when(sent, { required: ['street'] }, { required: ['window'], not: { required: ['street'] } }));

test('the schema of a resource has its rules', () => {
  expect(schemaErrors(delivery.schema, { id: 1, kind: 'sent', street: 'Quay 1' })).toEqual([]);
  expect(schemaErrors(delivery.schema, { id: 1, kind: 'sent' })).not.toEqual([]);
  expect(schemaErrors(delivery.schema, { id: 1, kind: 'fetched', street: 'Quay 1' })).not.toEqual([]);
});

test('values that keep the rules stay', () => {
  const values = { kind: 'fetched', window: '9 to 10' };
  expect(withRules(delivery, values, {})).toBe(values);
});

test.each([
  ['an optional field that a rule excludes is left out', { kind: 'sent', street: 'a', window: 'b' }, { kind: 'sent' }],
  ['a field that a rule requires is added', { kind: 'fetched' }, { kind: 'fetched' }],
  ['a field that was drawn becomes one that fits', { kind: 'fetched', street: 'a' }, { street: 'a' }],
])('%s', (_, values, given) => {
  const result = withRules(delivery, values, given);
  expect(schemaErrors(delivery.rules ?? ({} as TSchema), result)).toEqual([]);
  expect(result).toMatchObject(given);
});

test('a field that no rule names is not read, and keeps its drawn value', () => {
  let reads = 0;
  const note = {
    get type() {
      reads++;
      return 'string';
    },
  };
  const noted = { ...delivery, fields: { ...delivery.fields, note } };
  const result = withRules(noted, { kind: 'fetched', note: 'drawn' }, { kind: 'fetched' });
  expect(result).toMatchObject({ kind: 'fetched', note: 'drawn', window: expect.any(String) });
  expect(reads).toBe(0);
});

test('given values that no object can have stay, so that the refusal names their fields', () => {
  const never = order({ not: { required: ['street'] } });
  const given = { kind: 'sent', street: 'Quay 1' };
  expect(withRules(never, given, given)).toBe(given);
});
