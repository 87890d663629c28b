// Generates OpenAPI 3.1 from the operations. Nothing is written twice, so document and code cannot diverge.

import type { AnyOperation } from '../http/operation.ts';
import { type HeaderName, headerComponents, type ResponseHeaders } from '../http/response-headers.ts';
import { describeOperation } from './openapi-operation.ts';
import { explainProblems, listProblemCodes, problemExamples, problemSchema, problemsOf } from './openapi-problems.ts';
import { shareResponses } from './openapi-responses.ts';
import { type OpenApiObject, SchemaComponents } from './openapi-schemas.ts';
import { describeWebhook, type WebhookSpec } from './openapi-webhooks.ts';
import type { ProblemCode, Problems } from './problems.ts';

export interface DocumentOptions<Services> {
  title: string;
  version: string;
  description: string;
  /** The documentation. Omitted if it is unknown. */
  docsUrl?: string | undefined;
  /** The name of the contact that the documentation leads to. */
  contact: string;
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
  keyed?: { parameters: Record<string, OpenApiObject>; headers: readonly HeaderName[] };
}

export function openapiDocument<Services>(options: DocumentOptions<Services>): OpenApiObject {
  const { contact, docsUrl } = options;
  const schemas = new SchemaComponents();
  const { refer } = schemas;
  const usedHeaders = new Set<string>();
  const webhooks = (options.webhooks ?? []).map((webhook) => [webhook.name, { post: describeWebhook(webhook, refer) }]);
  for (const { schema } of options.operations.flatMap(({ replies }) => Object.values(replies))) {
    if (schema) refer(schema, 'response');
  }
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const operation of options.operations) {
    const described = describeOperation(operation, options, refer, usedHeaders);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  const responses = shareResponses(Object.values(paths).flatMap((methods) => Object.values(methods)));
  const codes = options.problemCodes ?? listProblemCodes(options.problems);
  const used = new Set([...options.operations, ...(options.webhooks ?? [])].map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      ...(docsUrl && { contact: { name: contact, url: docsUrl } }),
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    ...(docsUrl && { externalDocs: { description: 'Guides and reference.', url: docsUrl } }),
    servers: [{ url: options.serverUrl, description: options.serverDescription, 'x-internal': false }],
    tags: options.tags.filter(({ name }) => used.has(name)),
    paths,
    ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }),
    components: {
      schemas: inOrder({ ...schemas.all(), Problem: problemSchema(codes) }),
      responses: inOrder(responses),
      examples: problemExamples(new Set(options.operations.flatMap(problemsOf)), options.problems),
      headers: headerComponents(options.responseHeaders, usedHeaders),
      securitySchemes: options.securitySchemes,
      ...(options.keyed && { parameters: options.keyed.parameters }),
    },
    'x-problems': explainProblems(options.problems, options.problemFixField ?? 'fix'),
  };
}

const inOrder = (components: Record<string, OpenApiObject>): Record<string, OpenApiObject> =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
