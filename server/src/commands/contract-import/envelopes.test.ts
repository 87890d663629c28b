// The fields around the content of a response in a document: their schema, and the values that are known by their names.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

const order = { $ref: '#/components/schemas/Order' };
const orders = { type: 'array', items: order };
const integer = { type: 'integer' };
const text = { type: 'string' };
const flag = { type: 'boolean' };
const link = { type: 'string', format: 'uri', nullable: true };
const object = (properties: object, required: string[] = []) => ({ type: 'object', required, properties });

/** Imports a list of orders with this response. `parameter` selects the page. */
function importWith(schema: object, parameter?: string, schemas: object = {}) {
  const parameters = parameter === undefined ? [] : [{ name: parameter, in: 'query', schema: {} }];
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
  const { resources, findings } = importDocument(
    'orders.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Orders', version: '1' },
      paths: { '/orders': { get: { operationId: 'listOrders', parameters, responses } } },
      components: { schemas: { Order: object({ id: integer }, ['id']), ...schemas } },
    }),
  );
  const content = resources[0]?.operations?.listOrders?.content;
  return {
    in: content?.of === 'list' ? content.in : undefined,
    around: content?.of === 'list' ? content.around : undefined,
    reported: findings.filter(({ reason }) => reason.startsWith('is a field next to')).map(({ pointer }) => pointer),
  };
}
const valuesOf = (fields: object, parameter?: string) =>
  importWith(object({ items: orders, ...fields }), parameter).around?.values;

test('a nested envelope has the schema of the document, with an array of any objects as its content', () => {
  const pagination = object({ total: { ...integer, minimum: 0 }, next_cursor: { ...text, nullable: true } }, ['total']);
  const meta = object({ pagination, took_ms: { type: 'number' } }, ['pagination']);
  const envelope = { allOf: [{ $ref: '#/components/schemas/Page' }, object({ data: orders }, ['data'])] };
  const { around, reported } = importWith(envelope, 'cursor', {
    Page: object({ object: { ...text, enum: ['list'] }, meta }, ['object', 'meta']),
  });
  expect(around).toEqual({
    schema: {
      type: 'object',
      required: ['object', 'meta', 'data'],
      properties: {
        object: { type: 'string', enum: ['list'] },
        data: { type: 'array' },
        meta: {
          type: 'object',
          required: ['pagination'],
          properties: {
            pagination: {
              type: 'object',
              required: ['total'],
              properties: { total: { type: 'integer', minimum: 0 }, next_cursor: { type: ['string', 'null'] } },
            },
            took_ms: { type: 'number' },
          },
        },
      },
    },
    values: { 'meta.pagination.total': 'total' },
  });
  expect(reported).toEqual(['/components/schemas/Page/properties/meta/properties/took_ms']);
});

test('an envelope of the objects and a cursor that can be null has no other fields', () => {
  const next = (schema: object) => importWith(object({ items: orders, next_cursor: schema }), 'cursor').around;
  expect(next({ ...text, nullable: true })).toBeUndefined();
  expect(next(text)?.schema).toMatchObject({ properties: { next_cursor: { type: 'string' } } });
});

test('the content can be inside the object with the other fields', () => {
  const response = object({ orders, total_orders: integer }, ['orders', 'total_orders']);
  const { in: path, around } = importWith(object({ response }, ['response']), 'page');
  expect([path, around?.values]).toEqual(['response.orders', { 'response.total_orders': 'total' }]);
  expect(around?.schema).toMatchObject({
    properties: { response: { required: ['orders', 'total_orders'], properties: { orders: { type: 'array' } } } },
  });
});

describe('the values', () => {
  test.each<[string, object, string | undefined, object | undefined]>([
    [
      'of pages',
      { page: object({ number: integer, size: integer, totalElements: integer, totalPages: integer }) },
      'page',
      { 'page.number': 'page', 'page.size': 'limit', 'page.totalElements': 'total', 'page.totalPages': 'pages' },
    ],
    [
      'of flags',
      { first: flag, last: flag, has_more: flag, hasPreviousPage: flag },
      'page',
      { first: 'isFirst', last: 'isLast', has_more: 'hasMore', hasPreviousPage: 'hasPrevious' },
    ],
    [
      'of addresses',
      { count: integer, next: link, previous: link, links: object({ self: text, last: text }) },
      'offset',
      { count: 'total', next: 'next', previous: 'previous', 'links.self': 'self', 'links.last': 'last' },
    ],
    ['of a total and a count', { count: integer, total: integer }, 'page', { count: 'count', total: 'total' }],
    [
      'of a page with a cursor',
      { count: integer, prev_cursor: text },
      'cursor',
      { count: 'count', prev_cursor: 'previous' },
    ],
    [
      'of links with href',
      { _links: object({ self: object({ href: text }), next: object({ href: text }), find: object({ href: text }) }) },
      'page',
      { '_links.self': 'self', '_links.next': 'next' },
    ],
    [
      'of numbers as text',
      { total_count: text, total: { ...text, pattern: '^[0-9]+$' }, page: { ...text, pattern: '^[A-Z]+$' } },
      'page',
      { total_count: 'total', total: 'total' },
    ],
    ['of a total that can be null', { total: { oneOf: [integer, { type: 'null' }] } }, 'page', { total: 'total' }],
    ['of a sum are unknown', { total: { type: 'number', format: 'double' }, total_weight: integer }, 'page', undefined],
    [
      'of texts and constants are unknown',
      { total: text, first: text, page: { ...integer, enum: [1] } },
      'page',
      undefined,
    ],
  ])('%s', (_, fields, parameter, values) => {
    expect(valuesOf(fields, parameter)).toEqual(values);
  });
});

test('a field whose name every object inherits, and one that only requests have, is left out', () => {
  const fields = { items: orders, constructor: text, secret: { ...text, writeOnly: true }, note: text };
  const { around, reported } = importWith(object(fields, ['items', 'constructor', 'secret']));
  expect(reported).toEqual([expect.stringMatching(/note$/)]);
  expect(around?.schema).toEqual({
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array' }, note: { type: 'string' } },
  });
});
