// Documents that try to harm the import or the contract: their size, names, patterns and texts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { defineContract, resource } from '../../access/contracts/index.ts';
import { contractFiles, DocumentError, importDocument } from './index.ts';

const schemaDocument = (schema: unknown, change: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders/{id}': {
        get: {
          operationId: 'getOrder',
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
        },
      },
    },
    components: { schemas: { Order: schema } },
    ...change,
  });
const fieldsOf = (schema: unknown) => importDocument('shop.json', schemaDocument(schema)).resources[0]?.fields;
const reasonsOf = (text: string): string[] => importDocument('shop.json', text).findings.map(({ reason }) => reason);

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const bomb = `openapi: 3.1.0\nx-a: &a [${'1,'.repeat(50)}]\nx-b: [${'*a,'.repeat(1_100)}]\n`;

test.each([
  ['more than 8 MiB', ' '.repeat(8 * 1024 * 1024 + 1), 'doc has more than 8 MiB'],
  ['101 levels', `{"openapi":"3.1.0","x":${deep(101)}}`, 'doc:1: The document is nested more than 100 deep'],
  ['20,000 levels in JSON', `{"x":${deep(20_000)}}`, 'doc:1: The document is nested more than 100 deep'],
  ['20,000 levels in YAML', `x:\n ${'- '.repeat(20_000)}1\n`, 'doc:2: The document is nested more than 100 deep'],
  ['more than 1,000 aliases', bomb, 'doc:3: The document has more than 1000 aliases'],
  ['an alias inside its anchor', 'openapi: 3.1.0\nx: &x\n  - *x\n', 'doc:3: The alias *x is inside its own anchor'],
  ['an alias without an anchor', 'openapi: 3.1.0\nx: *y\n', /doc:2: .*y/],
  ['a key twice', 'openapi: 3.1.0\npaths: {}\npaths: {}\n', 'doc:3: The document is neither JSON nor YAML 1.2'],
  ['a key twice in JSON', '{"openapi":"3.1.0",\n"openapi":"3.0.0"}', 'The key "openapi" occurs twice.'],
  ['a tag of code', 'openapi: !!js/function "x"\n', 'doc:1: The document must be OpenAPI 3.0 or 3.1'],
  ['Swagger 2.0', 'swagger: "2.0"\n', 'doc:1: The document must be OpenAPI 3.0 or 3.1 (swagger: 2.0)'],
  ['no object', '[1]', 'doc:1: The document must be an object'],
  ['no text', '', 'doc:1: The document must be an object'],
  ['no paths', '{"openapi":"3.1.0"}', 'doc: The document describes no resource'],
])('refuses a document with %s', (_, text, message) => {
  expect(() => importDocument('doc', text)).toThrow(DocumentError);
  expect(() => importDocument('doc', text)).toThrow(message);
});

test('leaves out fields with the names of inherited properties', () => {
  const text =
    '{"type":"object","required":["__proto__","id"],"properties":{"id":{"type":"string"},"__proto__":{"type":"string"},"toString":{"type":"string"},"a":{"type":"string","default":{"__proto__":1}}}}';
  const fields = fieldsOf(JSON.parse(text));
  expect(Object.keys(fields ?? {})).toEqual(['a']);
  expect(fields?.a).toEqual({ type: 'string' });
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
});

test.each([
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+b',
  '^(.*,)*x',
  '.*.*.*.*.*x',
  '^\\S+@\\S+\\.\\S+$',
  '\\S+@',
  '^a|b+',
  '^a{0,50}a{0,50}a*b',
  '[a-z]{1,300}x',
  'a{1,5000}',
  '^(?:\\p{L}{1,1000}){3}$',
  '^[\\p{L}\\p{N}]{1000}$',
  '^(?:[a-z.-]{1,64}){50}$',
  '^(?:a?){50}$',
  '^(?:a{2}b?){3}$',
  '^(?:a*b{2}){3}$',
  '^a{0,900}a{0,900}a{0,900}a{0,900}a{0,900}$',
  '(?<n>',
  '\\p{Foo}',
  `a${'b'.repeat(500)}`,
])('does not check the pattern %s', (pattern) => {
  const text = schemaDocument({ type: 'object', properties: { id: {}, code: { type: 'string', pattern } } });
  expect(importDocument('shop.json', text).resources[0]?.fields.code).toEqual({ type: 'string' });
  expect(reasonsOf(text).some((reason) => reason.startsWith('is a pattern that'))).toBe(true);
});

test.each([
  '^[A-Z]{3}-\\d+$',
  '^[a-z]{2}(-[A-Z]{2})?$',
  '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$',
  '^([01]\\d|2[0-3]):[0-5]\\d$',
  '^\\p{L}[\\p{L} ]*$',
  '^[\\p{L} ]{1,200}$',
  '^[a-z]{1,63}[.][a-z]{1,63}[.][a-z]{2,20}$',
])('checks the pattern %s', (pattern) => {
  const document = schemaDocument({ type: 'object', properties: { id: {}, code: { type: 'string', pattern } } });
  const [order] = importDocument('shop.json', document).resources;
  expect(order?.fields.code).toEqual({ type: 'string', pattern });
  expect(Reflect.get(order?.example ?? {}, 'code')).toMatch(new RegExp(pattern, 'u'));
});

test('limits schemas that grow with each reference', () => {
  const schemas: Record<string, unknown> = { L0: { type: 'string' } };
  for (let level = 1; level <= 12; level++) {
    const properties = Object.fromEntries(
      [...'abcdefgh'].map((name) => [name, { $ref: `#/components/schemas/L${level - 1}` }]),
    );
    schemas[`L${level}`] = { type: 'object', properties };
  }
  const text = schemaDocument(
    {},
    {
      components: {
        schemas: {
          ...schemas,
          Order: { type: 'object', properties: { id: { type: 'string' }, big: { $ref: '#/components/schemas/L12' } } },
        },
      },
    },
  );
  const contract = importDocument('shop.json', text);
  expect(JSON.stringify(contract).length).toBeLessThan(500_000);
  expect(contract.findings.map(({ reason }) => reason).join()).toContain('has more than 2000 parts');
});

/** Ten references to the next level in each level, without a schema that refers to itself. */
const tower = (keyword: string): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, level) => [
      level === 0 ? 'Order' : `L${level}`,
      level === 11
        ? { type: 'object', properties: { id: { type: 'string' } } }
        : { [keyword]: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/L${level + 1}` })) },
    ]),
  );
const shopWith = (change: (document: ReturnType<typeof orderDocument>) => void): string => {
  const document = orderDocument();
  change(document);
  return JSON.stringify(document);
};
const orderDocument = () => ({
  ...JSON.parse(schemaDocument({ type: 'object', properties: { id: { type: 'string' } } })),
});
const listOf = (schema: unknown, parameter: string): object => ({
  get: {
    parameters: [{ name: parameter, in: 'query', schema: { type: 'string' } }],
    responses: { 200: { content: { 'application/json': { schema } } } },
  },
});
const selfInEach = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`meta${at}`, { $ref: '#/components/schemas/Page' }]));

// Each of them took more than a minute, or more memory than a process has.
test.each([
  ['allOf with ten references in each of ten levels', schemaDocument({}, { components: { schemas: tower('allOf') } })],
  ['oneOf with ten references in each of ten levels', schemaDocument({}, { components: { schemas: tower('oneOf') } })],
  [
    'an address of a server with 400,000 slashes',
    shopWith((document) => Object.assign(document, { servers: [{ url: `https://a${'/'.repeat(400_000)}b` }] })),
  ],
  [
    'a name of 400,000 capitals',
    shopWith(({ paths }) => Object.assign(paths['/orders/{id}'].get, { operationId: 'A'.repeat(400_000) })),
  ],
  [
    'an object with 60,000 fields',
    schemaDocument({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`data${at}`, {}])),
    }),
  ],
  [
    'a page with 1,000 fields that contain the page',
    shopWith((document) => {
      document.paths['/orders'] = listOf({ $ref: '#/components/schemas/Page' }, 'cursor');
      document.components.schemas.Page = {
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Order' } }, ...selfInEach(1_000) },
      };
    }),
  ],
  [
    'an event with 1,000 fields that contain its payload',
    shopWith((document) => {
      document.components.schemas.Page = { type: 'object', properties: selfInEach(1_000) };
      const schema = { $ref: '#/components/schemas/Page' };
      document.webhooks = { orderMade: { post: { requestBody: { content: { 'application/json': { schema } } } } } };
    }),
  ],
  [
    'an enum of 100,000 values in 1,000 fields',
    shopWith(({ components }) => {
      components.schemas.Code = { enum: Array.from({ length: 100_000 }, (_, at) => at) };
      const fields = Array.from({ length: 1_000 }, (_, at) => [`f${at}`, { $ref: '#/components/schemas/Code' }]);
      Object.assign(components.schemas.Order.properties, Object.fromEntries(fields));
    }),
  ],
])('imports a document with %s', (_, text) => {
  expect(JSON.stringify(importDocument('shop.json', text)).length).toBeLessThan(5_000_000);
});

test('leaves out query parameters with the names of inherited properties', () => {
  const names = ['__proto__', 'constructor', 'status'];
  const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const text = shopWith(({ paths }) => Object.assign(paths['/orders/{id}'].get, { parameters }));
  const { query } = importDocument('shop.json', text).resources[0]?.operations?.getOrder ?? {};
  expect(Object.keys(query ?? {})).toEqual(['status']);
  expect(reasonsOf(text)).toContain('is the query parameter __proto__, whose form the contract cannot express');
});

test.each([
  ['a missing part', '#/components/schemas/None'],
  ['a file', 'file:///etc/passwd'],
  ['an address', 'http://127.0.0.1:9/x.json'],
])('survives a schema that refers to %s', (_, $ref) => {
  const text = schemaDocument({ type: 'object', properties: { id: { type: 'string' }, other: { $ref } } });
  const [order] = importDocument('shop.json', text).resources;
  expect(order?.fields.other).toEqual({});
});

test('checks the first level of a schema that contains itself', () => {
  const fields = fieldsOf({ type: 'object', properties: { id: {}, other: { $ref: '#/components/schemas/Order' } } });
  expect(fields?.other).toEqual({ type: 'object', properties: { id: {}, other: {} } });
});

test('reports an endless reference', () => {
  const text = schemaDocument({ $ref: '#/components/schemas/Order' });
  expect(() => importDocument('shop.json', text)).toThrow('describes no resource');
});

test('writes no text of the document as code', async () => {
  const evil = ['`$', '{globalThis.harm=1}`\'"\\*/\n\u2028;globalThis.harm=1;//'].join('');
  const operation = {
    operationId: evil,
    summary: evil,
    description: evil,
    tags: [evil],
    security: [{ [evil]: [evil] }],
    parameters: [{ name: evil, in: 'query', description: evil, schema: { type: 'string', default: evil } }],
    responses: {
      200: {
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/X%60%3Bevil' },
            example: { id: evil, text: evil },
          },
        },
      },
    },
  };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: evil, version: evil },
    paths: { '/orders/{id}': { get: operation } },
    webhooks: {
      [evil]: {
        post: {
          summary: evil,
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/X%60%3Bevil' } } } },
        },
      },
    },
    components: {
      schemas: {
        'X`;evil': {
          type: 'object',
          description: evil,
          properties: { id: { type: 'string' }, text: { type: 'string', enum: [evil], description: evil }, [evil]: {} },
        },
      },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-hostile-'));
  try {
    const imported = importDocument('x.json', text);
    for (const { path, text: content } of contractFiles(imported)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const module = await import(pathToFileURL(join(folder, 'contract.mjs')).href);
    const contract = module.default({ defineContract, resource });
    expect(Reflect.get(globalThis, 'harm')).toBeUndefined();
    expect(contract.resources[0].description).toBe(evil.trim());
    expect(contract.resources[0].fields.text.enum).toEqual([evil]);
    expect(imported.findings.every(({ reason }) => !/[\n\u2028]/.test(reason))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
