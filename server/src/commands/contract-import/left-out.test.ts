// The reports of parts of responses, bodies and parameters that a contract leaves out or does not check.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const ref = (path: string) => ({ $ref: `#/components/${path}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const order = ref('schemas/Order');
const failure = { description: 'Failure', content: json(ref('schemas/Failure')) };
const query = (name: string, schema: object) => ({ name, in: 'query', schema });

const { resources, findings } = importDocument(
  'orders.json',
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: 'https://{region}.orders.example/v3/' }],
    paths: {
      '/orders': {
        get: {
          operationId: 'listOrders',
          parameters: [
            query('cursor', { type: 'string' }),
            query('kind', { type: 'array', items: { type: 'string', enum: ['new', 'used'] } }),
          ],
          responses: {
            200: {
              description: 'Orders',
              headers: { Link: { schema: { type: 'string' } }, 'X-Calls-Left': ref('headers/CallsLeft') },
              content: {
                'application/vnd.api+json': {
                  schema: {
                    type: 'object',
                    properties: {
                      items: { type: 'array', items: order },
                      meta: {
                        type: 'object',
                        properties: { next_cursor: {}, has_more: { type: 'boolean' }, took_ms: { type: 'number' } },
                      },
                      total: { type: 'integer' },
                      kind: { type: 'string', enum: ['orders'] },
                      notice: { type: 'string' },
                    },
                  },
                },
              },
            },
            default: failure,
          },
        },
        post: {
          operationId: 'createOrder',
          requestBody: { content: { 'text/csv': {}, ...json(order) } },
          responses: {
            201: { description: 'Order', headers: { Location: {}, ETag: {} }, content: json(order) },
            422: failure,
            500: { description: 'Crash', content: json({ type: 'object', properties: { trace: {} } }) },
            503: { description: 'Busy', content: { 'application/problem+json': { schema: { type: 'object' } } } },
          },
        },
      },
      '/orders/{orderId}': {
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'getOrder',
          parameters: [query('expand', { type: 'string' })],
          responses: {
            200: {
              description: 'Order',
              headers: { etag: {} },
              content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } }, ...json(order) },
            },
          },
        },
        patch: {
          operationId: 'updateOrder',
          parameters: [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/merge-patch+json': { schema: order } } },
          responses: { 200: { description: 'Order', content: json(order) } },
        },
      },
    },
    'x-webhooks': { 'order.created': webhook(), 'order.weighed': webhook() },
    components: {
      headers: { CallsLeft: { schema: { type: 'integer' } } },
      schemas: {
        Order: {
          type: 'object',
          required: ['id'],
          additionalProperties: { type: 'string' },
          properties: { id: { type: 'integer' }, kind: { type: 'string' } },
          discriminator: { propertyName: 'kind', mapping: { used: '#/components/schemas/Failure' } },
        },
        Failure: { type: 'object', properties: { message: { type: 'string' } } },
      },
    },
  }),
);

function webhook() {
  return { post: { requestBody: { content: json(order) } } };
}

const listed = '/paths/~1orders/get';
const one = '/paths/~1orders~1{orderId}';
const page = `${listed}/responses/200/content/application~1vnd.api+json`;

test.each([
  ['/servers/0', 'has the path /v3. Slipway serves the contract under /v1'],
  [`${listed}/parameters/1`, 'is the query parameter kind with several values. The contract accepts one value'],
  [`${page}/schema/properties/meta/properties/took_ms`, 'is a field next to items.'],
  [
    `${page}/schema/properties/notice`,
    'is a field next to items. The responses of the contract have a value that is made from its schema',
  ],
  ['/components/headers/CallsLeft', 'is the header X-Calls-Left of a response, which the contract does not send'],
  ['/components/schemas/Failure', 'is the schema of error responses. Slipway responds with its own problem details'],
  ['/paths/~1orders/post/responses/500/content/application~1json/schema', 'is the schema of error responses.'],
  ['/paths/~1orders/post/responses/201/headers/ETag', 'is the header ETag of a response'],
  ['/paths/~1orders/post/requestBody/content/text~1csv', 'is a further media type of a body (text/csv)'],
  [
    `${one}/get/parameters/0`,
    'is the query parameter expand of an operation that returns no list. The sandbox ignores it',
  ],
  [`${one}/get/responses/200/content/application~1pdf`, 'is a further media type of a response (application/pdf)'],
  [`${one}/patch/parameters/0`, 'is the header If-Match, which the contract does not check'],
  [
    '/x-webhooks/order.weighed/post',
    'names no change of Order that the contract knows. Only a trigger emits the event',
  ],
  ['/components/schemas/Order', 'has the rule additionalProperties about its fields'],
  ['/components/schemas/Order/discriminator', 'is a discriminator without `oneOf`.'],
])('the part %s is reported: it %s', (pointer, reason) => {
  const reasons = findings.filter((finding) => finding.pointer === pointer).map((finding) => finding.reason);
  expect(reasons).toContainEqual(expect.stringContaining(reason));
});

test('a part that the contract has is not reported', () => {
  const pointers = findings.map(({ pointer }) => pointer);
  for (const part of [
    'Link',
    'Location',
    'etag',
    'next_cursor',
    'order.created',
    '503',
    'has_more',
    'total',
    'properties/kind',
  ])
    expect(pointers.filter((pointer) => pointer.includes(part))).toEqual([]);
});

test('a response in JSON has the declared type', () => {
  expect(resources[0]?.operations?.listOrders?.content).toMatchObject({ type: 'application/vnd.api+json' });
  expect(resources[0]?.operations?.createOrder?.content).not.toHaveProperty('type');
});

test('a query parameter with several values accepts one value', () => {
  expect(resources[0]?.operations?.listOrders?.query?.kind?.schema).toEqual({ type: 'string', enum: ['new', 'used'] });
});
