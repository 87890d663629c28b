// The document matches the operations: each named schema once, every reference resolved, every problem listed.
import { describe, expect, test } from 'vitest';
import { inlineShared } from '../../../test/contract-inline.ts';
import { problemsAt } from '../../access/problems/index.ts';
import { RESPONSE_HEADERS } from '../../access/response-headers/index.ts';
import { type Access, type AnyOperation, ok, operation } from '../http/operation.ts';
import { namedSchema, nullable, oneOf, strictObject, type TSchema, Type, text } from '../http/schema.ts';
import { openapiDocument } from './openapi.ts';
import { problemsOf } from './openapi-problems.ts';
import { SchemaComponents } from './openapi-schemas.ts';

const access: Access<null, null, null> = {
  security: 'key',
  scope: 'things:read',
  summary: 'A key.',
  problems: ['missing_scope', 'missing_key'],
  admit: async () => null,
  enter: (_admitted, _request, _services, run) => run(null),
};

const Part = namedSchema('Part', strictObject({ name: text('Its name.', { maxLength: 5 }) }));
const Thing = namedSchema('Thing', strictObject({ main: Part, others: Type.Array(Part, { maxItems: 3 }) }));

const getThing = operation({
  id: 'getThing',
  route: 'GET /things/{thingId}',
  tag: 'Things',
  summary: 'Get a thing',
  description: 'One thing.',
  access,
  params: strictObject({ thingId: text('Which.', { maxLength: 30 }) }),
  query: strictObject({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })), part: Type.Optional(Part) }),
  replies: ok('The thing.', Thing, { one: { main: { name: 'a' }, others: [] } }),
  run: async () => ({ status: 200 }),
});
const createThing = operation({
  id: 'createThing',
  route: 'POST /things/{thingId}',
  tag: 'Things',
  summary: 'Create a thing',
  description: 'A new thing.',
  access: { ...access, security: 'none' },
  body: Thing,
  examples: { one: { main: { name: 'a' }, others: [] } },
  replies: { 204: { description: 'Made.' } },
  problems: ['conflict'],
  run: async () => ({ status: 204 }),
});

const State = namedSchema('State', strictObject({ name: oneOf(['on', 'off'], 'Its name.') }));
const Kind = namedSchema('Kind', text('Its kind.', { maxLength: 9 }));
const listParts = operation({
  id: 'listParts',
  route: 'GET /parts',
  tag: 'Things',
  summary: 'List parts',
  description: 'All parts.',
  access,
  replies: ok('The state.', namedSchema('PartState', strictObject({ state: State, kind: Kind })), {}),
  run: async () => ({ status: 200 }),
});
const createPart = operation({
  id: 'createPart',
  route: 'POST /parts',
  tag: 'Things',
  summary: 'Create a part',
  description: 'A new part.',
  access,
  body: namedSchema('NewPart', strictObject({ state: State, kind: Kind })),
  replies: { 204: { description: 'Made.' } },
  run: async () => ({ status: 204 }),
});

interface DescribedOperation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown; examples: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: unknown; examples?: Record<string, unknown> }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<'schemas' | 'headers' | 'responses' | 'examples', Record<string, unknown>>;
}

function documentOf(operations: AnyOperation<null>[]): Document {
  const document = openapiDocument({
    title: 'Things',
    version: '1.0.0',
    description: 'Things.',
    docsUrl: 'https://example.org/docs',
    contact: 'Their author',
    serverUrl: 'https://example.org',
    serverDescription: 'Here.',
    headers: [],
    problems: problemsAt('https://example.org/problems'),
    responseHeaders: RESPONSE_HEADERS,
    tags: [{ name: 'Things', description: 'Things.' }],
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    operations,
  });
  return JSON.parse(JSON.stringify(document));
}

const referencesOf = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');

describe('OpenAPI document', () => {
  const document = documentOf([getThing, createThing]);
  const path = inlineShared(document).paths['/things/{thingId}'];

  test('is OpenAPI 3.1 with both methods under their common path', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(['/things/{thingId}']);
    expect([path?.get?.operationId, path?.post?.operationId]).toEqual(['getThing', 'createThing']);
  });

  test('contains each named schema once, wherever it is nested, with the names in order', () => {
    expect(Object.keys(document.components.schemas)).toEqual(['Part', 'PartInput', 'Problem', 'Thing', 'ThingInput']);
    expect(document.components.schemas.Thing).toMatchObject({
      properties: {
        main: { $ref: '#/components/schemas/Part' },
        others: { items: { $ref: '#/components/schemas/Part' } },
      },
    });
  });

  test('names the documentation and the contact', () => {
    const url = 'https://example.org/docs';
    expect(document).toMatchObject({ info: { contact: { name: 'Their author', url } }, externalDocs: { url } });
  });

  test('resolves every reference', () => {
    const references = referencesOf(document);
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) {
      const [, , kind = '', name = ''] = reference.split('/');
      expect(document.components).toHaveProperty([kind, name]);
    }
  });

  test('has no keyword next to a reference, which generators would ignore', () => {
    const alone = JSON.stringify(document).match(/\{"\$ref":"[^"]+"\}/g) ?? [];
    expect(alone.length).toBe(referencesOf(document).length);
  });

  test('requires the scope if an operation takes a key, and nothing if it is public', () => {
    expect(path?.get?.security).toEqual([{ key: ['things:read'] }]);
    expect(path?.post?.security).toEqual([]);
  });

  test('requires the parameters of a path, but not the optional ones of a query', () => {
    const parameters = path?.get?.parameters.map(({ name, in: place, required }) => [name, place, required === true]);
    expect(parameters).toEqual([
      ['thingId', 'path', true],
      ['limit', 'query', false],
      ['part', 'query', false],
      ['If-None-Match', 'header', false],
    ]);
  });

  test('contains bodies, responses and their examples', () => {
    expect(path?.post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingInput' }, examples: { one: {} } } },
    });
    expect(path?.get?.responses['200']?.content?.['application/json']?.examples).toHaveProperty('one');
    expect(path?.post?.responses['204']?.content).toBeUndefined();
  });

  test('requires a body unless its schema accepts null, because a missing body is read as null', () => {
    const requiredOf = (body: TSchema) =>
      documentOf([{ ...createPart, body }]).paths['/parts']?.post?.requestBody?.required;
    const schema = strictObject({ note: text('A note.', { maxLength: 10 }) });
    expect([requiredOf(schema), requiredOf(nullable(schema))]).toEqual([true, false]);
  });

  test('closes a schema in a request and opens it in a response, with a schema of its own for each', () => {
    const { schemas } = documentOf([listParts, createPart]).components;
    expect(schemas.State).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: {
          type: 'string',
          maxLength: 100,
          pattern: '^\\S+$',
          description: 'Its name. One of `on`, `off`; more may be added.',
          'x-extensible-enum': ['on', 'off'],
        },
      },
      'x-schema-version': 1,
    });
    expect(schemas.StateInput).toMatchObject({
      additionalProperties: false,
      properties: { name: { enum: ['on', 'off'] } },
    });
    expect(schemas.NewPart).toMatchObject({ properties: { state: { $ref: '#/components/schemas/StateInput' } } });
    expect(schemas).not.toHaveProperty('KindInput');
  });

  test('describes a value that can be null with oneOf, and other alternatives with anyOf', () => {
    const { refer } = new SchemaComponents();
    const name = { type: 'string', description: 'Its name.', maxLength: 5 };
    const schema = text('Its name.', { maxLength: 5 });
    expect(refer(nullable(schema), 'request')).toEqual({ oneOf: [expect.objectContaining(name), { type: 'null' }] });
    const kinds = refer(Type.Union([schema, Type.Integer()]), 'request');
    expect(kinds).toEqual({ anyOf: [expect.objectContaining(name), expect.objectContaining({ type: 'integer' })] });
    // A value of any type would match both alternatives.
    expect(refer(nullable(Type.Unknown()), 'request')).toHaveProperty('anyOf');
  });

  test('shares responses that occur twice, and names them by their status', () => {
    const { paths, components } = document;
    const refusals = Object.values(paths['/things/{thingId}'] ?? {}).map(({ responses }) => responses['400']);
    expect(refusals).toEqual([
      { $ref: '#/components/responses/BadRequest' },
      { $ref: '#/components/responses/BadRequest' },
    ]);
    expect(components.responses).toHaveProperty(['BadRequest', 'content', 'application/problem+json', 'examples'], {
      invalid_request: { $ref: '#/components/examples/invalid_request' },
    });
    expect(paths['/things/{thingId}']?.get?.responses['200']).toHaveProperty('content');
  });

  test('lists every problem under its status, with an example of its body', () => {
    for (const [method, one] of [
      ['get', getThing],
      ['post', createThing],
    ] as const) {
      const listed = Object.values(path?.[method]?.responses ?? {}).flatMap((response) =>
        Object.keys(response.content?.['application/problem+json']?.examples ?? {}),
      );
      expect(listed.sort()).toEqual(problemsOf(one));
    }
    const forbidden = path?.get?.responses['403']?.content?.['application/problem+json'];
    expect(forbidden?.examples?.missing_scope).toMatchObject({ value: { code: 'missing_scope', status: 403 } });
  });

  test('shares no objects with the operations, so changing the document does not change them', () => {
    const first = openapiDocument({
      title: 't',
      version: '1',
      description: 'd',
      contact: 'c',
      serverUrl: 's',
      serverDescription: 's',
      headers: [],
      problems: problemsAt('p'),
      responseHeaders: RESPONSE_HEADERS,
      tags: [],
      securitySchemes: {},
      operations: [getThing],
    });
    const { schemas } = first.components as Document['components']; // the document has components
    Object.assign(schemas.Part ?? {}, { description: 'changed' });
    expect(Part).not.toHaveProperty('description', 'changed');
  });
});

describe('problems of an operation', () => {
  test('problems follow from the access and the inputs of an operation', () => {
    expect(problemsOf(getThing)).toEqual([
      'headers_too_large',
      'internal_error',
      'invalid_request',
      'missing_key',
      'missing_scope',
      'not_acceptable',
      'not_found',
      'request_timeout',
      'uri_too_long',
    ]);
    expect(problemsOf(createThing)).toEqual([
      'body_too_large',
      'conflict',
      'headers_too_large',
      'internal_error',
      'invalid_request',
      'missing_key',
      'missing_scope',
      'not_acceptable',
      'request_timeout',
      'unsupported_media_type',
      'uri_too_long',
    ]);
  });
});
