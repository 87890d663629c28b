// Reads the operations of an OpenAPI document: the inputs of each operation, without its responses.
import type { ApiName, ApiOperation, JsonSchema } from './api-operation.ts';

interface Parameter {
  name: string;
  in: ApiOperation['parameters'][number]['in'];
  required?: boolean;
  description?: string;
  /** The name of the argument, if another argument has the name of the parameter. */
  'x-argument'?: string;
  schema: JsonSchema;
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface DocumentOperation {
  operationId: string;
  summary: string;
  description: string;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks?: Record<string, unknown>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes?: { key?: { 'x-scopes'?: Record<string, string> } };
  };
}

function resolve<T>(document: ApiDocument, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T; // not a reference
  const path = value.$ref.replace(/^#\//, '').split('/');
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document) as T; // the documents contain each referenced value
}

/** Fields of a response that hold a secret which is shown once. */
const SECRET_FIELDS = ['token', 'signingSecret'];

function hasSecret(document: ApiDocument, contents: readonly { schema: JsonSchema }[]): boolean {
  return contents.some(({ schema }) => {
    const { properties } = resolve<{ properties?: Record<string, unknown> }>(document, schema);
    return SECRET_FIELDS.some((field) => properties !== undefined && field in properties);
  });
}

function credentialOf({ security = [] }: DocumentOperation): ApiOperation['credential'] {
  const ways = security.flatMap((way) => Object.keys(way));
  return (['key', 'token', 'session'] as const).find((way) => ways.includes(way)) ?? 'none';
}

function toOperation(
  document: ApiDocument,
  api: ApiName,
  method: string,
  path: string,
  of: DocumentOperation,
): ApiOperation {
  const parameters = (of.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const ok = Object.entries(of.responses).filter(([status]) => status.startsWith('2'));
  const contents = ok.flatMap(([, response]) => Object.entries(resolve<Content>(document, response).content ?? {}));
  const [type] = contents[0] ?? [];
  return {
    api,
    method: method.toUpperCase(),
    path: withArguments(path, parameters),
    summary: of.summary,
    description: of.description,
    credential: credentialOf(of),
    scopes: of.security?.[0]?.key ?? [],
    parameters: parameters.map(({ name, in: place, required = false, description = '', schema, ...one }) => ({
      name: one['x-argument'] ?? name,
      ...(one['x-argument'] !== undefined && place === 'query' && { sentAs: name }),
      in: place,
      isRequired: required,
      description,
      schema: withoutNotes(schema) as JsonSchema, // the form of a schema is kept
    })),
    body: withoutNotes(of.requestBody?.content?.['application/json']?.schema ?? null) as JsonSchema | null, // the same
    isBodyRequired: of.requestBody?.required ?? false,
    isStream: type === 'text/event-stream',
    isText: contents.some(([one]) => !/\bjson\b/.test(one)),
    hasSecret: hasSecret(
      document,
      contents.map(([, content]) => content),
    ),
  };
}

/** Returns the path with the names of the arguments in braces. */
const withArguments = (path: string, parameters: readonly Parameter[]): string =>
  parameters
    .filter((one) => one.in === 'path')
    .reduce((changed, { name, 'x-argument': argument = name }) => changed.replace(`{${name}}`, `{${argument}}`), path);

/** Returns a schema without its examples and extensions, which only readers of the document need. */
function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'examples' && !name.startsWith('x-'));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNotes(inner)]));
}

/** Returns the names of the schemas that the value refers to, directly or through other schemas. */
function namesIn(document: ApiDocument, value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(document, document.components.schemas[name], found);
  }
  return found;
}

/** Returns the operations of a document by their ids, in its order. */
export const operationsIn = (document: ApiDocument, api: ApiName): (readonly [id: string, operation: ApiOperation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) => [one.operationId, toOperation(document, api, method, path, one)] as const,
    ),
  );

/** Returns the schemas that the inputs of operations refer to, by their names. */
export function schemasOf(
  document: ApiDocument,
  operations: readonly ApiOperation[],
): (readonly [name: string, schema: JsonSchema])[] {
  const inputs = operations.map(({ parameters, body }) => ({ parameters, body }));
  const names = [...namesIn(document, inputs)].toSorted();
  return names.map((name) => [name, withoutNotes(document.components.schemas[name]) as JsonSchema]); // the form of a schema is kept
}
