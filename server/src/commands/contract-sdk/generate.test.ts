import { expect, test } from 'vitest';
import { type Document, generateSource } from './generate.ts';

const text = { type: 'string' };
const answer = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } });

function document(operation: object, more: object = {}): Document {
  const paths = {
    '/v1/things': { get: { operationId: 'listThings', summary: 'List', description: 'All.', ...operation } },
  };
  return { paths, components: { schemas: {} }, ...more } as unknown as Document; // only the parts that the test needs
}

const source = (operation: object, more?: object): string =>
  generateSource(document(operation, more), '// A client.\n');

test('a schema becomes the equivalent TypeScript type', () => {
  const schema = {
    type: 'object',
    required: ['a', 'kind'],
    properties: {
      a: { oneOf: [text, { type: 'null' }] },
      kind: { const: "it's" },
      both: {
        type: 'array',
        items: { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] },
      },
      old: { type: 'boolean', description: 'Not */ used.', deprecated: true },
      any: { type: 'object', properties: {}, additionalProperties: true },
      'x-map': { type: 'object', patternProperties: { '^': { type: 'integer' } } },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      mixed: {
        type: 'object',
        patternProperties: { '^a': text, '^b': text },
        additionalProperties: { type: 'number' },
      },
    },
  };
  const written = source(
    { responses: answer({ $ref: '#/components/schemas/Thing' }) },
    { components: { schemas: { Thing: schema } } },
  );
  for (const line of [
    '  a: string | null;',
    "  kind: 'it\\'s';",
    '  both?: (A & B)[];',
    '  /** Not * / used. @deprecated */\n  old?: boolean;',
    '  any?: Record<string, unknown>;',
    "  'x-map'?: Record<string, number>;",
    '  counts?: Record<string, number>;',
    '  mixed?: Record<string, string | number>;',
  ]) {
    expect(written).toContain(`${line}\n`);
  }
});

test('a parameter whose name is no identifier is a property in quotes', () => {
  const parameters = ['author-id', 'made[gte]', 'page.size'].map((name) => ({ name, in: 'query', schema: text }));
  const written = source({ parameters, responses: answer(text) });
  for (const { name } of parameters) expect(written).toContain(`      '${name}'?: string;\n`);
  expect(written).toContain("query: ['author-id', 'made[gte]', 'page.size']");
});

test('a parameter whose argument has another name is sent under its declared name', () => {
  const parameters = [
    { name: 'body', in: 'path', required: true, 'x-argument': 'bodyPath', schema: text },
    { name: 'body', in: 'query', 'x-argument': 'bodyQuery', schema: text },
    { name: 'limit', in: 'query', schema: text },
  ];
  const operation = {
    operationId: 'getPart',
    summary: 'Get',
    description: 'One.',
    parameters,
    responses: answer(text),
  };
  const paths = { '/v1/parts/{body}': { get: operation } };
  const written = source({ responses: {} }, { paths });
  for (const line of ['bodyPath: string;', 'bodyQuery?: string;', 'limit?: string;'])
    expect(written).toContain(`      ${line}\n`);
  expect(written).toContain(
    "path: '/v1/parts/{bodyPath}', query: ['bodyQuery', 'limit'], names: { bodyQuery: 'body' } }",
  );
});

test('an operation is a list if its parameter and its page have a position', () => {
  const page = { type: 'object', properties: { data: { type: 'array', items: text }, nextAfter: text } };
  const parameters = [
    { $ref: '#/components/parameters/After' },
    { name: 'Idempotency-Key', in: 'header', schema: text },
  ];
  const components = { schemas: { Page: page }, parameters: { After: { name: 'after', in: 'query', schema: text } } };
  const written = source({ parameters, responses: answer({ $ref: '#/components/schemas/Page' }) }, { components });
  expect(written).toContain('    item: string;\n');
  expect(written).toContain("query: ['after'], page: 'after' }");
  expect(written).not.toContain('Idempotency-Key');
  const without = { schemas: { Page: { type: 'object', properties: { data: page.properties.data } } } };
  const alone = source(
    { parameters, responses: answer({ $ref: '#/components/schemas/Page' }) },
    { components: { ...components, ...without } },
  );
  expect(alone).not.toContain('item:');
});

test('a body that a request can leave out is optional', () => {
  const content = { 'application/json': { schema: { oneOf: [text, { type: 'null' }] } } };
  const written = (requestBody: object) => source({ requestBody, responses: {} });
  expect(written({ required: false, content })).toContain('      body?: string | null;\n');
  expect(written({ required: true, content })).toContain('      body: string | null;\n');
});

test('a stream is not a call and has its own table and input type', () => {
  const responses = { 200: { content: { 'text/event-stream': { schema: text } } } };
  const written = source({
    operationId: 'tailThings',
    parameters: [{ name: 'kind', in: 'query', schema: text }],
    responses,
  });
  const [calls, streams] = written.split('export interface Streams');
  expect(calls).not.toContain('tailThings');
  expect(streams).toContain('    input: {\n      kind?: string;\n    };\n  };\n');
  expect(streams).toContain("tailThings: { method: 'GET', path: '/v1/things', query: ['kind'], isText: true },");
  expect(source({ responses: answer(text) })).not.toContain('Streams');
});

test.each([
  ['application/json', 'string', ''],
  ['text/csv', 'string', ', isText: true'],
  ['application/x-ndjson', 'string', ', isText: true'],
  ['image/svg+xml; charset=utf-8', 'string', ', isText: true'],
  ['application/json text/csv', 'string', ', isText: true'],
  ['application/pdf', 'Blob', ', isBinary: true'],
  ['image/PNG image/jpeg', 'Blob', ', isBinary: true'],
  ['text/csv application/octet-stream', 'Blob', ', isBinary: true'],
])('a response of %s has the type %s', (types, type, entry) => {
  const content = Object.fromEntries(types.split(/(?<!;) /).map((one) => [one, { schema: text }]));
  const written = source({ responses: { 200: { content } } });
  expect(written).toContain(`    output: ${type};\n`);
  expect(written).toContain(`{ method: 'GET', path: '/v1/things'${entry} },`);
});

test('the union of webhook events is distinguished by type', () => {
  const webhook = (name: string) => ({
    post: { requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } },
  });
  const webhooks = { 'a.made': webhook('AMade'), 'b.made': webhook('BMade'), 'b.again': webhook('BMade') };
  expect(source({ responses: answer(text) }, { webhooks })).toContain('export type WebhookEvent = AMade | BMade;\n');
});

test('a schema without an equivalent is unknown, and several types are a union', () => {
  const properties = {
    a: { not: text },
    b: { type: ['string', 'null'] },
    c: { properties: { d: {} } },
    e: { const: [1] },
  };
  const written = source({ responses: {} }, { components: { schemas: { Thing: { type: 'object', properties } } } });
  for (const line of ['  a?: unknown;', '  b?: string | null;', '    d?: unknown;', '  e?: unknown;']) {
    expect(written).toContain(`${line}\n`);
  }
});

test('alternatives and allOf keep the fields next to them, and a map keeps the type of its values', () => {
  const a = { type: 'object', required: ['a'], properties: { a: text } };
  const properties = {
    map: { type: 'object', additionalProperties: { type: 'array', items: text } },
    choice: { type: 'object', required: ['id'], properties: { id: text }, oneOf: [a, { required: ['id'] }] },
    plain: { anyOf: [a, { type: 'null' }] },
  };
  const whole = { type: 'object', properties: { id: text }, allOf: [a] };
  const schemas = { Thing: { type: 'object', properties }, Whole: whole };
  const written = source({ responses: {} }, { components: { schemas } }).replaceAll(/\s+/g, ' ');
  for (const part of [
    'map?: Record<string, string[]>;',
    'choice?: { id: string; } & ({ a: string; } | unknown);',
    'plain?: { a: string; } | null;',
    'export type Whole = { id?: string; } & { a: string; };',
  ])
    expect(written).toContain(part);
});

test('no text of a document becomes code', () => {
  const schema = { enum: ["';\nalert(1)//", '\u2028x', '\\'], description: '*/ alert(1)\n\u2028/*' };
  const named = { type: 'object', properties: { "a'\n: 1": schema } };
  const written = source({ responses: {} }, { components: { schemas: { Thing: named } } });
  expect(written).toContain(`"';\\nalert(1)//" | "\\u2028x" | '\\\\'`);
  expect(written).toContain('  /** * / alert(1) /* */\n  "a\'\\n: 1"?: ');
  expect(written.split('\n').filter((line) => line.startsWith('alert'))).toEqual([]);
});

test('an unknown reference stops the generator', () => {
  expect(() => source({ parameters: [{ $ref: '#/components/parameters/No' }], responses: {} })).toThrow(/has no #/);
});
