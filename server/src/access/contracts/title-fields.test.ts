import { expect, test } from 'vitest';
import { sensitive, Type } from '../../kit/http/schema.ts';
import { resource } from './contract.ts';
import type { AnyResource, ResourceDeclaration } from './declaration.ts';
import { titleFieldsOf } from './title-fields.ts';

const text = Type.String();
const declare = (fields: ResourceDeclaration['fields'], more: Partial<ResourceDeclaration> = {}): AnyResource =>
  resource<ResourceDeclaration>({
    ...{ file: 'file:///shop/contract.mjs', name: 'Tea', kind: 'tea', plural: 'teas', noun: 'tea', description: 'x' },
    ...{ path: 'teas', tag: 'x', idPrefix: 'tea', scope: 'teas:read', origin: 'made', example: {}, events: {} },
    identity: { field: 'id', form: 'integer', description: 'x' },
    fields,
    ...more,
  });
const UNNAMED = { identity: { form: 'uuid', description: 'x' } } as const;

test.each<[string, AnyResource, string[]]>([
  ['a name before a title', declare({ note: text, title: text, name: text }), ['name', 'title']],
  ['another spelling', declare({ 'Display-Name': text, full_name: text }), ['Display-Name', 'full_name']],
  ['the name of its kind', declare({ tea_name: text, cup_name: text }), ['tea_name']],
  ['a name that can be null', declare({ name: Type.Union([Type.Null(), text]) }), ['name']],
  ['a name in a list of types', declare({ name: { type: ['string', 'null'] } }), ['name']],
  ['no object, number, time or set of values', declare({ name: Type.Object({}), title: Type.Integer() }), []],
  ['no time', declare({ name: { type: 'string', format: 'date-time' }, label: { type: 'string', enum: ['a'] } }), []],
  ['no sensitive or unreadable value', declare({ name: sensitive(text), title: { ...text, writeOnly: true } }), []],
  ['fields that an open object can have', declare({ label: text }, { open: true }), ['label', 'name', 'title']],
  ['nothing for objects with an identifier', declare({ note: text }), []],
  [
    'the first text of objects without an identifier',
    declare({ grams: Type.Integer(), note: text }, UNNAMED),
    ['note'],
  ],
  [
    'no state, parent or optional field of such objects',
    declare({ a: text, status: text, cup: text }, { ...UNNAMED, optional: ['a'], parentField: 'cup' }),
    [],
  ],
])('the title of an object is %s', (_what, declared, expected) => {
  expect(titleFieldsOf(declared)).toEqual(expected);
});
