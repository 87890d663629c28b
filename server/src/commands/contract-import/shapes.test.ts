// The shapes of responses: objects that contain lists, and envelopes around lists.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const ok = (schema: object) => ({ description: 'OK', content: { 'application/json': { schema } } });
const line = { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } };

/** Imports a resource whose objects have these fields and a list of lines. */
function importRefund(fields: Record<string, object>, envelope: object = {}) {
  const items = { type: 'array', items: ref('Refund') };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Refunds', version: '1' },
    paths: {
      '/refunds': {
        get: {
          operationId: 'listRefunds',
          responses: { 200: ok({ type: 'object', properties: { items, ...envelope } }) },
        },
        post: {
          operationId: 'createRefund',
          requestBody: { content: { 'application/json': { schema: ref('Refund') } } },
          responses: { 201: ok(ref('Refund')) },
        },
      },
      '/refunds/{refund_id}': {
        parameters: [{ name: 'refund_id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'getRefund', responses: { 200: ok(ref('Refund')) } },
      },
    },
    components: {
      schemas: { Refund: { type: 'object', properties: { ...fields, items: { type: 'array', items: line } } } },
    },
  };
  const { resources } = importDocument('refunds.json', JSON.stringify(document));
  return resources.map(({ name, operations = {} }) => [
    name,
    ...Object.values(operations).map(({ effect, content }) => `${effect} ${content.of}`),
  ]);
}

test.each([
  'id',
  'refund_id',
  'refundId',
])('an object with the field %s and `items` is not read as a list of its items', (field) => {
  expect(importRefund({ [field]: { type: 'string' } })).toEqual([
    ['Refund', 'list list', 'create object', 'get object'],
  ]);
});

test('an envelope with the identifier of the request is read as a list', () => {
  expect(importRefund({ id: { type: 'string' } }, { request_id: { type: 'string' } })).toEqual([
    ['Refund', 'list list', 'create object', 'get object'],
  ]);
});

test('a request with the response 202 creates the returned object if another path reads such objects', () => {
  const job = { type: 'object', required: ['job_id'], properties: { job_id: { type: 'string' } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const accepted = (schema: object) => ({ responses: { 202: ok(schema) } });
  const document = {
    openapi: '3.0.3',
    info: { title: 'Refunds', version: '1' },
    paths: {
      '/refunds/batch': { post: { operationId: 'createBatch', ...accepted(ref('Job')) } },
      '/refunds/{id}': { parameters, get: { operationId: 'getRefund', responses: { 200: ok(ref('Refund')) } } },
      '/refunds/{id}/cancel': { parameters, post: { operationId: 'cancelRefund', ...accepted(ref('Refund')) } },
      '/refunds/{id}/check': { parameters, post: { operationId: 'checkRefund', ...accepted(ref('Check')) } },
      '/jobs/{id}': { parameters, get: { operationId: 'getJob', responses: { 200: ok(ref('Job')) } } },
    },
    components: {
      schemas: {
        Job: job,
        Refund: { type: 'object', properties: { id: { type: 'string' } } },
        Check: { type: 'object', properties: { id: { type: 'string' } } },
      },
    },
  };
  const { resources } = importDocument('refunds.json', JSON.stringify(document));
  const rows = resources.map(({ name, operations = {} }) => [
    name,
    ...Object.entries(operations).map(([id, { effect }]) => `${id} ${effect}`),
  ]);
  expect(rows).toEqual([
    ['Job', 'getJob get', 'createBatch create'],
    ['Refund', 'getRefund get', 'cancelRefund action', 'checkRefund action'],
  ]);
});
