// Generates the CLI's table of operations from both OpenAPI documents: the inputs of each operation, without its
// responses.
import type { ApiName, ApiOperation, JsonSchema } from './src/api-operation.ts';

interface Parameter {
  name: string;
  in: ApiOperation['parameters'][number]['in'];
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security?: readonly Record<string, unknown>[];
  parameters?: readonly (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

function resolve<T>(document: Document, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T; // not a reference
  const path = value.$ref.replace(/^#\//, '').split('/');
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document) as T; // the documents contain each referenced value
}

/** Fields of a response that hold a secret which is shown once. */
const SECRET_FIELDS = ['token', 'signingSecret'];

function hasSecret(document: Document, { responses }: Operation): boolean {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.values(resolve<Content>(document, response).content ?? {}));
  return contents.some(({ schema }) => {
    const { properties } = resolve<{ properties?: Record<string, unknown> }>(document, schema);
    return SECRET_FIELDS.some((field) => properties !== undefined && field in properties);
  });
}

function credentialOf({ security = [] }: Operation): ApiOperation['credential'] {
  const ways = security.flatMap((way) => Object.keys(way));
  return (['key', 'token', 'session'] as const).find((way) => ways.includes(way)) ?? 'none';
}

function toOperation(document: Document, api: ApiName, method: string, path: string, of: Operation): ApiOperation {
  const parameters = (of.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const ok = Object.entries(of.responses).filter(([status]) => status.startsWith('2'));
  const types = ok.flatMap(([, response]) => Object.keys(resolve<Content>(document, response).content ?? {}));
  return {
    api,
    method: method.toUpperCase(),
    path,
    summary: of.summary,
    description: of.description,
    credential: credentialOf(of),
    parameters: parameters.map(({ name, in: place, required = false, description = '', schema }) => ({
      name,
      in: place,
      isRequired: required,
      description,
      schema: withoutNotes(schema) as JsonSchema, // the form of a schema is kept
    })),
    body: withoutNotes(of.requestBody?.content?.['application/json']?.schema ?? null) as JsonSchema | null, // the same
    isBodyRequired: of.requestBody?.required ?? false,
    isStream: types[0] === 'text/event-stream',
    hasSecret: hasSecret(document, of),
  };
}

/** Returns a schema without its examples and extensions, which only readers of the document need. */
function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'examples' && !name.startsWith('x-'));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNotes(inner)]));
}

/** Returns the names of the schemas that the value refers to, directly or through other schemas. */
function namesIn(document: Document, value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(document, document.components.schemas[name], found);
  }
  return found;
}

const lines = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`).join('');

/** Returns the source of the table. Throws if two operations have the same id. */
export function generateOperations(documents: Readonly<Record<ApiName, Document>>): string {
  const apis = ['v1', 'management'] as const;
  const all = apis.flatMap((api) =>
    Object.entries(documents[api].paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, one]) => [one.operationId, toOperation(documents[api], api, method, path, one)] as const,
      ),
    ),
  );
  const ids = all.map(([id]) => id);
  const twin = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twin !== undefined) throw new Error(`Both documents have an operation ${twin}.`);
  const schemas = apis.map((api) => {
    const own = all.filter(([, one]) => one.api === api).map(([, { parameters, body }]) => ({ parameters, body }));
    const names = [...namesIn(documents[api], own)].toSorted();
    return [api, names.map((name) => [name, withoutNotes(documents[api].components.schemas[name])] as const)] as const;
  });
  return [
    '// Generated from the contract by `npm run contract`. Do not edit.\n',
    "import type { ApiName, ApiOperation, JsonSchema } from '../api-operation.ts';\n\n",
    '/** The operations of both documents, by their ids. */\n',
    `export const API_OPERATIONS: Readonly<Record<string, ApiOperation>> = {\n${lines(all)}};\n\n`,
    '/** The schemas that their inputs refer to. */\n',
    `export const API_SCHEMAS: Readonly<Record<ApiName, Readonly<Record<string, JsonSchema>>>> = {\n${schemas
      .map(([api, own]) => `  ${api}: {\n${lines(own).replaceAll(/^/gm, '  ').trimEnd()}\n  },\n`)
      .join('')}};\n`,
  ].join('');
}
