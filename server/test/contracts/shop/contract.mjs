// A contract for tests: shops with integer identifiers, orders below them with states and actions, and items that their
// clients name.
const money = {
  type: 'object',
  required: ['amount', 'currency'],
  additionalProperties: false,
  properties: {
    amount: { type: 'number', minimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'USD'] },
  },
};
const payment = {
  oneOf: [
    {
      type: 'object',
      required: ['kind', 'iban'],
      additionalProperties: false,
      properties: { kind: { const: 'transfer' }, iban: { type: 'string', maxLength: 34 } },
    },
    {
      type: 'object',
      required: ['kind', 'last4'],
      additionalProperties: false,
      properties: { kind: { const: 'card' }, last4: { type: 'string', pattern: '^[0-9]{4}$' } },
    },
  ],
};
/** With a value that only requests contain. */
const newPayment = {
  oneOf: payment.oneOf.map((one) => ({
    ...one,
    properties: { ...one.properties, code: { type: 'string', pattern: '^[0-9]{3}$', writeOnly: true } },
  })),
};
const status = { type: 'string', enum: ['open', 'paid', 'shipped', 'cancelled'] };
const HAL = 'application/hal+json';
const READ = 'orders:read';
const WRITE = 'orders:write';

const deprecation = (id, operations, where) => ({
  id,
  title: `The part ${id}`,
  replacement: `Read the guide about ${id}.`,
  announced: '2026-11-28',
  ends: '2099-12-31',
  operations,
  where,
});

export default (kit) => {
  const Shop = kit.resource({
    file: import.meta.url,
    name: 'Shop',
    kind: 'shop',
    plural: 'shops',
    noun: 'shop',
    description: 'A shop.',
    path: 'shops',
    tag: 'Shops',
    idPrefix: 'shp',
    scope: 'shops:read',
    origin: 'seeded',
    identity: { field: 'id', form: 'integer', description: 'The number of the shop.', examples: [7] },
    fields: { name: { type: 'string', minLength: 1, maxLength: 80 }, opens: { type: 'string', format: 'date' } },
    optional: ['opens'],
    example: { id: 7, name: 'Corner' },
    samples: [
      { id: 7, name: 'Corner', opens: '2025-05-01' },
      { id: 12, name: 'Harbour' },
    ],
    operations: {
      listShops: {
        effect: 'list',
        method: 'GET',
        path: '/shops',
        summary: 'List shops',
        scopes: ['shops:read'],
        status: 200,
        content: { of: 'list', paging: { by: 'none' } },
      },
      getShop: {
        effect: 'get',
        method: 'GET',
        path: '/shops/{shopId}',
        summary: 'Get a shop',
        scopes: ['shops:read'],
        status: 200,
        content: { of: 'object' },
      },
    },
    events: { 'shop.renamed': { meaning: 'A shop got another name.', changes: true } },
  });
  const input = (required) => ({
    required: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required,
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 60 },
        note: { type: ['string', 'null'], maxLength: 200 },
        total: money,
        payment: newPayment,
        code: { type: 'string', maxLength: 20 },
        status,
      },
    },
  });
  const one = '/shops/{shopId}/orders/{orderId}';
  const Order = kit.resource({
    file: import.meta.url,
    name: 'Order',
    kind: 'order',
    plural: 'orders',
    noun: 'order',
    description: 'An order of a shop.',
    parent: Shop,
    path: 'orders',
    tag: 'Orders',
    idPrefix: 'ord',
    scope: READ,
    origin: 'made',
    identity: { field: 'id', form: 'prefixed', prefix: 'ord_', description: 'The identifier of the order.' },
    parentField: 'shop_id',
    stateField: 'status',
    fields: {
      shop_id: { type: 'integer' },
      title: { type: 'string', minLength: 1, maxLength: 60 },
      note: { type: ['string', 'null'], maxLength: 200 },
      total: money,
      payment,
      code: { type: 'string', maxLength: 20 },
      status,
      created_at: { type: 'string', format: 'date-time' },
      updated_at: { type: 'string', format: 'date-time' },
    },
    optional: ['note', 'code', 'payment'],
    hidden: { attempts: { type: 'integer' } },
    states: { open: ['paid', 'cancelled'], paid: ['shipped'], shipped: [], cancelled: [] },
    example: {
      id: 'ord_1',
      shop_id: 7,
      title: 'Tea',
      total: { amount: 4.5, currency: 'EUR' },
      status: 'open',
      created_at: '2025-06-01T10:00:00Z',
      updated_at: '2025-06-01T10:00:00Z',
    },
    onCreate: ({ input, parent }) => {
      if (input.title === 'Refused') return { problem: 'conflict', extra: { detail: `${parent.name} is closed.` } };
      return input.title === 'Gift'
        ? { set: { note: `A gift of ${parent.name}`, attempts: 0 }, dueInMs: 60_000 }
        : { set: {} };
    },
    onDue: ({ object, parent }) => ({
      set: {
        status: 'paid',
        note: `Paid in attempt ${object.attempts + 1} at ${parent.name}`,
        attempts: object.attempts + 1,
      },
      event: 'order.paid',
    }),
    operations: {
      listOrders: {
        effect: 'list',
        method: 'GET',
        path: '/shops/{shopId}/orders',
        summary: 'List orders',
        scopes: [READ],
        query: { status: { schema: status } },
        status: 200,
        content: {
          of: 'list',
          in: 'data',
          paging: { by: 'cursor', parameter: 'after', limit: 'limit', next: 'paging.next' },
        },
      },
      createOrder: {
        effect: 'create',
        method: 'POST',
        path: '/shops/{shopId}/orders',
        summary: 'Create an order',
        scopes: [WRITE, READ],
        input: input(['title', 'total']),
        status: 201,
        content: { of: 'object' },
      },
      getOrder: {
        effect: 'get',
        method: 'GET',
        path: one,
        summary: 'Get an order',
        scopes: [READ],
        status: 200,
        content: { of: 'object' },
      },
      updateOrder: {
        effect: 'update',
        method: 'PATCH',
        path: one,
        summary: 'Change an order',
        scopes: [WRITE],
        input: { ...input([]), type: 'application/merge-patch+json' },
        status: 200,
        content: { of: 'object' },
      },
      deleteOrder: {
        effect: 'delete',
        method: 'DELETE',
        path: one,
        summary: 'Delete an order',
        scopes: [WRITE],
        status: 204,
        content: { of: 'nothing' },
      },
      payOrder: {
        effect: 'action',
        method: 'POST',
        path: `${one}/pay`,
        summary: 'Pay an order',
        scopes: [WRITE],
        status: 200,
        content: { of: 'object' },
        becomes: 'paid',
      },
      getLabel: {
        effect: 'action',
        method: 'GET',
        path: `${one}/label`,
        summary: 'Get a label',
        scopes: [READ],
        // The names of other arguments of a client.
        query: {
          body: { schema: { type: 'string', enum: ['front', 'back'] } },
          shopId: { schema: { type: 'integer', minimum: 1, maximum: 1_000_000 } },
        },
        status: 200,
        content: { of: 'file', types: ['application/pdf', 'image/png'], maxBytes: 1000 },
      },
      getTotals: {
        effect: 'action',
        method: 'GET',
        path: '/order-totals',
        summary: 'Get the totals',
        scopes: [READ],
        status: 200,
        content: {
          of: 'value',
          schema: { type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0 } } },
        },
      },
    },
    events: {
      'order.created': { meaning: 'An order was created.', creates: true },
      'order.updated': { meaning: 'An order changed.', changes: true },
      'order.paid': { meaning: 'An order was paid.', entering: 'paid' },
      'order.deleted': { meaning: 'An order was deleted.', deletes: true },
    },
  });
  const itemInput = {
    required: true,
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'price'],
      properties: {
        sku: { type: 'string', pattern: '^[a-z-]+$', maxLength: 40 },
        name: { type: 'string', maxLength: 60 },
        price: { type: 'number', minimum: 0 },
        color: { type: 'string', maxLength: 20 },
      },
    },
  };
  const Item = kit.resource({
    file: import.meta.url,
    name: 'Item',
    kind: 'item',
    plural: 'items',
    noun: 'item',
    description: 'An item that shops sell.',
    path: 'items',
    tag: 'Items',
    idPrefix: 'itm',
    scope: 'items:read',
    origin: 'made',
    identity: {
      field: 'sku',
      form: 'text',
      pattern: '^[a-z-]{1,40}$',
      description: 'The name of the item.',
      examples: ['green-tea'],
    },
    fields: {
      name: { type: 'string', maxLength: 60 },
      price: { type: 'number', minimum: 0 },
      color: { type: 'string', maxLength: 20 },
    },
    optional: ['color'],
    example: { sku: 'green-tea', name: 'Green tea', price: 3 },
    operations: {
      listItems: {
        effect: 'list',
        method: 'GET',
        path: '/items',
        summary: 'List items',
        scopes: ['items:read'],
        status: 200,
        query: { price: { schema: { type: 'number' } } },
        content: {
          of: 'list',
          type: HAL,
          paging: { by: 'page', parameter: 'page', limit: 'size', maxLimit: 12, defaultLimit: 10 },
        },
      },
      listItemRange: {
        effect: 'list',
        method: 'GET',
        path: '/item-range',
        summary: 'List a range of items',
        scopes: ['items:read'],
        status: 200,
        content: { of: 'list', paging: { by: 'offset', parameter: 'skip', limit: 'take', maxLimit: 20 } },
      },
      getItem: {
        effect: 'get',
        method: 'GET',
        path: '/items/{itemId}',
        summary: 'Get an item',
        scopes: ['items:read'],
        status: 200,
        content: { of: 'object', in: 'item', type: HAL },
      },
      createItem: {
        effect: 'create',
        method: 'POST',
        path: '/items',
        summary: 'Create an item',
        scopes: ['items:write'],
        input: itemInput,
        status: 201,
        content: { of: 'object', in: 'item', type: HAL },
      },
      replaceItem: {
        effect: 'replace',
        method: 'PUT',
        path: '/items/{itemId}',
        summary: 'Replace an item',
        scopes: ['items:write'],
        input: itemInput,
        status: 200,
        content: { of: 'object', in: 'item', type: HAL },
      },
    },
    events: {},
  });
  return kit.defineContract({
    file: import.meta.url,
    name: 'shop',
    version: '1.0.0',
    scopes: {
      'shops:read': 'Read shops',
      'orders:read': 'Read orders',
      'orders:write': 'Change orders',
      'items:read': 'Read items',
      'items:write': 'Change items',
      'events:read': 'Read events',
    },
    keyPresets: {},
    resources: [Shop, Order, Item],
    presets: {
      empty: { meaning: 'nothing', counts: { shops: 0, orders: 0, items: 0 }, script: 'plain', tickMs: 600_000 },
      small: { meaning: 'three shops', counts: { shops: 3, orders: 4, items: 30 }, script: 'plain', tickMs: 600_000 },
    },
    deprecations: [
      deprecation('order-totals', ['getTotals'], { in: 'operation' }),
      deprecation('item-price', ['listItems'], { in: 'query', name: 'price' }),
      deprecation('order-code', ['createOrder'], { in: 'body', pointer: '/code' }),
      deprecation('order-note', ['getOrder', 'listOrders'], { in: 'response', pointer: '/note' }),
      deprecation('shop-renamed', [], { in: 'events', type: 'shop.renamed' }),
    ],
  });
};
