// Validation accepts exactly the values of the schema, drops and changes nothing, and names the place of each error.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InvalidPart, ProblemError } from '../openapi/problems.ts';
import {
  dateTime,
  displayName,
  type InputLocation,
  idSchema,
  isSensitive,
  namedSchema,
  nameOfSchema,
  nullable,
  oneOf,
  sensitive,
  strictObject,
  type TSchema,
  Type,
  text,
  validate,
  versionOfSchema,
} from './schema.ts';

const Thing = strictObject({
  name: text('Its name.', { minLength: 1, maxLength: 5, pattern: '\\S' }),
  kind: Type.Optional(oneOf(['small', 'large'], 'Its kind.')),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  parts: Type.Optional(Type.Array(strictObject({ at: dateTime('When.') }), { maxItems: 2 })),
  note: Type.Optional(nullable(text('A note.', { maxLength: 5 }))),
  labels: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z]+$' }), text('A value.', { maxLength: 5 }), {
      additionalProperties: false,
    }),
  ),
});

function errorsOf(schema: TSchema, value: unknown, place: InputLocation = 'body'): InvalidPart[] | undefined {
  try {
    validate(place, schema, value);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'invalid_request') throw error;
    return error.extra.errors ?? [];
  }
}
const Why = text('Why.', { minLength: 1, maxLength: 5, pattern: '\\S' });
const pointersOf = (value: unknown): string[] | undefined => errorsOf(Thing, value)?.map((part) => part.pointer);

describe('valid value', () => {
  test.each([
    [{ name: 'a' }],
    [{ name: '😀😀😀😀😀' }],
    [
      {
        name: 'a',
        kind: 'small',
        count: 10,
        parts: [{ at: '2026-11-02T10:15:30.000Z' }],
        note: null,
        labels: { a: '' },
      },
    ],
  ])('accepts %j', (value) => {
    const copy = structuredClone(value);
    expect(errorsOf(Thing, value)).toBeUndefined();
    expect(value).toEqual(copy);
  });
});

describe('invalid value', () => {
  test.each([
    ['a missing field', {}, ['/name']],
    ['an unknown field', { name: 'a', colour: 1 }, ['/colour']],
    ['an unknown field whose name needs escaping', { name: 'a', 'a/b~c': 1 }, ['/a~1b~0c']],
    ['nothing but blanks', { name: '  ' }, ['/name']],
    ['too long a text', { name: 'abcdef' }, ['/name']],
    ['a number as text', { name: 'a', count: '1' }, ['/count']],
    ['a fraction', { name: 'a', count: 1.5 }, ['/count']],
    ['a number beyond the bound', { name: 'a', count: 11 }, ['/count']],
    ['an unknown choice', { name: 'a', kind: 'huge' }, ['/kind']],
    [
      'too many items',
      {
        name: 'a',
        parts: [{ at: '2026-11-02T10:15:30Z' }, { at: '2026-11-02T10:15:30Z' }, { at: '2026-11-02T10:15:30Z' }],
      },
      ['/parts'],
    ],
    ['an impossible date', { name: 'a', parts: [{ at: '2026-13-02T10:15:30Z' }] }, ['/parts/0/at']],
    ['an invalid name of a label', { name: 'a', labels: { A: 'x' } }, ['/labels/A']],
    ['an array', [], ['']],
    ['null', null, ['']],
    ['a text', 'name', ['']],
  ])('refuses at its place: %s', (_, value, pointers) => {
    expect(pointersOf(value)).toEqual(pointers);
  });

  test('names the allowed values of a choice, and a missing field', () => {
    expect(errorsOf(Thing, { name: 'a', kind: 'x' })).toEqual([
      { pointer: '/kind', detail: 'must be one of small, large' },
    ]);
    expect(errorsOf(Thing, {})).toEqual([{ pointer: '/name', detail: 'is required' }]);
  });

  test('names a limit in words', () => {
    const Page = strictObject({ limit: Type.Integer({ minimum: 1, maximum: 100 }) });
    expect(errorsOf(Page, { limit: 101 })).toEqual([{ pointer: '/limit', detail: 'must be at most 100' }]);
    expect(errorsOf(Page, { limit: 0 })).toEqual([{ pointer: '/limit', detail: 'must be at least 1' }]);
  });

  test('reports an error of a nullable value once, without mentioning null', () => {
    const Rates = strictObject({ rates: Type.Array(nullable(Type.Integer({ minimum: 1 }))) });
    expect(errorsOf(Rates, { rates: [0, null, 'a'] })).toEqual([
      { pointer: '/rates/0', detail: 'must be at least 1' },
      { pointer: '/rates/2', detail: 'must be integer' },
    ]);
    const Noted = strictObject({ note: nullable(strictObject({ at: Type.Null() })) });
    expect(errorsOf(Noted, { note: { at: 1 } })).toEqual([{ pointer: '/note/at', detail: 'must be null' }]);
    expect(errorsOf(Noted, { note: {} })).toEqual([{ pointer: '/note/at', detail: 'is required' }]);
  });

  test('reports a value of the wrong form once, with an example of the form', () => {
    const Named = strictObject({
      keyId: idSchema('key', 'A key.'),
      name: displayName('A name.'),
      why: Type.Optional(Why),
    });
    const keyId = 'key_01j9z3v8k6e5t8m2n4p6q8r0s4';
    const ofForm = [{ pointer: '/keyId', detail: `must have the form of ${keyId}` }];
    expect(errorsOf(Named, { keyId: 'key_1', name: 'a' })).toEqual(ofForm);
    expect(errorsOf(Named, { keyId: keyId.replace('key', 'app'), name: 'a' })).toEqual(ofForm);
    expect(errorsOf(Named, { keyId, name: '' })).toEqual([{ pointer: '/name', detail: 'must not be empty' }]);
    const Listed = strictObject({ ids: Type.Array(Type.Integer(), { minItems: 1 }) });
    expect(errorsOf(Listed, { ids: [] })).toEqual([{ pointer: '/ids', detail: 'must not be empty' }]);
    expect(errorsOf(Named, { keyId, name: ' ' })?.map(({ detail }) => detail)).toEqual([
      'must hold visible characters, and none that hide or turn text',
    ]);
    expect(errorsOf(Named, { keyId, name: 'a', why: ' ' })).toEqual([{ pointer: '/why', detail: 'must not be blank' }]);
  });

  test('does not require one of several fields if any of them would be sufficient', () => {
    const [a, b] = [Type.Integer(), Type.Integer()];
    const One = strictObject({ one: Type.Union([strictObject({ a }), strictObject({ b, a: Type.Optional(a) })]) });
    expect(errorsOf(One, { one: {} })).toEqual([{ pointer: '/one', detail: 'needs at least one of a, b' }]);
    expect(errorsOf(One, { one: { b: 'x' } })).toContainEqual({ pointer: '/one/b', detail: 'must be integer' });
    // If two fields are required together, neither is sufficient alone.
    const Both = strictObject({ one: Type.Union([strictObject({ a, b }), strictObject({ c: a })]) });
    expect(errorsOf(Both, { one: {} })?.map(({ pointer }) => pointer)).toEqual(['/one/a', '/one/b', '/one/c']);
  });

  describe('a union of objects with a discriminating field', () => {
    const [size, wings] = [Type.Integer(), Type.Integer()];
    const fish = Type.Object({ kind: Type.Literal('fish'), size });
    const bird = Type.Object({ kind: Type.Enum(['gull', 'tern']), wings, name: Type.String() });
    const Pet = strictObject({ pet: Type.Unsafe({ oneOf: [fish, bird, { type: 'null' }] }) });
    const pets = (pet: unknown) => errorsOf(Pet, { pet });

    test('reports only the errors of the branch that the field selects', () => {
      expect(pets({ kind: 'fish' })).toEqual([{ pointer: '/pet/size', detail: 'is required' }]);
      expect(pets({ kind: 'tern', wings: 'two', name: 'Tern' })).toEqual([
        { pointer: '/pet/wings', detail: 'must be integer' },
      ]);
      expect(errorsOf(nullable(Type.Unsafe({ oneOf: [fish, bird] })), { kind: 'fish' })).toEqual([
        { pointer: '/size', detail: 'is required' },
      ]);
    });

    test('lists the values of the field if it selects no branch', () => {
      const values = 'must be one of fish, gull, tern';
      expect(pets({ kind: 'dog' })).toEqual([{ pointer: '/pet/kind', detail: values }]);
      expect(pets({ size: 1 })).toEqual([{ pointer: '/pet/kind', detail: `is required, and ${values}` }]);
    });

    test('reports one error of a value that is no object', () => {
      expect(pets(1)).toEqual([{ pointer: '/pet', detail: 'must be object' }]);
    });
  });

  describe('a condition', () => {
    // An object literal with `then` would look like a promise.
    const when = (condition: object, branch: object, otherwise: object): Record<string, unknown> =>
      Object.fromEntries([
        ['if', condition],
        ['then', branch],
        ['else', otherwise],
      ]);
    const sent = { properties: { kind: { const: 'sent' } } };
    const inner = when({ required: ['box'] }, { properties: { box: { type: 'integer' } } }, { required: ['bag'] });
    const condition = when(
      sent,
      { required: ['street'], not: { required: ['shop'] } },
      { allOf: [inner], not: { required: ['street', 'city'] } },
    );

    test.each([
      ['of the object', (rule: Record<string, unknown>) => Type.Object({ kind: Type.String() }, rule)],
      ['inside allOf', (rule: Record<string, unknown>) => Type.Object({ kind: Type.String() }, { allOf: [rule] })],
    ])('%s has the errors of the branch that applies', (_, objectWith) => {
      const Order = strictObject({ order: objectWith(condition) });
      const orders = (order: object) =>
        errorsOf(Order, { order })?.map(({ pointer, detail }) => `${pointer} ${detail}`);
      expect(orders({ kind: 'sent' })).toEqual(['/order/street is required']);
      expect(orders({ kind: 'sent', street: 'a', shop: 'b' })).toEqual([
        '/order/shop is not permitted with the other values',
      ]);
      expect(orders({ kind: 'kept' })).toEqual(['/order/bag is required']);
      expect(orders({ kind: 'kept', box: 'x' })).toEqual(['/order/box must be integer']);
      expect(orders({ kind: 'kept', bag: 1, street: 'a', city: 'b' })).toEqual([
        '/order must not have street, city together',
      ]);
    });
  });

  test('names query or path as the place', () => {
    expect(errorsOf(Thing, { name: '' }, 'query')?.[0]?.pointer).toBe('/query/name');
    expect(errorsOf(Thing, { name: 'a', x: 1 }, 'path')?.[0]?.pointer).toBe('/path/x');
  });

  test('treats a field named like a property of every object as unknown', () => {
    const forged: unknown = JSON.parse('{"name":"a","constructor":1,"__proto__":{}}');
    expect(pointersOf(forged)?.sort()).toEqual(['/__proto__', '/constructor']);
  });

  test('limits the list of errors, however many there are', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    expect(errorsOf(Thing, { name: 'a', ...many })?.length).toBeLessThanOrEqual(40);
  });

  test('describes errors in text that Postgres can store, whatever was sent', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ maxLength: 99 }).map((name) => `${'a'.repeat(99)}😀${name}`),
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (value) => {
        for (const { pointer, detail } of errorsOf(Thing, value) ?? []) {
          expect([pointer.isWellFormed(), detail.isWellFormed(), /\0/.test(pointer + detail)]).toEqual([
            true,
            true,
            false,
          ]);
        }
      }),
      { numRuns: 50, examples: [[{ [`${'a'.repeat(99)}😀`]: 1 }]] },
    );
  });
});

describe('value that Postgres cannot store', () => {
  const anything = Type.Unknown();
  test.each([
    ['a NUL', 'a\u0000b', ''],
    ['a lone high surrogate', 'a\ud800', ''],
    ['a lone low surrogate', '\udc00a', ''],
    ['in a nested value', { a: [1, { b: 'a\u0000' }] }, '/a/1/b'],
    ['in a name', { a: { '\u0000': 1 } }, '/a'],
    ['a number beyond a double', JSON.parse('{"a":-1e400}'), '/a'],
  ])('refuses a value that Postgres cannot store, wherever it stands: %s', (_, value, pointer) => {
    expect(errorsOf(anything, value)?.map((part) => part.pointer)).toEqual([pointer]);
  });

  test('accepts characters beyond 16 bits as text', () => {
    expect(errorsOf(anything, { '😀': ['😀', '\uffff', '\u0001'] })).toBeUndefined();
  });
});

test('reports which field names an object accepts, if it accepts any', () => {
  const Free = Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), { additionalProperties: false });
  const Both = strictObject({ names: Free });
  const detail = 'must have a name that matches ^[a-z]+$';
  expect(errorsOf(Both, { names: { a: '', 'A/': '' } })).toEqual([{ pointer: '/names/A~1', detail }]);
  expect(errorsOf(Both, { names: {}, other: 1 })).toEqual([{ pointer: '/other', detail: 'is not a known field' }]);
});

test('reports the value of a map that does not fit, and not its name', () => {
  const Tags = Type.Unsafe<object>({ type: 'object', additionalProperties: { type: 'string' } });
  expect(errorsOf(Tags, { colour: 1 })).toEqual([{ pointer: '/colour', detail: 'must be string' }]);
});

test('accepts an id with its own prefix only', () => {
  const Id = idSchema('srv', 'A server.');
  expect(errorsOf(Id, 'srv_01h2xcejqtf2nbrexx3vqjhp41')).toBeUndefined();
  for (const wrong of [
    'app_01h2xcejqtf2nbrexx3vqjhp41',
    'srv_01h2xcejqtf2nbrexx3vqjhp4',
    'srv_81h2xcejqtf2nbrexx3vqjhp41',
    'srv_01h2xcejqtf2nbrexx3vqjhp41\n',
  ]) {
    expect(errorsOf(Id, wrong)).not.toBeUndefined();
  }
});

describe('metadata of a schema', () => {
  const Part = namedSchema('Part', strictObject({ id: idSchema('srv', 'A server.') }), 3);
  const Whole = strictObject({ part: Part, secret: sensitive(Part), free: sensitive(Type.Optional(Part)) });
  const copies: [string, Record<string, TSchema>][] = [
    ['Type.Optional', { part: Type.Optional(Part), secret: Type.Optional(Whole.properties.secret) }],
    ['Type.Partial', Type.Partial(Whole).properties],
    ['Type.Required', Type.Required(Type.Partial(Whole)).properties],
    ['Type.Pick', Type.Pick(Whole, ['part', 'secret']).properties],
    ['Type.Readonly', { part: Type.Readonly(Part), secret: Type.Readonly(Whole.properties.secret) }],
  ];

  test.each(copies)('metadata of a schema survives %s', (_, { part = {}, secret = {} }) => {
    expect([nameOfSchema(part), versionOfSchema(part), isSensitive(part)]).toEqual(['Part', 3, false]);
    expect([nameOfSchema(secret), isSensitive(secret)]).toEqual(['Part', true]);
  });

  test('a schema built from another one’s fields loses its name, but keeps the marks of sensitive values', () => {
    expect(nameOfSchema({ ...Part })).toBeUndefined();
    expect(isSensitive({ ...sensitive(Part) })).toBe(true);
    expect(isSensitive(Part)).toBe(false);
  });
});
