// The changes between two contracts: which of them are additive, and which break clients or data.
import { describe, expect, test } from 'vitest';
import {
  type AnyResource,
  type ContractDeclaration,
  type DeclaredDeprecation,
  type OperationDeclaration,
  type ResourceDeclaration,
  resource,
} from '../../access/contracts/index.ts';
import { compareContracts, contractSnapshot } from './index.ts';

const get: OperationDeclaration = {
  effect: 'get',
  method: 'GET',
  path: '/orders/{orderId}',
  summary: 'Get an order',
  scopes: ['orders:read'],
  status: 200,
  content: { of: 'object' },
};
const list: OperationDeclaration = {
  ...get,
  effect: 'list',
  path: '/orders',
  query: { title: { schema: { type: 'string' } } },
  content: { of: 'list', in: 'data', paging: { by: 'cursor', parameter: 'after' } },
};
const pagedList = (size: { maxLimit?: number; defaultLimit?: number }): OperationDeclaration => ({
  ...list,
  content: { of: 'list', in: 'data', paging: { by: 'cursor', parameter: 'after', limit: 'limit', ...size } },
});
const create: OperationDeclaration = {
  ...get,
  effect: 'create',
  method: 'POST',
  path: '/orders',
  status: 201,
  input: { schema: { type: 'object', properties: { title: { type: 'string' } } } },
};

const order = (change: Partial<ResourceDeclaration> = {}): AnyResource =>
  resource<ResourceDeclaration>({
    file: 'file:///shop/order.mjs',
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
    fields: {
      title: { type: 'string' },
      status: { type: 'string', enum: ['open', 'paid'] },
      rules: { allOf: [{ minimum: 1 }] },
    },
    states: { open: ['paid'], paid: [] },
    example: {},
    operations: { getOrder: get, listOrders: list, createOrder: create },
    events: { 'order.paid': { meaning: 'An order was paid.' } },
    ...change,
  });

const shop = (one: AnyResource, change: Partial<ContractDeclaration> = {}): ContractDeclaration => ({
  file: 'file:///shop/contract.mjs',
  name: 'shop',
  scopes: { 'orders:read': 'Read orders', 'events:read': 'Read events' },
  keyPresets: {},
  resources: [one],
  presets: {},
  ...change,
});
/** Compares contracts as a plane stores them. */
const difference = (before: ContractDeclaration, after: ContractDeclaration) =>
  compareContracts(JSON.parse(JSON.stringify(contractSnapshot(before))), contractSnapshot(after));
const operations = (change: Record<string, OperationDeclaration>): AnyResource =>
  order({ operations: { getOrder: get, listOrders: list, createOrder: create, ...change } });
const { fields } = order();

test('equal contracts have no differences', () => {
  expect(difference(shop(order()), shop(order()))).toEqual({
    breaking: [],
    added: [],
    removed: [],
    deprecated: [],
  });
});

test('a field around the objects of a list can be added, and not removed', () => {
  const total = { type: 'integer' } as const;
  const around = { schema: { type: 'object', properties: { data: {}, meta: { properties: { total } } } } } as const;
  const content = { of: 'list', in: 'data', paging: { by: 'none' }, around } as const;
  const [before, after] = [{}, { around }].map((more) =>
    shop(operations({ listOrders: { ...list, content: { of: 'list', in: 'data', paging: content.paging, ...more } } })),
  ) as [ContractDeclaration, ContractDeclaration];
  expect(difference(before, after).breaking).toEqual([]);
  expect(difference(after, before).breaking).toEqual(['listOrders response 200 /meta: removed']);
});

test.each<[string, ContractDeclaration, string[]]>([
  [
    'a field',
    shop(order({ fields: { ...fields, note: { type: 'string' } } })),
    ['Schema `Order`: field `note`', 'Schema `order.paid version 1`: field `note`'],
  ],
  [
    'an operation',
    shop(operations({ cancelOrder: { ...get, effect: 'action', method: 'POST', path: '/orders/{orderId}/cancel' } })),
    ['Operation `cancelOrder` (`POST /orders/{orderId}/cancel`)'],
  ],
  [
    'an event',
    shop(order({ events: { ...order().events, 'order.sent': { meaning: '' } } })),
    ['Event `order.sent`', 'Schema `order.sent version 1`'],
  ],
  ['a scope', shop(order(), { scopes: { ...shop(order()).scopes, 'orders:write': '' } }), ['Scope `orders:write`']],
])('adding %s is not breaking', (_, after, added) => {
  expect(difference(shop(order()), after)).toEqual({ breaking: [], added, removed: [], deprecated: [] });
});

test.each<[string, ContractDeclaration, string, ContractDeclaration?]>([
  [
    'a removed field',
    shop(order({ fields: { status: { type: 'string', enum: ['open', 'paid'] } } })),
    'getOrder response 200 /title: removed',
  ],
  [
    'a field that can be missing',
    shop(order({ optional: ['title'] })),
    'getOrder response 200 /title: may now be missing',
  ],
  [
    'a further state',
    shop(order({ fields: { ...fields, status: { type: 'string', enum: ['open', 'paid', 'late'] } } })),
    'getOrder response 200 /status: may now be "late"',
  ],
  [
    'another rule of allOf',
    shop(order({ fields: { ...fields, rules: { allOf: [{ minimum: 2 }] } } })),
    'getOrder response 200 /rules: may now be',
  ],
  ['a removed operation', shop(order({ operations: { getOrder: get } })), 'createOrder: removed from POST /orders'],
  [
    'a required scope more',
    shop(operations({ getOrder: { ...get, scopes: ['orders:read', 'events:read'] } })),
    'getOrder security: now needs events:read',
  ],
  [
    'a required field of a request',
    shop(
      operations({
        createOrder: {
          ...create,
          input: { schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } },
        },
      }),
    ),
    'createOrder request /title: is now required',
  ],
  [
    'another envelope',
    shop(operations({ listOrders: { ...list, content: { of: 'list', in: 'items', paging: { by: 'none' } } } })),
    'listOrders query after: removed',
  ],
  [
    'a lower maximum of a limit',
    shop(operations({ listOrders: pagedList({ maxLimit: 30 }) })),
    'listOrders query limit /: maximum went from none to 30',
    shop(operations({ listOrders: pagedList({}) })),
  ],
  [
    'another default of a limit',
    shop(operations({ listOrders: pagedList({ defaultLimit: 20 }) })),
    'listOrders query limit /: the default went from 10 to 20',
    shop(operations({ listOrders: pagedList({ defaultLimit: 10 }) })),
  ],
  ['a removed filter', shop(operations({ listOrders: { ...list, query: {} } })), 'listOrders query title: removed'],
  ['a removed event', shop(order({ events: {} })), 'webhook order.paid: removed'],
  ['a removed scope', shop(order(), { scopes: { 'events:read': '' } }), 'scope orders:read: removed'],
  ['a removed resource', shop(order({ name: 'Invoice' })), 'resource Order: removed'],
  [
    'another form of identifiers',
    shop(order({ identity: { field: 'id', form: 'uuid', description: '' } })),
    'resource Order: identity.form went from integer to uuid',
  ],
  ['another creator', shop(order({ origin: 'seeded' })), 'resource Order: origin went from made to seeded'],
])('%s breaks clients or data', (_, after, change, before = shop(order())) => {
  expect(difference(before, after).breaking.join('\n')).toContain(change);
});

// A response or an event can still contain the part, and the old contract may be stored without its deprecations.
test.each<[string, DeclaredDeprecation['where'], string[], AnyResource]>([
  ['an operation', { in: 'operation' }, ['createOrder'], order({ operations: { getOrder: get, listOrders: list } })],
  ['a filter', { in: 'query', name: 'title' }, ['listOrders'], operations({ listOrders: { ...list, query: {} } })],
  [
    'a field of a body',
    { in: 'body', pointer: '/title' },
    ['createOrder'],
    operations({ createOrder: { ...create, input: { schema: { type: 'object', properties: {} } } } }),
  ],
  ['an event', { in: 'events', type: 'order.paid' }, [], order({ events: {} })],
])('the removal of %s breaks clients, also after its announced end', (_, where, ids, after) => {
  const deprecation: DeclaredDeprecation = {
    id: 'part',
    title: 'A part',
    replacement: 'Use another part.',
    announced: '2025-01-01',
    ends: '2025-07-31',
    operations: ids,
    where,
  };
  const before = shop(order(), { deprecations: [deprecation] });
  expect(difference(before, shop(order())).breaking).toEqual([]);
  expect(difference(before, shop(after, { deprecations: [] })).breaking).toHaveLength(1);
});

describe('ends of deprecations', () => {
  const today = Date.parse('2027-01-15T12:00:00Z');
  const ending = (ends: DeclaredDeprecation['ends'], change: Partial<DeclaredDeprecation> = {}): ContractDeclaration =>
    shop(order(), {
      deprecations: [
        {
          id: 'part',
          title: 'A part',
          replacement: 'Use another part.',
          announced: '2026-01-01',
          ends,
          operations: ['createOrder'],
          where: { in: 'body', pointer: '/title' },
          ...change,
        },
      ],
    });
  const changesBetween = (before: ContractDeclaration, after: ContractDeclaration) => {
    const { breaking, deprecated } = compareContracts(contractSnapshot(before), contractSnapshot(after), today);
    return { breaking, deprecated };
  };

  test.each<[string, ContractDeclaration, ContractDeclaration, string]>([
    [
      'a new deprecation that ended',
      shop(order()),
      ending('2027-01-14'),
      'createOrder request /title: deprecated with the end 2027-01-14, which is not in the future',
    ],
    [
      'a new deprecation that ends today',
      shop(order()),
      ending('2027-01-15'),
      'createOrder request /title: deprecated with the end 2027-01-15, which is not in the future',
    ],
    [
      'an end before the announced one, also if both are in the future',
      ending('2027-06-30'),
      ending('2027-06-29'),
      'createOrder request /title: ends on 2027-06-29, and the announced end was 2027-06-30',
    ],
    [
      'another part under the id of a deprecation that ended',
      ending('2027-01-14'),
      ending('2027-01-14', { operations: ['createOrder', 'getOrder'], where: { in: 'operation' } }),
      'getOrder: deprecated with the end 2027-01-14, which is not in the future',
    ],
    [
      'a schema version of an event that ended',
      shop(order()),
      ending('2027-01-14', { operations: [], where: { in: 'events', type: 'order.paid', schemaVersion: 1 } }),
      'webhook order.paid version 1: deprecated with the end 2027-01-14, which is not in the future',
    ],
  ])('%s breaks clients', (_, before, after, change) => {
    expect(changesBetween(before, after).breaking).toContain(change);
  });

  test.each<[string, ContractDeclaration, ContractDeclaration, string[]]>([
    ['a new deprecation that ends tomorrow', shop(order()), ending('2027-01-16'), ['2027-01-16']],
    ['a later end than announced', ending('2027-06-30'), ending('2027-07-31'), ['2027-07-31']],
    ['an announced end in the past', ending('2027-01-14'), ending('2027-01-14'), []],
    ['another id for the same part', ending('2027-01-14'), ending('2027-01-14', { id: 'title' }), []],
    ['a removed deprecation', ending('2027-06-30'), shop(order()), []],
  ])('%s breaks no client', (_, before, after, days) => {
    const deprecated = days.map((day) => `createOrder request /title, until ${day}`);
    expect(changesBetween(before, after)).toEqual({ breaking: [], deprecated });
  });

  test('the first of several ends of a part decides', () => {
    const deprecations = ['2027-06-30', '2027-05-31', '2027-07-31'].flatMap(
      (ends) => ending(ends as DeclaredDeprecation['ends']).deprecations ?? [], // days
    );
    const all = shop(order(), { deprecations });
    expect(contractSnapshot(all).deprecations).toEqual({ 'createOrder request /title': '2027-05-31' });
  });

  test('nothing is compared with the snapshot of an earlier release', () => {
    const { deprecations: _, ...stored } = contractSnapshot(shop(order()));
    expect(compareContracts(stored, contractSnapshot(ending('2027-01-14')), today).breaking).toEqual([]);
  });
});
