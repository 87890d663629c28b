// Every example of the contract is executed: its request is sent to the running service. The example response must fit
// its schema and have the structure of the actual response.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../src/kit/http/operation.ts';
import { schemaErrors } from '../src/kit/http/schema.ts';
import { publicDocument, publicOperations } from '../src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../src/listeners/sandbox-management.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { inlineShared } from './contract-inline.ts';
import { until } from './harness.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
let leaked: string;
let objects: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
  leaked = (await app.key()).token;
  objects = await findObjects();
});
afterAll(() => sandbox.close());

/** Returns identifiers of the app's own data, which replace those of the examples in paths. */
async function findObjects(): Promise<Record<string, string>> {
  const serverId = app.serverIds[1] ?? '';
  const first = async (path: string): Promise<string> => {
    const { body } = await sandbox.call<{ data: { id: string }[] }>(path, token);
    return body.data[0]?.id ?? '';
  };
  const runs = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${serverId}/workflows`, token);
  const workflowId = runs.body.data.at(-1)?.id ?? '';
  const create = async (id: string, path: string): Promise<string> => {
    const { body } = await sandbox.call<{ id: string }>(path, token, json(requestExample(id)));
    return body.id;
  };
  return {
    serverId,
    workflowId,
    publicationId: await first(`/v1/servers/${serverId}/publications`),
    roadmapItemId: await first(`/v1/servers/${serverId}/roadmap`),
    ticketId: await create('createTicket', `/v1/servers/${serverId}/tickets`),
    workflowRunId: await create('createWorkflowRun', `/v1/workflows/${workflowId}/runs`),
    eventId: await until(() => first('/v1/events').then((id) => id !== '' && id)),
  };
}

const operations = publicOperations as unknown as AnyOperation<never>[]; // their services are not used here
const requestExample = (id: string): unknown =>
  Object.values(operations.find((one) => one.id === id)?.examples ?? {})[0];

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface DescribedSchema {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
}
const document = inlineShared(publicDocument('http://sandbox.test', 'http://sandbox.test/problems')) as unknown as {
  paths: Record<string, Record<string, DescribedSchema>>;
  components: { parameters: Record<string, Parameter> };
};
/** Returns the operation with its shared parameters inlined. */
const resolved = (operation: DescribedSchema): DescribedSchema => ({
  ...operation,
  parameters: operation.parameters.map((parameter) => {
    const shared = '$ref' in parameter ? String(parameter.$ref).replace('#/components/parameters/', '') : '';
    return document.components.parameters[shared] ?? parameter;
  }),
});
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [operation.operationId, path, method, resolved(operation)] as const,
  ),
);

// A cursor is sealed for one app and one list, so no example of it could be valid.
const isSealed = ({ name }: Parameter): boolean => name === 'cursor' || name === 'after';

// The key of an example does not exist, so a spare key replaces it.
const withLeaked = (body: string): string => body.replace(/slw_test_7Qh2mXc04LpA_EXAMPLE\w+/, leaked);

/** Returns the request of an operation's examples, with identifiers of this app. */
function exampleRequest(
  path: string,
  method: string,
  operation: DescribedSchema,
  query: boolean,
): [string, RequestInit] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = operation.parameters.find((one) => one.name === name)?.example;
    return objects[name] ?? String(example);
  });
  const search = new URLSearchParams();
  const headers = new Headers();
  for (const parameter of operation.parameters) {
    const value = objects[parameter.name] ?? String(parameter.example);
    if (parameter.in === 'query' && query && !isSealed(parameter)) search.set(parameter.name, value);
    if (parameter.in === 'header' && (query || parameter.required)) headers.set(parameter.name, value);
    // An idempotency key belongs to one request, in all operations together.
    if (parameter.name === 'Idempotency-Key') headers.set(parameter.name, `${value} ${operation.operationId}`);
  }
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  if (example) headers.set('content-type', 'application/json');
  return [
    search.size === 0 ? filled : `${filled}?${search}`,
    { method: method.toUpperCase(), headers, ...(example && { body: withLeaked(JSON.stringify(example.value)) }) },
  ];
}

/** Returns the paths of all fields. Items of a list have one structure, and free objects may have any field. */
function shapeOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((inner) => shapeOf(inner, `${at}[]`));
  if (typeof value !== 'object' || value === null || isFree(at)) return [at];
  return Object.entries(value).flatMap(([name, inner]) => shapeOf(inner, `${at}/${name}`));
}
// Fields that hold names of clients, may be null, or may be missing in a list.
const isFree = (at: string): boolean =>
  /\/(metadata|inputSchema|input|output|data|requester|scopes)$/.test(at) && at !== '/data';

const UNLIKE: Record<string, string> = {
  getOpenapi: 'its example is its beginning',
  getEvent: 'its data is of any type',
};

describe.each(described)('the examples of %s', (id, path, method, operation) => {
  test('the operation has an example of each parameter except cursors, and of each body and response', () => {
    const without = operation.parameters.filter((one) => (one.example === undefined) !== isSealed(one));
    expect(without.map(({ name }) => name)).toEqual([]);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((one) =>
      Object.values(one?.content ?? {}),
    );
    for (const body of bodies) expect(Object.keys(body.examples ?? {}).length).toBeGreaterThan(0);
  });

  test('the operation accepts its examples, with and without optional parts', async () => {
    for (const optional of [true, false]) {
      const [url, init] = exampleRequest(path, method, operation, optional);
      const { status, text } = await sandbox.call(url, token, init);
      expect([url, status < 300 ? 'served' : text]).toEqual([url, 'served']);
    }
  });

  test('the operation responds as its examples show', async () => {
    const declared = operations.find((one) => one.id === id);
    const [url, init] = exampleRequest(path, method, operation, false);
    const answer = await sandbox.call<unknown>(url, token, init);
    const { schema, examples = {} } = declared?.replies[answer.status] ?? {};
    expect(Object.keys(examples)).not.toEqual([]);
    for (const example of Object.values(examples)) {
      expect(schema && schemaErrors(schema, example)).toEqual([]);
      if (id in UNLIKE || typeof example === 'string') continue;
      expect(new Set(shapeOf(example))).toEqual(new Set(shapeOf(answer.body)));
    }
  });
});

describe.each(
  sandboxManagement.map((operation) => [operation.id, operation] as const),
)('the management operation %s', (_, operation) => {
  test('the operation has examples of its body and its responses, and they fit their schemas', () => {
    const bodies = operation.body ? [{ schema: operation.body, examples: operation.examples ?? {} }] : [];
    const replies = Object.values(operation.replies).filter((reply) => reply.schema);
    for (const { schema, examples = {} } of [...bodies, ...replies]) {
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const example of Object.values(examples)) expect(schema && schemaErrors(schema, example)).toEqual([]);
    }
  });
});
