// The size of a page in a document: its maximum, its default, and what is reported about them.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

/** Imports a list of orders whose query has a page and this limit. */
function importWith(limit: object, openapi = '3.1.0') {
  const order = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const parameters = [
    { name: 'page', in: 'query', schema: { type: 'integer' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', ...limit } },
  ];
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Order' } };
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
  const document = {
    openapi,
    info: { title: 'Orders', version: '1' },
    paths: { '/orders': { get: { operationId: 'listOrders', parameters, responses } } },
    components: { schemas: { Order: order } },
  };
  const { resources, findings } = importDocument('orders.json', JSON.stringify(document));
  const content = resources[0]?.operations?.listOrders?.content;
  return {
    paging: content?.of === 'list' ? content.paging : undefined,
    reported: findings
      .filter(({ pointer }) => pointer.startsWith('/paths/~1orders/get/parameters/1'))
      .map(({ reason }) => reason),
  };
}

const page = { by: 'page', parameter: 'page', limit: 'limit' };

describe('the limit of a list', () => {
  test.each([
    [{}, {}],
    [
      { maximum: 30, default: 10 },
      { maxLimit: 30, defaultLimit: 10 },
    ],
    [{ maximum: 100 }, { maxLimit: 100 }],
    [{ default: 50 }, { defaultLimit: 50 }],
    [{ exclusiveMaximum: 31 }, { maxLimit: 30 }],
    [{ allOf: [{ maximum: 30 }] }, { maxLimit: 30 }],
  ])('with %j has the maximum and the default %j, without a report', (limit, size) => {
    expect(importWith(limit)).toEqual({ paging: { ...page, ...size }, reported: [] });
  });

  test('has the maximum of a document of OpenAPI 3.0', () => {
    const limit = { maximum: 31, exclusiveMaximum: true, default: 10 };
    expect(importWith(limit, '3.0.3').paging).toEqual({ ...page, maxLimit: 30, defaultLimit: 10 });
  });

  test.each([
    [{ maximum: 500 }, { maxLimit: 100 }, 'has the maximum 500. A page of the contract has at most 100 objects'],
    [
      { maximum: 500, default: 200 },
      { maxLimit: 100, defaultLimit: 100 },
      'has the default 200. The default of the contract is 100',
    ],
    [{ default: 200 }, { defaultLimit: 100 }, 'has the default 200. The default of the contract is 100'],
    [{ minimum: 5 }, {}, 'has the minimum 5. The contract accepts each number from 1'],
    [{ enum: [10, 20] }, {}, 'accepts some numbers only. The contract accepts each from 1 to 100'],
    [{ default: 0 }, {}, 'has a default that is no number of objects. The contract has none'],
  ])('with %j is cut to %j, and is reported', (limit, size, reason) => {
    const { paging, reported } = importWith(limit);
    expect(paging).toEqual({ ...page, ...size });
    expect(reported).toContain(reason);
  });
});

/** Imports a list of orders with these query parameters and this response. */
function importQuery(
  query: Record<string, object>,
  schema: object = { type: 'array', items: { $ref: '#/components/schemas/Order' } },
) {
  const parameters = Object.entries(query).map(([name, one]) => ({
    name,
    in: 'query',
    schema: one,
    ...('properties' in one && { style: 'deepObject' }),
  }));
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: { '/orders': { get: { operationId: 'listOrders', parameters, responses } } },
    components: { schemas: { Order: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } } },
  };
  const { resources, findings } = importDocument('orders.json', JSON.stringify(document));
  const { content, query: own = {} } = resources[0]?.operations?.listOrders ?? {};
  return {
    paging: content?.of === 'list' ? content.paging : undefined,
    filters: Object.keys(own),
    reasons: findings.map(({ reason }) => reason),
  };
}

describe('a parameter with the usual name of a paging', () => {
  test.each([
    ['from', { type: 'string', format: 'date-time' }],
    ['start', { type: 'string', format: 'date' }],
    ['after', { type: ['string', 'null'], format: 'date' }],
    ['page', { type: 'string', enum: ['front', 'back'] }],
    ['first', { type: 'boolean' }],
    ['token', { type: 'array', items: { type: 'string' } }],
  ])('is a filter if it cannot select a page: %s with %j', (name, schema) => {
    expect(importQuery({ [name]: schema })).toMatchObject({ paging: { by: 'none' }, filters: [name] });
  });

  test('leaves the paging to a parameter that can select a page', () => {
    const query = {
      size: { type: 'string', enum: ['small', 'large'] },
      after: { type: 'string', format: 'date' },
      cursor: { type: 'string' },
      per_page: { type: 'integer' },
    };
    expect(importQuery(query)).toMatchObject({
      paging: { by: 'cursor', parameter: 'cursor', limit: 'per_page' },
      filters: ['size', 'after'],
    });
  });
});

describe('a query parameter with fields', () => {
  const size = { type: 'integer', maximum: 50, default: 20 };
  const importFields = (properties: object) => importQuery({ page: { type: 'object', properties } });
  const ignored = 'is the query parameter page with fields. The sandbox ignores them';

  test.each([
    ['after', { type: 'string' }, 'cursor'],
    ['number', { type: 'integer' }, 'page'],
    ['offset', { type: 'integer' }, 'offset'],
  ])('is the paging of its fields %s and size', (name, schema, by) => {
    const { paging, filters, reasons } = importFields({ [name]: schema, size });
    const limit = { limit: 'page[size]', maxLimit: 50, defaultLimit: 20 };
    expect({ paging, filters }).toEqual({ paging: { by, parameter: `page[${name}]`, ...limit }, filters: [] });
    expect(reasons).not.toContain(ignored);
  });

  test('has its further fields as parameters', () => {
    const { paging, filters, reasons } = importFields({ after: { type: 'string' }, sort: { type: 'string' } });
    expect({ paging, filters }).toEqual({
      paging: { by: 'cursor', parameter: 'page[after]' },
      filters: ['page[sort]'],
    });
    expect(reasons).toContain(ignored);
  });
});

test.each([{ minimum: 0 }, { default: 0 }])('pages with numbers from 0, %j, are reported', (more) => {
  const { paging, reasons } = importQuery({ page: { type: 'integer', ...more } });
  expect(paging).toEqual({ by: 'page', parameter: 'page' });
  expect(reasons).toContain(
    'numbers pages from 0. The contract numbers pages from 1 and refuses 0. Production sends the number unchanged, so your API must number pages from 1',
  );
});

test.each([
  ['after', 'after', 'after'],
  ['page[after]', 'after', 'after'],
  ['after', 'end_cursor', 'end_cursor'],
  ['cursor', 'after', undefined],
])('a list with the parameter %s and the field %s has the next cursor in %s', (parameter, field, next) => {
  const fields = { items: { type: 'array', items: { $ref: '#/components/schemas/Order' } } };
  const cursors = { type: 'object', properties: { [field]: { type: ['string', 'null'] } } };
  const schema = { type: 'object', required: ['items'], properties: { ...fields, cursors } };
  expect(importQuery({ [parameter]: { type: 'string' } }, schema).paging).toEqual({
    by: 'cursor',
    parameter,
    ...(next !== undefined && { next: `cursors.${next}` }),
  });
});
