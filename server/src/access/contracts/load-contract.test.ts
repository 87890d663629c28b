// Contracts in folders: the loaded contract, and the mistakes of modules that were written by hand or with bad intent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import type { AnyResource } from './declaration.ts';
import { loadContract } from './load-contract.ts';
import { presetCounts } from './object-limits.ts';

const home = mkdtempSync(join(tmpdir(), 'slipway-contracts-'));
afterAll(() => rmSync(home, { recursive: true }));

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(home, 'contract-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function mistakesOf(files: Record<string, string>): Promise<string[]> {
  const result = await loadContract(folderWith(files)).catch((error: unknown) => error);
  expect(result).toBeInstanceOf(ContractError);
  return [...(result as ContractError).mistakes]; // checked above
}

const operation = `{ effect: 'get', method: 'GET', path: '/orders/{orderId}', summary: 'Get an order', scopes: ['orders:read'], status: 200, content: { of: 'object' } }`;
/**
 * Returns a contract with one resource. The texts are members of the resource, statements before it, and members of
 * the contract.
 */
const contractWith = (members = '', before = '', ofContract = ''): string => `
export default (kit) => {
  ${before}
  const orders = kit.resource({
    file: import.meta.url, name: 'Order', kind: 'order', plural: 'orders', noun: 'order', description: 'An order.',
    path: 'orders', tag: 'Orders', idPrefix: 'ord', scope: 'orders:read', origin: 'seeded',
    identity: { field: 'id', form: 'integer', description: 'The number.' },
    fields: { title: { type: 'string', maxLength: 20 } }, optional: ['title'],
    example: { id: 1, title: 'Tea' }, operations: { getOrder: ${operation} }, events: {},
    ${members}
  });
  return kit.defineContract({
    file: import.meta.url, name: 'shop', scopes: { 'orders:read': 'Read orders', 'events:read': 'Read events' },
    keyPresets: {}, resources: [orders], presets: {}, ${ofContract}
  });
};`;
const inModule = (members: string): Record<string, string> => ({ 'contract.mjs': contractWith(members) });

describe('a contract in a folder', () => {
  test('is loaded with the functions of the kit', async () => {
    const contract = await loadContract(
      folderWith(inModule(`fields: { title: kit.text('The title.', { maxLength: 20 }) },`)),
    );
    expect([contract.name, contract.resources[0]?.name]).toEqual(['shop', 'Order']);
    expect(contract.resources[0]?.schema).toMatchObject({
      properties: { id: { type: 'integer' }, title: { maxLength: 20 } },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['without a module', { 'index.mjs': '' }, 'must contain contract.mjs or contract.ts'],
    ['with two modules', { 'contract.mjs': '', 'contract.ts': '' }, 'must contain only one of'],
    ['with a syntax error', { 'contract.mjs': 'export default (' }, 'contract.mjs cannot be loaded'],
    ['whose import is missing', { 'contract.mjs': "import './missing.mjs';" }, 'cannot be loaded: Cannot find module'],
    [
      'without a default export',
      { 'contract.mjs': 'export const a = 1;' },
      'must have a default export that is a function of the kit',
    ],
    [
      'whose function throws',
      { 'contract.mjs': "export default () => { throw new Error('No.'); };" },
      'throws an error: No.',
    ],
    [
      'whose function returns an object',
      { 'contract.mjs': 'export default () => ({ name: 1 });' },
      'must return the result of `kit.defineContract`',
    ],
    [
      'whose function is asynchronous',
      { 'contract.mjs': contractWith().replace('(kit) =>', 'async (kit) =>') },
      'must return the result',
    ],
    [
      'with resources that the kit did not make',
      { 'contract.mjs': contractWith().replace('[orders]', '[{ ...orders }]') },
      'resources must be results of `kit.resource`',
    ],
    [
      'that replaces a function of the kit',
      { 'contract.mjs': contractWith('', 'kit.resource = (one) => one;') },
      'throws an error: Cannot assign to read only property',
    ],
  ])('is refused %s', async (_, files, mistake) => {
    expect((await mistakesOf(files)).join('\n')).toContain(mistake);
  });

  test('lists the mistakes of all its modules', async () => {
    const second = `const other = kit.resource({ file: import.meta.url, name: 'Item' });`;
    const mistakes = await mistakesOf({ 'contract.mjs': contractWith('kind: 3, colour: 1,', second) });
    expect(mistakes).toContain('contract.mjs: Order.kind must be string.');
    expect(mistakes).toContain('contract.mjs: Order.colour is not a known field.');
    expect(mistakes.some((one) => one.startsWith('contract.mjs: Item.'))).toBe(true);
  });
});

describe('a module in TypeScript', () => {
  const canStrip = Boolean(Reflect.get(process.features, 'typescript'));
  const files = { 'contract.ts': contractWith().replace('(kit)', '(kit: never)') };

  test('is loaded by a Node.js that strips types, and refused by another', async () => {
    const outcome = canStrip ? [(await loadContract(folderWith(files))).name] : await mistakesOf(files);
    expect(outcome[0]).toMatch(canStrip ? 'shop' : 'contract.ts requires Node.js 22.18 or later');
  });
});

const nested = (levels: number): string => `${'{ properties: { a: '.repeat(levels)}{}${' } }'.repeat(levels)}`;
const action = (change: string): string => `operations: { getOrder: { ...${operation}, ${change} } },`;

const list = (content: string): string =>
  `operations: { listOrders: { effect: 'list', method: 'GET', path: '/orders', summary: 'List orders',
    scopes: ['orders:read'], status: 200, query: { title: { schema: {} } }, content: { of: 'list', ${content} } } },`;
const cursor = `by: 'cursor', parameter: 'after'`;
const size = `limit: 'limit'`;
const TOTAL = `{ type: 'object', properties: { data: { properties: { n: {} } }, meta: { properties: { total: {} } } } }`;
const around = (schema: string, values = ''): string =>
  list(`in: 'data', paging: { by: 'none' }, around: { schema: ${schema}, values: { ${values} } }`);
const LIST_OF_OTHERS = `effect: 'list', path: '/orders/{orderId}/related', content: { of: 'list', paging: { by: 'none' } }`;
const CREATION_BELOW = `effect: 'create', method: 'POST', path: '/orders/{orderId}/copies'`;

test.each([
  LIST_OF_OTHERS,
  CREATION_BELOW,
  `effect: 'create', method: 'PUT', path: '/orders/{orderId}'`,
])('a contract with %s and declared parameters is accepted', async (change) => {
  const params = change.includes('PUT') ? '{}' : '{ orderId: { schema: {} } }';
  const contract = await loadContract(folderWith(inModule(action(`${change}, params: ${params}`))));
  expect(Object.keys(contract.resources[0]?.operations ?? {})).toEqual(['getOrder']);
});

test.each<[string, string]>([
  [`fields: { constructor: {} },`, 'Order.fields.constructor must be named'],
  [`fields: { ['__proto__']: {} },`, 'Order.fields.__proto__ must be named'],
  [
    `fields: JSON.parse('{"a":{"properties":{"__proto__":{}}}}'), optional: [],`,
    'Order.fields.a/properties/__proto__ must not have the name',
  ],
  [`fields: { 'a b': {} },`, 'Order.fields.a b must be named'],
  [`fields: { title: { pattern: '(a+)+$' } },`, 'Order.fields.title/pattern is a pattern that has nested'],
  [`fields: { title: { pattern: '(a|a)*$' } },`, 'repeats a group of alternatives'],
  [
    `fields: { title: { patternProperties: { '(x*)*': {} } } },`,
    'Order.fields.title/patternProperties is a pattern that',
  ],
  [`fields: { title: { $ref: '#/x' } },`, 'Order.fields.title/$ref must not refer to another schema'],
  [`fields: { title: ${nested(60)} },`, 'is nested more than 40 deep'],
  [`fields: { title: { enum: [], oneOf: Array.from({ length: 50_000 }, () => ({})) } },`, 'has more than 40000 values'],
  [`fields: { title: { type: 'string', maxLength: 2 } },`, 'Order.example/title'],
  [`name: 'Map',`, 'Map.name must not be Map'],
  [`name: 'Event',`, 'Event.name must not be Event'],
  [`path: 'events',`, 'Order.path must not be events'],
  [`scope: 'events:read',`, 'Order.scope must not be events:read'],
  [
    `identity: { field: 'id', form: 'prefixed', prefix: '(a*)*', description: '' },`,
    'Order.identity.prefix must be like',
  ],
  [
    `identity: { field: 'id', form: 'integer', prefix: 'a_', description: '' },`,
    'Order.identity.prefix is required with the form `prefixed`',
  ],
  [`identity: { field: 'title', form: 'text', description: '' },`, 'Order.fields.title must not be declared'],
  [`optional: ['price'],`, 'Order.optional names price'],
  [`parentField: 'shop',`, 'Order.parentField is shop'],
  [`samples: [{ id: -1 }],`, 'Order.samples/0/id'],
  [`stateField: 'title', states: { open: [] },`, 'Order.fields.title must be one of open'],
  [`events: { 'order.sent': { meaning: '', entering: 'sent' } },`, `Order.events['order.sent'].entering is sent`],
  [`events: { 'installation.sent': { meaning: '' } },`, 'must not begin with installation.'],
  [action(`path: '/me/{orderId}'`), 'path must not begin with me'],
  [action(`path: '/orders/../{orderId}'`), 'path must be like'],
  [action(`path: '/orders/{shopId}'`), 'path has {shopId}'],
  [action(`path: '/orders'`), 'path requires {orderId}'],
  [action(`method: 'POST'`), 'method must be GET'],
  [action(LIST_OF_OTHERS), 'path has {orderId}, which must be declared in params'],
  [action(CREATION_BELOW), 'path has {orderId}, which must be declared in params'],
  [action(`scopes: []`), 'scopes must name at least one'],
  [action(`scopes: ['tea:read']`), 'scopes names tea:read'],
  [action(`status: 302`), 'status must be from 200 to 299'],
  [action(`status: 204`), 'status must not be 204, because the response has content'],
  [action(`becomes: 'sent'`), 'becomes is sent'],
  [action(`input: { schema: { pattern: '(a+)+' } }`), 'input/pattern is a pattern'],
  [action(`input: { schema: {}, in: 'a b' }`), 'input.in must be the name of a field of the body'],
  [action(`input: { schema: { properties: { b: {} } }, in: 'a' }`), 'input.in must be the name of a field of the body'],
  [`alternatives: [{ fields: { price: {} } }],`, 'Order.alternatives[0].fields.price is no field'],
  [`alternatives: [{ fields: { title: { pattern: '(a+)+$' } } }],`, 'Order.alternatives[0].fields.title/pattern is a'],
  [action(`query: { 'a b': { schema: {} } }`), `query['a b'] must be the name`],
  [action(`query: { constructor: { schema: {} } }`), `query['constructor'] must be the name`],
  [action(`content: { of: 'file', types: ['image/png'], maxBytes: 1e9 }`), 'content.maxBytes must be from 1'],
  [action(`content: { of: 'file', types: ['a/b\\r\\nx: y'], maxBytes: 9 }`), 'content.types must be media types'],
  [action(`content: { of: 'file', types: ['a/b;base64,c'], maxBytes: 9 }`), 'content.types must be media types'],
  [list(`paging: { by: 'page', parameter: 'a b' }`), 'content.paging.parameter must be the name of a query parameter'],
  [list(`paging: { by: 'page', parameter: '__proto__' }`), 'content.paging.parameter must be the name'],
  [list(`paging: { by: 'offset', parameter: 'from', limit: '' }`), 'content.paging.limit must be the name'],
  [list(`paging: { by: 'page', parameter: 'n', limit: 'n' }`), 'content.paging.limit must differ'],
  [list(`paging: { ${cursor}, maxLimit: 30 }`), 'content.paging.maxLimit requires `limit`'],
  [list(`paging: { ${cursor}, ${size}, maxLimit: 101 }`), 'content.paging.maxLimit must be an integer from 1 to 100'],
  [list(`paging: { ${cursor}, ${size}, maxLimit: 2.5 }`), 'content.paging.maxLimit must be an integer from 1 to 100'],
  [list(`paging: { ${cursor}, ${size}, maxLimit: '30' }`), 'content.paging.maxLimit must be an integer from 1 to 100'],
  [list(`paging: { ${cursor}, ${size}, defaultLimit: 0 }`), 'content.paging.defaultLimit must be an integer from 1'],
  [
    list(`paging: { by: 'page', parameter: 'n', ${size}, maxLimit: 30, defaultLimit: 31 }`),
    'content.paging.defaultLimit must be at most `maxLimit`',
  ],
  [list(`paging: { by: 'page', parameter: 'title' }`), 'content.paging.parameter must not be title'],
  [list(`in: 'data', paging: { ${cursor}, next: 'a b' }`), 'content.paging.next must be the name of a field'],
  [list(`in: 'data', paging: { ${cursor}, next: 'meta..next' }`), 'content.paging.next must be the name of a field'],
  [
    list(`in: 'data', paging: { ${cursor}, next: 'meta.constructor' }`),
    'content.paging.next must be the name of a field',
  ],
  [list(`paging: { ${cursor}, next: 'next' }`), 'content.paging.next requires `content.in`'],
  [list(`in: 'data', paging: { ${cursor}, next: 'data' }`), 'content.paging.next must not be data'],
  [list(`in: 'data', paging: { ${cursor}, next: 'data.next' }`), 'content.paging.next must not be data.next'],
  [list(`in: 'data.', paging: { by: 'none' }`), 'content.in must be the name of a field'],
  [list(`paging: { by: 'none' }, around: { schema: { type: 'object' } }`), 'content.around requires `content.in`'],
  [around(`{ type: 'array' }`), 'content.around.schema must have the type `object`'],
  [around(`{ $ref: '#/a' }`), 'content.around.schema/$ref must not refer to another schema'],
  [
    around(
      `{ type: 'object', required: ['x'], properties: { x: { pattern: '^a(?=b)$' }, y: { not: {} } }, minProperties: 9 }`,
    ),
    'content.around.schema must have examples',
  ],
  [around(TOTAL, `'meta.total': 'sum'`), `content.around.values['meta.total'] must be one of total, pages`],
  [around(TOTAL, `'meta.totals': 'total'`), `content.around.values['meta.totals'] must be the path of a field`],
  [around(TOTAL, `'meta.constructor': 'total'`), 'must be the path of a field in `schema`'],
  [around(TOTAL, `data: 'count'`), `content.around.values['data'] must be the path of another field`],
  [around(TOTAL, `'data.n': 'count'`), `content.around.values['data.n'] must be the path of another field`],
  [
    `operations: { getOrder: { ...${operation}, content: { of: 'object', in: 'data', around: { schema: ${TOTAL}, values: { 'meta.total': 'total' } } } } },`,
    'content.around.values must be empty',
  ],
  [
    `example: { id: 1, title: 'x'.repeat(70_000) }, fields: { title: {} },`,
    'Order.example must have at most 65536 bytes',
  ],
  [`samples: [{ id: 1, title: 'x'.repeat(70_000) }], fields: { title: {} },`, 'Order.samples/0 must have at most'],
  [
    `operations: { getOrder: { ...${operation}, params: { shop: { schema: {}, of: 'Shop' } } } },`,
    "Order.operations.getOrder.params['shop'].of must be the name of a resource",
  ],
  [`operations: { getOrder: ${operation}, readOrder: ${operation} },`, 'must be the only operation of GET /orders/{}'],
  [`operations: { get_me: ${operation} },`, 'operations.get_me must not be named get_me, which the platform uses'],
  [`operations: { 'get order': ${operation} },`, `operations['get order'] must be named`],
])('a contract with %s is refused', async (members, mistake) => {
  expect((await mistakesOf(inModule(members))).join('\n')).toContain(mistake);
});

describe('the objects of a preset', () => {
  /** Returns a contract with resources below each other, and a preset with this number of each per parent. */
  const deep = (levels: number, count: number | undefined): string => `
export default (kit) => {
  const resources = [];
  for (let level = 0; level < ${levels}; level++) {
    const letter = String.fromCharCode(97 + level);
    resources.push(kit.resource({
      file: import.meta.url, name: letter.toUpperCase(), kind: letter, plural: letter, noun: letter, description: '',
      path: letter, tag: '', idPrefix: letter.repeat(3), scope: 'a:read', origin: 'seeded', fields: {}, events: {},
      ...(level > 0 && { parent: resources[level - 1] }),
      example: Object.fromEntries([['id', letter.repeat(3)], ...resources.map(({ name, idPrefix }) =>
        [name.toLowerCase() + 'Id', idPrefix])].map(([name, prefix]) => [name, prefix + '_01j9z3v8k6e5t8m2n4p6q8r0s4'])),
    }));
  }
  const counts = Object.fromEntries(resources.map(({ plural }) => [plural, ${count ?? 0}]));
  return kit.defineContract({
    file: import.meta.url, name: 'deep', scopes: { 'a:read': '', 'events:read': '' }, keyPresets: {}, resources,
    presets: ${count === undefined ? '{}' : "{ busy: { meaning: '', counts, script: 'plain', tickMs: 1000 } }"},
  });
};`;

  test('are at most 10,000 of a resource, and 50,000 in total', async () => {
    const load = (levels: number, count: number) => mistakesOf({ 'contract.mjs': deep(levels, count) });
    expect(await load(4, 20)).toEqual([
      'contract.mjs: presets.busy.counts.d must give at most 10000 objects, and gives 160000: counts multiply at each level.',
      'contract.mjs: presets.busy.counts must give at most 50000 objects of all resources, and gives 168420.',
    ]);
    const valid = await loadContract(folderWith({ 'contract.mjs': deep(4, 10) }));
    expect(Object.keys(valid.presets)).toEqual(['busy']);
  });

  test('are fewer per parent at deep levels if the contract declares no preset', () => {
    const levels = Array.from({ length: 7 }, (_, level) => ({ plural: `level${level}` }) as AnyResource);
    for (const [level, one] of levels.entries()) if (level > 0) one.parent = levels[level - 1] as AnyResource;
    expect(Object.values(presetCounts(levels, 10, 10))).toEqual([10, 10, 10, 7, 1, 1, 1]);
  });
});

describe('deprecations', () => {
  const deprecation = (members: string): Record<string, string> => ({
    'contract.mjs': contractWith(
      `events: { 'order.paid': { meaning: 'Paid.' } },`,
      '',
      `deprecations: [{ id: 'old', title: 'Old', replacement: 'Use new.', announced: '2026-12-01', ends: '2027-05-30',
        operations: ['getOrder'], where: { in: 'operation' }, ${members} }]`,
    ),
  });

  test('are loaded', async () => {
    for (const members of ['', `where: { in: 'response', pointer: '/title' }`]) {
      const { deprecations } = await loadContract(folderWith(deprecation(members)));
      expect(deprecations?.map(({ id }) => id)).toEqual(['old']);
    }
    const events = `operations: [], where: { in: 'events', type: 'order.paid', schemaVersion: 1 }`;
    expect((await loadContract(folderWith(deprecation(events)))).deprecations).toHaveLength(1);
  });

  test.each([
    ['with another form of id', `id: 'Old'`, 'deprecations.0.id must have lower-case letters'],
    ['that ends after 179 days', `ends: '2027-05-29'`, 'deprecations.0.ends must be a day at least 180 days after'],
    ['on a day that does not exist', `ends: '2027-13-41'`, 'deprecations.0.ends must be a day at least 180 days'],
    ['that is not a day', `ends: 'soon'`, 'deprecations.0.ends'],
    ['without operations', `operations: []`, 'operations must name at least one operation'],
    ['of an unknown operation', `operations: ['constructor']`, 'operations names constructor, which is no operation'],
    ['of an unknown parameter', `where: { in: 'query', name: 'sort' }`, 'where names nothing in the query of getOrder'],
    ['of a body', `where: { in: 'body', pointer: '/title' }`, 'where names nothing in the body of getOrder'],
    ['of an unknown field', `where: { in: 'response', pointer: '/x' }`, 'where names nothing in the response'],
    [
      'of an unknown event',
      `operations: [], where: { in: 'events', type: 'a.b' }`,
      'where.type is a.b, which is no event',
    ],
    [
      'of an unknown version',
      `operations: [], where: { in: 'events', type: 'order.paid', schemaVersion: 2 }`,
      'where.schemaVersion is 2, which the event does not have',
    ],
    ['of events and operations', `where: { in: 'events', type: 'order.paid' }`, 'operations must be empty'],
  ])('%s are refused', async (_name, members, mistake) => {
    expect((await mistakesOf(deprecation(members))).join(' ')).toContain(`contract.mjs: `);
    expect((await mistakesOf(deprecation(members))).join(' ')).toContain(mistake);
  });
});
