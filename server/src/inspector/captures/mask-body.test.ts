// Masks of captured bodies and headers: sensitive values in any part of a schema, and keys wherever they stand.
import { describe, expect, test } from 'vitest';
import { newKeyToken } from '../../access/authority/index.ts';
import { nullable, sensitive, type TSchema, Type } from '../../kit/http/schema.ts';
import { type MaskRules, maskJson, maskText } from './mask-body.ts';
import { maskHeaders } from './mask-headers.ts';
import { collectSensitiveNames } from './sensitive-fields.ts';

const NO_NAMES: ReadonlySet<string> = new Set();
const SECRET = 'DE-11';
const hidden = sensitive(Type.String());
const inA = Type.Object({ a: hidden });
const other = Type.Object({ b: Type.Number() });

/** Masks a value as JSON, as a body that was parsed from its text. */
function mask(value: unknown, schema?: TSchema, names = NO_NAMES, appliesTo: MaskRules['appliesTo'] = 'every_field') {
  const text = JSON.stringify(value);
  return maskJson(text, () => JSON.parse(text), { schema, names, appliesTo });
}

describe('a sensitive value', () => {
  test.each<[string, TSchema, unknown, string]>([
    ['a property', inA, { a: SECRET }, '/a'],
    ['an array', Type.Array(hidden), [SECRET], '/0'],
    ['an object in an array', Type.Object({ list: Type.Array(inA) }), { list: [{ a: SECRET }] }, '/list/0/a'],
    ['a tuple', Type.Unsafe({ prefixItems: [Type.Number(), hidden] }), [1, SECRET], '/1'],
    ['a property by its pattern', Type.Unsafe({ patternProperties: { '^x-': hidden } }), { 'x-1': SECRET }, '/x-1'],
    ['another property', Type.Unsafe({ additionalProperties: hidden }), { any: SECRET }, '/any'],
    ['an alternative of anyOf', Type.Unsafe({ anyOf: [other, inA] }), { a: SECRET }, '/a'],
    ['an alternative of oneOf', Type.Unsafe({ oneOf: [other, inA] }), { a: SECRET }, '/a'],
    ['a part of allOf', Type.Unsafe({ allOf: [other, inA] }), { a: SECRET }, '/a'],
    ['nullable', Type.Object({ a: nullable(hidden) }), { a: SECRET }, '/a'],
    ['a nullable part of allOf', Type.Unsafe({ allOf: [nullable(inA)] }), { a: SECRET }, '/a'],
    ['the earlier form of a tuple', Type.Tuple([Type.Number(), hidden]), [1, SECRET], '/1'],
    ['an item after a tuple', Type.Unsafe({ items: [other], additionalItems: hidden }), [{}, SECRET], '/1'],
    ['an item that the schema requires', Type.Unsafe({ contains: hidden }), [SECRET], '/0'],
    ['an item without another schema', Type.Unsafe({ unevaluatedItems: hidden }), [SECRET], '/0'],
    ['a property without another schema', Type.Unsafe({ unevaluatedProperties: hidden }), { any: SECRET }, '/any'],
    ['a condition', Type.Unsafe({ if: inA }), { a: SECRET }, '/a'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a consequence', Type.Unsafe({ if: other, then: inA }), { a: SECRET }, '/a'],
    ['the other consequence', Type.Unsafe({ if: other, else: inA }), { a: SECRET }, '/a'],
    ['a schema that must not match', Type.Unsafe({ not: inA }), { a: SECRET }, '/a'],
    ['a schema that depends on a field', Type.Unsafe({ dependentSchemas: { b: inA } }), { a: SECRET, b: 1 }, '/a'],
    ['the whole body', hidden, SECRET, ''],
  ])('is masked in %s', (_, schema, value, pointer) => {
    const masked = mask(value, schema);
    expect(masked).toMatchObject({ state: 'masked', maskedPointers: [pointer] });
    expect(masked.body).not.toContain(SECRET);
    expect(masked.body).toContain('[string of 5 characters]');
  });

  test('is masked by its name in a body without a schema, at any depth', () => {
    const body = Type.Object({ parts: Type.Array(Type.Object({ bank: hidden })) });
    const names = collectSensitiveNames([{ body }]);
    expect([...names]).toEqual(['bank']);
    const masked = mask({ data: [{ bank: SECRET, town: 'Emden' }] }, undefined, names);
    expect(masked).toMatchObject({ state: 'masked', maskedPointers: ['/data/0/bank'] });
    expect(JSON.parse(masked.body ?? '')).toEqual({ data: [{ bank: '[string of 5 characters]', town: 'Emden' }] });
  });

  test('is masked by its name in a field that the schema does not describe, and not in another one', () => {
    const names = new Set(['bank']);
    const schema = Type.Object({ bank: Type.String(), a: hidden });
    const sent = { bank: 'Sparkasse', order: { bank: SECRET } };
    const masked = mask(sent, schema, names, 'unknown_fields');
    expect(masked).toMatchObject({ state: 'masked', maskedPointers: ['/order/bank'] });
    expect(JSON.parse(masked.body ?? '')).toEqual({ bank: 'Sparkasse', order: { bank: '[string of 5 characters]' } });
    expect(mask(sent, undefined, names, 'unknown_fields').maskedPointers).toEqual(['/bank', '/order/bank']);
  });

  test('is masked by a name that is written with escapes', () => {
    const text = `{"\\u0062ank":"${SECRET}"}`;
    const masked = maskJson(text, () => JSON.parse(text), {
      schema: undefined,
      names: new Set(['bank']),
      appliesTo: 'every_field',
    });
    expect(masked).toEqual({
      state: 'masked',
      body: '{"bank":"[string of 5 characters]"}',
      maskedPointers: ['/bank'],
    });
  });

  test('has no mask if it is empty, and values beyond the deepest level have one', () => {
    expect(mask({ a: '' }, inA)).toEqual({ state: 'whole', body: '{"a":""}', maskedPointers: [] });
    const deep = (levels: number): unknown => (levels === 0 ? { a: 'x' } : [deep(levels - 1)]);
    const masked = mask(deep(70), inA);
    expect(masked.state).toBe('masked');
    expect(masked.body).toContain('[array of 1 item]');
  });
});

test.each([
  ...['x-auth', 'authentication', 'ocp-apim-subscription-key', 'access-key', 'x-functions-key', 'apikey'],
  ...['x-client-ip', 'cf-connecting-ipv6', 'x-envoy-external-address', 'x-azure-clientip', 'x-appengine-user-ip'],
])('the value of the header %s is masked', (name) => {
  const { headers, maskedHeaders } = maskHeaders({ [name]: SECRET });
  expect([headers, maskedHeaders]).toEqual([{ [name]: '[string of 5 characters]' }, [name]]);
});

test.each(['idempotency-key', 'www-authenticate', 'author', 'accept'])('the value of the header %s is kept', (name) => {
  expect(maskHeaders({ [name]: SECRET })).toEqual({ headers: { [name]: SECRET }, maskedHeaders: [] });
});

describe('a key of Slipway', () => {
  const { token } = newKeyToken('sandbox');
  const half = token.slice(token.lastIndexOf('_') + 1);

  test('is masked as a value and as a name, in JSON and in text', () => {
    const masked = [mask({ note: `see ${token}` }), mask({ [token]: 1 }), maskText(`see ${token}`)];
    for (const { state, body } of masked) expect([state, body?.includes(half)]).toEqual(['masked', false]);
    expect(masked[1]?.maskedPointers).toEqual([expect.stringContaining('[secret]')]);
  });

  test('is masked in the value and in the name of a header', () => {
    const { headers, maskedHeaders } = maskHeaders({ 'x-note': token, [`x-${token}`]: '1', accept: '*/*' });
    expect(JSON.stringify(headers)).not.toContain(half);
    expect(maskedHeaders).toEqual(['x-note', expect.stringContaining('[secret]')]);
    expect(headers).toMatchObject({ accept: '*/*' });
  });
});

test('a body that is cut ends with a whole character', () => {
  const { state, body } = maskText('€'.repeat(30_000));
  expect([state, body?.length]).toEqual(['cut', Math.floor(65_536 / 3)]);
  expect(body?.endsWith('€')).toBe(true);
});
