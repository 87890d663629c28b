// The work of an import of a large document, counted as the parts of the document that it visits.
import { afterEach, expect, test, vi } from 'vitest';
import { importDocument } from './index.ts';
import { Part } from './part.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ 200: { description: 'OK', ...content(schema) } });
const named = <T>(count: number, name: string, make: (at: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, make(at)]));

interface Size {
  components: number;
  /** The fields of a schema that each component contains. */
  shared?: number;
  /** The fields of the payload of a webhook. */
  payload?: number;
}

function documentOf({ components, shared = 1, payload = 1 }: Size): string {
  const names = Array.from({ length: components }, (_, at) => `Part${at}`);
  const id = { id: { type: 'string' } };
  const schemas = Object.fromEntries(
    names.map((name) => [name, { allOf: [ref('Base'), { type: 'object', required: ['id'], properties: id }] }]),
  );
  const fields = named(shared, 'field', () => ({ type: 'string' }));
  const Payload = { type: 'object', properties: named(payload, 'value', () => ({ type: 'object', properties: {} })) };
  const paths = Object.fromEntries(
    names.map((name) => [
      `/${name.toLowerCase()}s`,
      {
        get: { operationId: `list${name}`, responses: ok({ type: 'array', items: ref(name) }) },
        post: { operationId: `create${name}`, requestBody: content(ref(name)), responses: ok(ref(name)) },
      },
    ]),
  );
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Parts', version: '1' },
    paths,
    webhooks: { something: { post: { requestBody: content(ref('Payload')), responses: {} } } },
    components: { schemas: { Base: { type: 'object', properties: fields }, Payload, ...schemas } },
  });
}

/** Returns the number of parts that an import visits. */
function workOf(size: Size): number {
  const visits = vi.spyOn(Part.prototype, 'own');
  const pointers = vi.spyOn(Part.prototype, 'pointer', 'get');
  importDocument('parts.json', documentOf(size));
  const work = visits.mock.calls.length + pointers.mock.calls.length;
  vi.restoreAllMocks();
  return work;
}
afterEach(() => vi.restoreAllMocks());

test('a component that others contain is not read beyond the fields that a contract can have', () => {
  const work = workOf({ components: 3, shared: 6_000 });
  expect(work).toBeLessThan(1.1 * workOf({ components: 3, shared: 3_000 }));
  expect(workOf({ components: 6, shared: 6_000 })).toBeLessThan(2.2 * work);
});

test('each field of a webhook is compared once, and not with each resource', () => {
  const workOfPayload = (components: number): number =>
    workOf({ components, payload: 1_500 }) - workOf({ components, payload: 1 });
  expect(workOfPayload(40)).toBeLessThan(1.1 * workOfPayload(4));
});
