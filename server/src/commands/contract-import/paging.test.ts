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
