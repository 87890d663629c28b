// The declaration of a contract: what it derives, and the sentence for each mistake in it.
import { describe, expect, test } from 'vitest';
import { dateTime, oneOf, schemaErrors, text } from '../../kit/http/schema.ts';
import { community } from './community/contract.ts';
import { defineContract, eventData, resource } from './contract.ts';
import type { AnyResource, ContractDeclaration, ResourceDeclaration, SandboxDeclaration } from './declaration.ts';
import type { OperationDeclaration } from './operation-declaration.ts';
import { createSeededRandom } from './seeded-random.ts';

const FILE = 'file:///contracts/shop/orders.ts';
const declaration = {
  file: FILE,
  name: 'Order',
  kind: 'order',
  plural: 'orders',
  noun: 'order',
  description: 'An order.',
  path: 'orders',
  tag: 'Orders',
  idPrefix: 'ord',
  scope: 'orders:read',
  origin: 'seeded',
  fields: { status: oneOf(['open', 'paid'], 'The status.'), title: text('The title.', { maxLength: 20 }) },
  states: { open: ['paid'], paid: [] },
  example: { id: 'ord_01j9z3v8k6e5t8m2n4p6q8r0s4', status: 'open', title: 'Tea' },
  events: { 'order.paid': { meaning: 'An order was paid.' } },
} as const satisfies ResourceDeclaration;

const sandbox: SandboxDeclaration = { segment: 'order', halfTimeCount: 10, synthesise: () => ({ title: 'Tea' }) };

const contractOf = (
  resources: readonly AnyResource[],
  change: Partial<ContractDeclaration> = {},
): ContractDeclaration => ({
  file: 'file:///contracts/shop/contract.ts',
  name: 'shop',
  scopes: { 'orders:read': 'Read orders', 'events:read': 'Read events' },
  keyPresets: { all: ['orders:read'] },
  resources,
  presets: { small: { meaning: 'two orders', counts: { orders: 2 }, script: 'plain', tickMs: 1_000 } },
  ...change,
});

const changed = (change: Partial<ResourceDeclaration>): AnyResource =>
  resource<ResourceDeclaration>({ ...declaration, ...change });
const orders = changed({});

describe('a contract', () => {
  test('can have no resource that grants scopes', () => {
    expect(defineContract(contractOf([orders])).resources.some(({ grants }) => grants)).toBe(false);
  });

  test('lists the six scopes of the specification in the community contract', () => {
    expect(Object.keys(community.scopes)).toEqual([
      'servers:read',
      'publications:read',
      'events:read',
      'roadmap:read',
      'tickets:create',
      'workflows:run',
    ]);
  });

  const stray = changed({ name: 'Item', kind: 'item', plural: 'items', idPrefix: 'itm', parent: orders, events: {} });
  const operation = (change: Partial<OperationDeclaration>): OperationDeclaration => ({
    ...{ effect: 'list', method: 'GET', path: '/orders', summary: 'Orders', scopes: ['orders:read'], status: 200 },
    ...{ content: { of: 'object' }, ...change },
  });
  const granting = changed({ grants: true });
  const below = (operations: ResourceDeclaration['operations']): AnyResource =>
    changed({ ...stray, parent: granting, ...(operations && { operations }) });
  test.each<[string, ContractDeclaration]>([
    [
      "contract.ts: scopes['Read'] must be named",
      contractOf([orders], { scopes: { Read: '', 'orders:read': '', 'events:read': '' } }),
    ],
    ['contract.ts: scopes must have `events:read`', contractOf([orders], { scopes: { 'orders:read': '' } })],
    [
      "contract.ts: keyPresets['all'] names the scope tea:read",
      contractOf([orders], { keyPresets: { all: ['tea:read'] } }),
    ],
    [
      "contract.ts: presets['tiny'] must be named empty, small,",
      contractOf([orders], { presets: { tiny: { meaning: '', counts: {}, script: 'plain', tickMs: 1 } } }),
    ],
    [
      'contract.ts: presets.small.counts names cups',
      contractOf([orders], { presets: { small: { meaning: '', counts: { cups: 1 }, script: 'plain', tickMs: 1 } } }),
    ],
    [
      'contract.ts: presets.small.counts.orders must be an integer from 0',
      contractOf([orders], { presets: { small: { meaning: '', counts: { orders: -1 }, script: 'plain', tickMs: 1 } } }),
    ],
    [
      'contract.ts: resources must have at most one that grants',
      contractOf([changed({ grants: true }), changed({ grants: true })]),
    ],
    [
      'orders.ts: Item.grants must not be declared for a resource with a parent',
      contractOf([orders, { ...stray, grants: true }]),
    ],
    [
      'orders.ts: Order.operations.add.effect must not be create',
      contractOf([changed({ grants: true, operations: { add: operation({ effect: 'create', method: 'POST' }) } })]),
    ],
    [
      "orders.ts: Order.events['order.paid'].deletes must not be declared",
      contractOf([changed({ grants: true, events: { 'order.paid': { meaning: '', deletes: true } } })]),
    ],
    [
      'orders.ts: Item.operations.count.path requires {itemId} or {orderId}',
      contractOf([granting, below({ count: operation({ effect: 'action', path: '/items-count' }) })]),
    ],
    [
      'orders.ts: Item.operations.add.path requires {orderId}',
      contractOf([granting, below({ add: operation({ effect: 'create', method: 'PUT', path: '/items/{itemId}' }) })]),
    ],
    ['orders.ts: Order.name must differ', contractOf([orders, changed({ kind: 'other' })])],
    ["orders.ts: Order.events['order.paid'] must be an event of one resource", contractOf([orders, orders])],
    ['orders.ts: order.name must be a word', contractOf([changed({ name: 'order' })])],
    ['orders.ts: Order.kind must be a word', contractOf([changed({ kind: 'An order' })])],
    ['orders.ts: Order.idPrefix must have three', contractOf([changed({ idPrefix: 'order' })])],
    ['orders.ts: Order.idPrefix must not be evt', contractOf([changed({ idPrefix: 'evt' })])],
    ['orders.ts: Order.scope is tea:read', contractOf([changed({ scope: 'tea:read' })])],
    ['orders.ts: Order.scope must not be events:read', contractOf([changed({ scope: 'events:read' })])],
    ['orders.ts: Item.parent is Order, which the contract does not list', contractOf([stray])],
    ['orders.ts: Order.fields.id must not be declared', contractOf([changed({ fields: { id: dateTime('A time.') } })])],
    [
      'orders.ts: Order.fields.constructor must be named',
      contractOf([changed({ fields: { ...declaration.fields, constructor: dateTime('A time.') } })]),
    ],
    [
      'orders.ts: Order.example/title',
      contractOf([changed({ example: { ...declaration.example, title: 'x'.repeat(21) } })]),
    ],
    ['orders.ts: Order.fields.status must be one of new', contractOf([changed({ states: { new: [] } })])],
    ['orders.ts: Order.states.open names sent', contractOf([changed({ states: { open: ['sent'], paid: [] } })])],
    ["orders.ts: Order.events['paid'] must be named", contractOf([changed({ events: { paid: { meaning: '' } } })])],
    [
      "orders.ts: Order.events['installation.paid'] must not begin",
      contractOf([changed({ events: { 'installation.paid': { meaning: '' } } })]),
    ],
    [
      "orders.ts: Order.events['order.paid'].creates requires a parent or an operation that creates",
      contractOf([changed({ events: { 'order.paid': { meaning: '', creates: true } } })]),
    ],
    ['orders.ts: Order.hidden.title must be named', contractOf([changed({ hidden: { title: dateTime('A time.') } })])],
    [
      'orders.ts: Order.sandbox.segment must be a word',
      contractOf([changed({ sandbox: { ...sandbox, segment: '/' } })]),
    ],
    [
      'orders.ts: Order.sandbox.synthesise/title',
      contractOf([changed({ sandbox: { ...sandbox, synthesise: () => ({ title: 'x'.repeat(21) }) } })]),
    ],
    [
      'orders.ts: Order.sandbox.synthesise/colour',
      contractOf([changed({ sandbox: { ...sandbox, synthesise: () => ({ title: 'Tea', colour: 'red' }) } })]),
    ],
  ])('is refused with "%s"', (sentence, contract) => {
    expect(() => defineContract(contract)).toThrow(sentence);
  });
});

describe('a resource', () => {
  const lines = resource({
    ...declaration,
    name: 'OrderLine',
    kind: 'order_line',
    idPrefix: 'orl',
    parent: resource(declaration),
    fields: { title: text('The title.', { maxLength: 20 }) },
    states: {},
    example: { id: 'orl_01j9z3v8k6e5t8m2n4p6q8r0s4', orderId: declaration.example.id, title: 'Tea' },
    events: {
      'order_line.added': {
        meaning: 'A line was added.',
        creates: true,
        versions: [
          {
            name: 'LineAddedV1',
            description: 'A line.',
            fields: { text: text('The title.', { maxLength: 20 }) },
            convert: ({ name, ...rest }: { name: string }) => ({ ...rest, text: name }),
          },
          {
            name: 'LineAddedV2',
            description: 'A line.',
            fields: { name: text('The title.', { maxLength: 20 }) },
            convert: ({ title, ...rest }: { title: string }) => ({ ...rest, name: title }),
          },
        ],
      },
    },
  });

  test('has a schema that begins with its identifier and the identifiers of its parents', () => {
    expect(Object.keys(lines.schema.properties)).toEqual(['id', 'orderId', 'title']);
    expect(lines.idName).toBe('orderLineId');
    const { id, orderId } = lines.example; // the compiler derives the names
    expect([id, orderId]).toEqual(['orl_01j9z3v8k6e5t8m2n4p6q8r0s4', 'ord_01j9z3v8k6e5t8m2n4p6q8r0s4']);
  });

  test('converts the data of an event to the newest schema version, and from there to each older version', () => {
    const { id, orderId } = lines.example;
    expect(eventData(lines, 'order_line.added', lines.example)).toEqual({
      data: { id, orderId, name: 'Tea' },
      older: [{ id, orderId, text: 'Tea' }],
    });
    for (const { schema, example } of lines.data['order_line.added'] ?? [])
      expect(schemaErrors(schema, example)).toEqual([]);
  });

  test('has itself as the data of an event without schema versions', () => {
    expect(eventData(orders, 'order.paid', orders.example)).toEqual({ data: orders.example, older: [] });
  });
});

describe('a source of draws', () => {
  const drawsOf = (origin: string, count: number): number[] => {
    const draw = createSeededRandom(origin);
    return Array.from({ length: count }, () => draw.number(1_000_000));
  };

  test('draws the same values for the same origin in any number, and other values for another origin', () => {
    const draws = drawsOf('one', 40);
    expect(drawsOf('one', 8)).toEqual(draws.slice(0, 8));
    expect(draws.slice(0, 2)).toEqual([874_045, 621_287]);
    expect(new Set([...draws, ...drawsOf('another', 40)]).size).toBe(80);
  });
});
