// Parts of a document that the contract names or expresses in another way, each with its place in the document.
import { describe, expect, test } from 'vitest';
import { importDocument } from './index.ts';

const event = { $ref: '#/components/schemas/Concert' };
const ok = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } });
const query = (name: string, more = {}) => ({ name, in: 'query', schema: { type: 'string' }, ...more });

const imported = importDocument(
  'theatre.json',
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Theatre', version: '1' },
    paths: {
      '/concerts': {
        get: {
          operationId: 'listConcerts',
          parameters: [
            query('page', { description: 'The page.' }),
            query('limit', { description: 'The size of the page.' }),
            query('name', { description: 'The name of the event.' }),
            query('offset'),
          ],
          responses: ok({ type: 'array', items: event }),
        },
      },
      '/concerts/{eventId}': {
        parameters: [{ name: 'eventId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        get: { operationId: 'getConcert', responses: ok(event) },
      },
      '/halls/{hallId}/concerts': {
        get: {
          operationId: 'listConcertsInHall',
          parameters: [
            { name: 'hallId', in: 'path', required: true, description: 'The hall.', schema: { type: 'integer' } },
            query('limit'),
          ],
          responses: ok({ type: 'array', items: event }),
        },
      },
    },
    components: {
      schemas: {
        Concert: {
          type: 'object',
          required: ['eventId', 'name'],
          properties: { eventId: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
        },
      },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        digest: { type: 'http', scheme: 'digest' },
        token: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
    },
  }),
);
const operations = imported.resources[0]?.operations ?? {};
const reasonsAt = (pointer: string): string[] =>
  imported.findings.filter((one) => one.pointer === pointer).map(({ reason }) => reason);

test('a path parameter with another name than in the contract is reported at its place', () => {
  expect(operations.getConcert?.path).toBe('/concerts/{concertId}');
  expect(reasonsAt('/paths/~1concerts~1{eventId}/parameters/0')).toEqual([
    'is the path parameter eventId, which is called concertId in the contract',
  ]);
});

test('each security scheme without Bearer tokens is reported at its place', () => {
  const reasons = ['basic', 'digest', 'token', 'header'].map((name) =>
    reasonsAt(`/components/securitySchemes/${name}`),
  );
  expect(reasons).toEqual([
    ['is the security scheme basic. Keys of the platform replace HTTP Basic authentication, as Bearer tokens'],
    ['is the security scheme digest. Keys of the platform replace the HTTP scheme digest, as Bearer tokens'],
    [],
    ['is the security scheme header. Keys of the platform replace the header X-Key, as Bearer tokens'],
  ]);
});

describe('descriptions', () => {
  test('of parameters that the contract declares are in the contract', () => {
    expect(operations.listConcerts?.query?.name?.schema).toEqual({
      type: 'string',
      description: 'The name of the event.',
    });
    expect(operations.listConcertsInHall?.params?.hallId?.schema).toEqual({
      type: 'integer',
      description: 'The hall.',
    });
  });

  test('of the paging are reported, because the contract has its own', () => {
    for (const at of [0, 1])
      expect(reasonsAt(`/paths/~1concerts/get/parameters/${at}`)).toEqual([
        'has a description, in place of which the contract has one of its own',
      ]);
  });
});

test('a query parameter that the paging of a list does not use is a query parameter of the contract, and is reported', () => {
  expect(Object.keys(operations.listConcerts?.query ?? {})).toEqual(['name', 'offset']);
  expect(Object.keys(operations.listConcertsInHall?.query ?? {})).toEqual(['limit']);
  const reason = (name: string) =>
    `is the query parameter ${name}, which is no field of Concert. The sandbox ignores it`;
  expect(reasonsAt('/paths/~1concerts/get/parameters/3')).toEqual([reason('offset')]);
  expect(reasonsAt('/paths/~1halls~1{hallId}~1concerts/get/parameters/1')).toEqual([reason('limit')]);
});

test('an operation without an id is named after its effect, an action after the last part of its path', () => {
  const parameters = [{ name: 'concertId', in: 'path', required: true, schema: { type: 'string' } }];
  const action = { responses: ok(event) };
  const { resources } = importDocument(
    'theatre.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Theatre', version: '1' },
      paths: {
        '/concerts/{concertId}': { parameters, get: action, delete: { responses: { 204: {} } } },
        '/concerts/{concertId}/sell-out': { parameters, post: action },
        '/concerts/{concertId}/status': { parameters, put: action },
        '/concerts/{concertId}/poster': { parameters, get: { responses: { 200: { content: { 'image/png': {} } } } } },
      },
      components: { schemas: { Concert: { type: 'object', properties: { id: { type: 'string' } } } } },
    }),
  );
  expect(Object.keys(resources[0]?.operations ?? {})).toEqual([
    'getConcert',
    'deleteConcert',
    'putStatusOfConcert',
    'getPosterOfConcert',
    'sellOutConcert',
  ]);
});
