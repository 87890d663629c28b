// Merge patches of objects: their work, and objects of another kind.
import { expect, test } from 'vitest';
import type { TSchema } from '../../kit/http/schema.ts';
import { applyPatch, patchField, withoutRefusedNulls } from './merge-patch.ts';

test.each([
  ['a merge patch', (schema: object, patch: object) => applyPatch(schema, {}, patch)],
  ['another change', withoutRefusedNulls],
])('the schema of thousands of null members of %s is checked once', (_, change) => {
  let reads = 0;
  const member = {
    type: 'string',
    get maxLength() {
      reads++;
      return 20;
    },
  };
  const nulls = Object.fromEntries(Array.from({ length: 2_000 }, (_none, index) => [`label${index}`, null]));
  expect(change({ type: 'object', additionalProperties: member }, nulls)).toEqual({});
  expect(reads).toBeLessThan(200);
});

const kind = (name: string, member: string): object => ({
  type: 'object',
  required: ['kind', member],
  properties: { kind: { const: name }, [member]: { type: 'string' }, note: { type: 'string' } },
  additionalProperties: false,
});
const payment = { oneOf: [kind('card', 'digits'), kind('account', 'iban')] } as TSchema;
const account = { kind: 'account', iban: 'NL1', note: 'Mine' };

test.each([
  ['merges an object of the same kind', { note: 'Yours' }, { ...account, note: 'Yours' }],
  ['replaces an object of another kind', { kind: 'card', digits: '5460' }, { kind: 'card', digits: '5460' }],
  ['keeps the merged members of an object that fits in no form', { kind: 'card' }, { ...account, kind: 'card' }],
])('a merge patch %s', (_, patch, expected) => {
  expect(patchField(payment, account, patch)).toEqual(expected);
});
