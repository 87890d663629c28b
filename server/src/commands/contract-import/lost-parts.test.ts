// The reports of parts of a document that the contract leaves out or changes, with the place of each part.
import { expect, test } from 'vitest';
import { importDocument } from './index.ts';

const CUP = { $ref: '#/components/schemas/Cup' };
const json = (schema: object, type = 'application/json') => ({ [type]: { schema } });
const parameters = [{ name: 'cupId', in: 'path', required: true, schema: { type: 'integer' } }];

function importCups(paths: object, { cup = {}, components = {} }: { cup?: object; components?: object } = {}) {
  const Cup = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    ...cup,
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Cups', version: '1' },
    paths,
    components: { schemas: { Cup, ...components } },
  };
  const { resources, findings } = importDocument('cups.json', JSON.stringify(document));
  return {
    operations: resources[0]?.operations ?? {},
    resource: resources[0],
    reasons: findings
      .map(({ pointer, reason }) => `${pointer} ${reason}`)
      .filter((one) => !one.includes('name no scopes')),
  };
}

const get = (response: object, more = {}) => ({
  get: { responses: { 200: { description: 'OK', ...response } }, ...more },
});

test('a redirect is reported', () => {
  const responses = { 200: { description: 'OK', content: json(CUP) }, 302: { description: 'Elsewhere' } };
  const { reasons } = importCups({ '/cups/{cupId}': { parameters, get: { responses } } });
  expect(reasons).toEqual(['/paths/~1cups~1{cupId}/get/responses/302 is a redirect, which the contract does not send']);
});

test('304 is reported for a change, and not for a read, which the server answers with it', () => {
  const responses = { 200: { description: 'OK', content: json(CUP) }, 304: { description: 'Not modified' } };
  const patch = { requestBody: { content: json({ type: 'object' }) }, responses };
  const { reasons } = importCups({ '/cups/{cupId}': { parameters, get: { responses }, patch } });
  expect(reasons).toEqual([
    '/paths/~1cups~1{cupId}/patch/responses/304 is a redirect, which the contract does not send',
  ]);
});

test('an optional body that cannot be an empty object is reported, because the contract requires it', () => {
  const postOf = (schema: object, more = {}) => {
    const post = { requestBody: { content: json(schema), ...more }, responses: { 201: { content: json(CUP) } } };
    const paths = { '/cups': { post }, '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }) } };
    return importCups(paths).reasons;
  };
  const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  expect(postOf(named)).toEqual([
    '/paths/~1cups/post/requestBody is an optional body, but its schema refuses an empty object. The contract requires the body',
  ]);
  expect(postOf(named, { required: true })).toEqual([]);
  expect(postOf({ ...named, required: [] })).toEqual([]);
});

test('a text that is too long is reported, and ends with a whole character', () => {
  const { reasons, resource } = importCups(
    { '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }) } },
    { cup: { description: `${'a'.repeat(1_999)}\u{1F375} of tea` } },
  );
  expect(reasons).toEqual([
    '/components/schemas/Cup/description has more than 2000 characters. The contract keeps the first 2000',
  ]);
  expect(resource?.description).toBe('a'.repeat(1_999));
});

test('a schema of further fields is reported', () => {
  const { reasons } = importCups(
    { '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }) } },
    { cup: { unevaluatedProperties: { type: 'string' } } },
  );
  expect(reasons).toEqual([
    '/components/schemas/Cup/unevaluatedProperties is a schema of further fields, which the contract does not check',
  ]);
});

test('a closed schema stays open for a field that the contract leaves out', () => {
  const { resource } = importCups(
    { '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }) } },
    { cup: { properties: { id: { type: 'integer' }, constructor: { type: 'string' } }, unevaluatedProperties: false } },
  );
  expect(resource?.open).toBe(true);
});

test('a `readOnly` field keeps `readOnly`, so that the server ignores the field in a body', () => {
  const { resource } = importCups(
    { '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }) } },
    { cup: { properties: { id: { type: 'integer' }, owner: { type: 'string', readOnly: true } } } },
  );
  expect(resource?.fields.owner).toEqual({ type: 'string', readOnly: true });
});

test('the contract has one media type of a body and the examples that fit, and the other types and examples are reported', () => {
  const examples = { tea: { value: { name: 'Tea' } }, wrong: { value: { name: 7 } } };
  const content = {
    'application/merge-patch+json': { schema: CUP, examples },
    'application/xml': { schema: CUP },
  };
  const patch = { requestBody: { content }, responses: { 200: { description: 'OK', content: json(CUP) } } };
  const { operations, reasons } = importCups(
    { '/cups/{cupId}': { parameters, ...get({ content: json(CUP) }), patch } },
    { cup: { required: [] } },
  );
  expect(operations.updateCup?.input).toMatchObject({
    type: 'application/merge-patch+json',
    schema: { examples: [{ name: 'Tea' }] },
  });
  const at = '/paths/~1cups~1{cupId}/patch/requestBody/content';
  expect(reasons).toEqual([
    `${at}/application~1merge-patch+json/examples/wrong/value is an example that does not fit its schema. The contract leaves it out`,
    `${at}/application~1xml is a further media type of a body (application/xml). The contract leaves it out`,
  ]);
});
