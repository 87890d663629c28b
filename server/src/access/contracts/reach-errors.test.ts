// The parts of a contract that production refuses: operations whose granting object follows from nothing, and events of
// objects without an identifier.
import { expect, test } from 'vitest';
import { type TSchema, Type } from '../../kit/http/schema.ts';
import { resource } from './contract.ts';
import type { AnyResource, ResourceDeclaration } from './declaration.ts';
import type { OperationDeclaration } from './operation-declaration.ts';
import { reachOf } from './reach.ts';
import { productionErrors } from './reach-errors.ts';

const operation = (
  effect: OperationDeclaration['effect'],
  method: OperationDeclaration['method'],
  path: string,
  more: Partial<OperationDeclaration> = {},
): OperationDeclaration => ({
  ...{ effect, method, path, summary: 'x', scopes: ['teas:read'], status: 200 },
  content: effect === 'list' ? { of: 'list', paging: { by: 'none' } } : { of: 'object' },
  ...more,
});
const declare = (kind: string, more: Partial<ResourceDeclaration>): AnyResource =>
  resource<ResourceDeclaration>({
    ...{
      file: 'file:///shop/contract.mjs',
      name: kind.charAt(0).toUpperCase() + kind.slice(1),
      kind,
      plural: `${kind}s`,
    },
    ...{ noun: kind, description: 'x', path: `${kind}s`, tag: 'x', idPrefix: kind.slice(0, 3), scope: 'teas:read' },
    ...{ origin: 'made', fields: { shop: Type.Integer(), box: Type.Integer() }, example: {}, events: {} },
    identity: { field: 'id', form: 'integer', description: 'x' },
    ...more,
  });

const shop = declare('shop', { grants: true });
const read = { getBox: operation('get', 'GET', '/boxes/{boxId}') };
const boxIn = (more: Partial<ResourceDeclaration>): AnyResource => declare('box', { parent: shop, ...more });

test.each<[string, AnyResource, OperationDeclaration, string | undefined]>([
  ['the account', declare('tea', {}), operation('list', 'GET', '/teas'), 'account'],
  ['the path', boxIn({}), operation('list', 'GET', '/shops/{shopId}/boxes'), 'path'],
  ['each object', boxIn({ parentField: 'shop' }), operation('list', 'GET', '/boxes'), 'items'],
  ['each granting object', shop, operation('list', 'GET', '/shops'), 'items'],
  [
    'the read object',
    boxIn({ parentField: 'shop', operations: read }),
    operation('update', 'PATCH', '/boxes/{boxId}'),
    'object',
  ],
  ['the body', boxIn({ parentField: 'shop' }), operation('create', 'POST', '/boxes'), 'body'],
  [
    'nothing, because objects do not name it',
    boxIn({ operations: read }),
    operation('get', 'GET', '/boxes/{boxId}'),
    undefined,
  ],
  [
    'nothing, because objects can lack it',
    boxIn({ parentField: 'shop', optional: ['shop'], operations: read }),
    operation('get', 'GET', '/boxes/{boxId}'),
    undefined,
  ],
  [
    'nothing, because no operation reads it',
    boxIn({ parentField: 'shop' }),
    operation('delete', 'DELETE', '/boxes/{boxId}'),
    undefined,
  ],
])('the granting object follows from %s', (_what, one, declared, expected) => {
  expect(reachOf(one, declared)?.by).toBe(expected);
});

test('the granting object of an object two levels below follows if each level can be read', () => {
  const tea = (box: AnyResource) => declare('tea', { parent: box, parentField: 'box', operations: { getTea } });
  const getTea = operation('get', 'GET', '/teas/{teaId}');
  expect(reachOf(tea(boxIn({ parentField: 'shop', operations: read })), getTea)?.by).toBe('object');
  expect(reachOf(tea(boxIn({ parentField: 'shop' })), getTea)).toBeUndefined();
});

test('each part that production cannot serve is a sentence with file and field', () => {
  const tea = declare('tea', {
    identity: { form: 'integer', description: 'x' },
    events: { 'tea.sold': { meaning: 'x' } },
    operations: {
      print: operation('action', 'POST', '/teas/print', { content: { of: 'file', types: ['a/b'], maxBytes: 9 } }),
    },
  });
  const box = boxIn({ operations: { deleteBox: operation('delete', 'DELETE', '/boxes/{boxId}') } });
  expect(productionErrors({ resources: [shop, box, tea] })).toEqual([
    'contract.mjs: Box.operations.deleteBox.path requires {shopId} for production, because the granting object follows neither from the path nor from fields of the objects.',
    'contract.mjs: Tea.identity.field is required for production, because a reported event names its object.',
  ]);
  expect(productionErrors({ resources: [shop] })).toEqual([]);
});

test('a required total of a list of the objects whose grants permit it is refused', () => {
  const count = Type.Integer();
  const listWith = (total: TSchema, required: string[], path = '/boxes'): AnyResource => {
    const schema = Type.Unsafe<object>({ type: 'object', required, properties: { data: {}, total, took: count } });
    const around = { schema, values: { total: 'total' } } as const;
    const content = { of: 'list', in: 'data', paging: { by: 'none' }, around } as const;
    return boxIn({ parentField: 'shop', operations: { listBoxes: operation('list', 'GET', path, { content }) } });
  };
  const errorsOf = (one: AnyResource): string[] => productionErrors({ resources: [shop, one] });
  expect(errorsOf(listWith(count, ['total']))).toEqual([
    'contract.mjs: Box.operations.listBoxes.content.around.schema must not require total for production, because the upstream API counts objects that grants withhold.',
  ]);
  expect(errorsOf(listWith(count, ['took']))).toEqual([]);
  expect(errorsOf(listWith(Type.Union([count, Type.Null()]), ['total']))).toEqual([]);
  expect(errorsOf(listWith(count, ['total'], '/shops/{shopId}/boxes'))).toEqual([]);
});
