// The examples of a document: of components, bodies, parameters and responses.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const tea = { $ref: '#/components/schemas/Tea' };
const example = { id: 7, name: 'Assam', grams: 100, code: 'secret-code' };

const { resources, findings } = importDocument(
  'teas.json',
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Teas', version: '1' },
    paths: {
      '/teas': {
        get: {
          operationId: 'listTeas',
          parameters: [{ name: 'name', in: 'query', example: 'Assam', schema: { type: 'string' } }],
          responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: tea } } } } },
        },
        post: {
          operationId: 'createTea',
          requestBody: { content: { 'application/json': { schema: tea } } },
          responses: { 201: { content: { 'application/json': { schema: tea } } } },
        },
      },
      '/teas/{teaId}/rename': {
        post: {
          operationId: 'renameTea',
          parameters: [{ name: 'teaId', in: 'path', required: true, schema: { type: 'integer' } }],
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                examples: { short: { value: { name: 'Oolong' } }, wrong: { value: { name: 7 } } },
              },
            },
          },
          responses: { 200: { content: { 'application/json': { schema: tea } } } },
        },
      },
    },
    components: {
      schemas: {
        Tea: {
          type: 'object',
          additionalProperties: false,
          required: ['id', 'name', 'code'],
          properties: {
            id: { type: 'integer', readOnly: true },
            name: { type: 'string' },
            grams: { type: 'integer' },
            code: { type: 'string', writeOnly: true },
          },
          example,
        },
      },
    },
  }),
);
const [resource] = resources;
const examplesOf = (id: string): unknown => Reflect.get(Object(resource?.operations?.[id]?.input?.schema), 'examples');

test('the example of a component is the example of its resource, without the fields of requests', () => {
  expect(resource?.example).toEqual({ id: 7, name: 'Assam', grams: 100 });
});

test('the example of a component is an example of a body, without the fields of responses', () => {
  expect(examplesOf('createTea')).toEqual([{ name: 'Assam', grams: 100, code: 'secret-code' }]);
});

test('the examples of a body and of a parameter are in the contract, and those that do not fit are reported', () => {
  expect(examplesOf('renameTea')).toEqual([{ name: 'Oolong' }]);
  expect(resource?.operations?.listTeas?.query?.name?.schema).toEqual({ type: 'string', examples: ['Assam'] });
  expect(findings.filter(({ reason }) => reason.includes('example')).map(({ pointer }) => pointer)).toEqual([
    '/paths/~1teas~1{teaId}~1rename/post/requestBody/content/application~1json/examples/wrong/value',
  ]);
});
