// Generates OpenAPI 3.1 from the operations. Nothing is written twice, so document and code cannot diverge.

import type { AnyOperation } from '../http/operation.ts';
import { type HeaderName, headerComponents, type ResponseHeaders } from '../http/response-headers.ts';
import { nameOfSchema, SENSITIVE, versionOfSchema } from '../http/schema.ts';
import { describeOperation, type SchemaReferrer } from './openapi-operation.ts';
import { explainProblems, listProblemCodes, problemSchema } from './openapi-problems.ts';
import { describeWebhook, type WebhookSpec } from './openapi-webhooks.ts';
import type { ProblemCode, Problems } from './problems.ts';

export interface DocumentOptions<Services> {
  title: string;
  version: string;
  description: string;
  /** The documentation, where a reader also finds the operator. Omitted if it is unknown. */
  docsUrl?: string | undefined;
  serverUrl: string;
  serverDescription: string;
  problems: Problems;
  responseHeaders: Readonly<ResponseHeaders>;
  tags: readonly { name: string; description: string }[];
  securitySchemes: Record<string, unknown>;
  /** Headers of every response of the listener. */
  headers: readonly HeaderName[];
  operations: readonly AnyOperation<Services>[];
  webhooks?: readonly WebhookSpec[];
  /** The codes with which this API may respond; all if absent. */
  problemCodes?: readonly ProblemCode[];
  /** The field of `x-problems` with the fix; `fix` if absent. */
  problemFixField?: string;
  /** Parameters and response headers of every operation that takes a key. */
  keyed?: { parameters: Record<string, Json>; headers: readonly HeaderName[] };
}

export type Json = Record<string, unknown>;

export function openapiDocument<Services>(options: DocumentOptions<Services>): Json {
  const { docsUrl } = options;
  const schemas: Record<string, Json> = {
    Problem: problemSchema(options.problemCodes ?? listProblemCodes(options.problems)),
  };
  const usedHeaders = new Set<string>();
  const refer: SchemaReferrer = (schema) => toReference(schema, schemas);
  const paths: Record<string, Json> = {};
  for (const operation of options.operations) {
    const described = describeOperation(operation, options, refer, usedHeaders);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  const webhooks = (options.webhooks ?? []).map((webhook) => [webhook.name, { post: describeWebhook(webhook, refer) }]);
  const used = new Set([...options.operations, ...(options.webhooks ?? [])].map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      ...(docsUrl && { contact: { name: 'The operator of this installation', url: docsUrl } }),
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    ...(docsUrl && { externalDocs: { description: 'Guides and reference.', url: docsUrl } }),
    servers: [{ url: options.serverUrl, description: options.serverDescription, 'x-internal': false }],
    tags: options.tags.filter(({ name }) => used.has(name)),
    paths,
    ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: headerComponents(options.responseHeaders, usedHeaders),
      securitySchemes: options.securitySchemes,
      ...(options.keyed && { parameters: options.keyed.parameters }),
    },
    'x-problems': explainProblems(options.problems, options.problemFixField ?? 'fix'),
  };
}

/** Returns a schema in the form of the document. Named schemas become components, wherever they are nested. */
function toReference(schema: unknown, schemas: Record<string, Json>): Json {
  const name = typeof schema === 'object' && schema !== null ? nameOfSchema(schema) : undefined;
  if (name === undefined) return copy(schema, schemas) as Json; // a schema is an object
  if (!(name in schemas)) {
    schemas[name] = {};
    const component = copy(schema, schemas) as Json; // as above
    schemas[name] = { ...component, 'x-schema-version': versionOfSchema(schema as object) };
  }
  return { $ref: `#/components/schemas/${name}` };
}

const MAX_INT32 = 2 ** 31 - 1;

function copy(value: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((inner) => enter(inner, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const published = Object.entries(value).filter(([name]) => name !== SENSITIVE);
  const copied = Object.fromEntries(published.map(([name, inner]) => [name, enter(inner, schemas)]));
  // Adds the format that the limits imply, for generators that ignore limits.
  if (copied.type !== 'integer') return copied;
  return { ...copied, format: Number(copied.maximum) <= MAX_INT32 ? 'int32' : 'int64' };
}

function enter(inner: unknown, schemas: Record<string, Json>): unknown {
  return typeof inner === 'object' && inner !== null && nameOfSchema(inner) !== undefined
    ? toReference(inner, schemas)
    : copy(inner, schemas);
}
