// A small contract with one of each element, and changes of it.
import type { Contract } from '../src/kit/openapi/contract-diff.ts';

export function contract(): Contract {
  const closed = (properties: object, required: string[]) => ({
    type: 'object',
    additionalProperties: false,
    properties,
    required,
  });
  const schemas = {
    NewThing: {
      ...closed(
        {
          name: { type: 'string', minLength: 1, maxLength: 50 },
          kind: { type: 'string', enum: ['a', 'b'] },
          note: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
          size: { type: 'number', maximum: 10 },
          marks: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
          free: { type: 'object', additionalProperties: true },
        },
        ['name'],
      ),
      'x-schema-version': 1,
    },
    Thing: {
      ...closed(
        {
          id: { type: 'string', maxLength: 9 },
          state: { type: 'string', enum: ['on', 'off'] },
          code: { type: 'string', enum: ['x'], 'x-extensible-enum': true },
          count: { type: 'integer', maximum: 5 },
          description: { type: 'string', maxLength: 9 },
          part: { $ref: '#/components/schemas/Part' },
        },
        ['id', 'state', 'code', 'count', 'description', 'part'],
      ),
      'x-schema-version': 1,
    },
    Part: {
      ...closed({ parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } }, ['parts']),
      'x-schema-version': 1,
    },
    MadeV1: { ...closed({ name: { type: 'string' } }, ['name']), 'x-schema-version': 1 },
  };
  const answer = {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    headers: { ETag: {} },
  };
  return {
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          security: [{ key: ['things:write'] }],
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
          },
          responses: { 201: answer, 400: {} },
        },
      },
      '/things/{id}': { get: { operationId: 'getThing', responses: { 200: answer } } },
    },
    webhooks: {
      'thing.made': {
        post: {
          operationId: 'onThingMade',
          parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/MadeV1' } } } },
          responses: {},
        },
      },
    },
    components: { schemas },
  };
}

type Json = Record<string, unknown>;

/** Returns the small contract with values set at paths, or removed by undefined. */
export function changed(...changes: [path: string, value: unknown][]): Contract {
  const copy = contract();
  for (const [path, value] of changes) {
    const names = path.split(' ');
    const last = names.pop() ?? '';
    const parent = names.reduce((node, name) => node[name] as Json, copy as unknown as Json); // the fixture's own paths
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

export const POST = 'paths /things post';
export const NEW = 'components schemas NewThing';
export const THING = 'components schemas Thing';
