// Parameters of a document whose schemas accept more than the text of one value.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const parameter = (name: string, schema: object, more = {}) => ({ name, in: 'query', schema, ...more });
const NULL = { type: 'null' };
const tea = { $ref: '#/components/schemas/Tea' };
const imported = importDocument(
  'teas.json',
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Teas', version: '1' },
    paths: {
      '/teas': {
        get: {
          parameters: [
            parameter('skip', { anyOf: [{ type: 'integer', minimum: 0 }, NULL], title: 'Skip' }),
            parameter('limit', { anyOf: [{ type: 'integer', maximum: 40 }, NULL], default: 20 }),
            parameter('year', { type: ['integer', 'null'], default: null }),
            parameter('kind', { anyOf: [{ $ref: '#/components/schemas/Kind' }, NULL] }, { description: 'The kind.' }),
            parameter('tags', { type: 'array', items: { type: 'string', maxLength: 9 } }, { explode: false }),
            parameter('piped', { type: 'array', items: { type: 'integer' } }, { style: 'pipeDelimited' }),
            parameter('either', { oneOf: [{ type: 'boolean' }, { type: 'integer' }, NULL] }),
          ],
          responses: {
            200: { description: 'OK', content: { 'application/json': { schema: { type: 'array', items: tea } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Kind: { type: 'string', enum: ['green', 'black'] },
        Tea: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, kind: {}, year: {}, tags: {}, either: {} },
        },
      },
    },
  }),
);
const list = imported.resources[0]?.operations?.listTea;

test('a parameter has the schema of its value, which is never null', () => {
  expect(list?.query).toEqual({
    year: { schema: { type: 'integer' } },
    kind: { schema: { type: 'string', enum: ['green', 'black'], description: 'The kind.' } },
    tags: { schema: { type: 'string', maxLength: 9 } },
    piped: { schema: { type: 'integer' } },
    either: { schema: { oneOf: [{ type: 'boolean' }, { type: 'integer' }] } },
  });
});

test('the limit of a page has the maximum and the default of its value', () => {
  expect(list?.content).toMatchObject({ paging: { by: 'offset', limit: 'limit', maxLimit: 40, defaultLimit: 20 } });
});

test('a list of values is reported, also with other separators than commas', () => {
  const reported = imported.findings.filter(({ reason }) =>
    reason.endsWith('with several values. The contract accepts one value'),
  );
  expect(reported.map(({ pointer }) => pointer)).toEqual([4, 5].map((at) => `/paths/~1teas/get/parameters/${at}`));
});
