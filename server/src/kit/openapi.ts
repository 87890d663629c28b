// OpenAPI 3.1 from the operations: nothing is written twice, so nothing can drift.
import type { AnyOperation, ReplySpec } from './operation.ts';
import { PROBLEMS, type ProblemCode, problemBody } from './problems.ts';
import { nameOfSchema, type TSchema } from './schema.ts';

export interface DocumentOptions<Services> {
  title: string;
  version: string;
  description: string;
  serverUrl: string;
  problemsUrl: string;
  tags: readonly { name: string; description: string }[];
  securitySchemes: Record<string, unknown>;
  operations: readonly AnyOperation<Services>[];
}

type Json = Record<string, unknown>;

const EXAMPLE_REQUEST_ID = 'req_01j9z3v8k6e5t8m2n4p6q8r0sb';

export function openapiDocument<Services>(options: DocumentOptions<Services>): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  const refer = (schema: TSchema): Json => toReference(schema, schemas);
  for (const operation of options.operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: describe(operation, options, refer),
    });
  }
  schemas.Problem = problemSchema();
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl }],
    tags: options.tags,
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: options.securitySchemes,
    },
  };
}

/** A schema as it stands in the document: named schemas become components, wherever they are nested. */
function toReference(schema: unknown, schemas: Record<string, Json>): Json {
  const name = typeof schema === 'object' && schema !== null ? nameOfSchema(schema) : undefined;
  if (name === undefined) return copy(schema, schemas) as Json; // a schema is an object
  if (!(name in schemas)) {
    schemas[name] = {};
    schemas[name] = copy(schema, schemas) as Json;
  }
  return { $ref: `#/components/schemas/${name}` };
}

function copy(value: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((inner) => enter(inner, schemas));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, enter(inner, schemas)]));
}

function enter(inner: unknown, schemas: Record<string, Json>): unknown {
  return typeof inner === 'object' && inner !== null && nameOfSchema(inner) !== undefined
    ? toReference(inner, schemas)
    : copy(inner, schemas);
}

/** Every problem that an operation may answer: its own, its access's, and those that its form implies. */
export function problemsOf<Services>(operation: AnyOperation<Services>): ProblemCode[] {
  const codes = new Set<ProblemCode>([...(operation.problems ?? []), ...operation.access.problems, ...OF_ANY_REQUEST]);
  if (operation.params) codes.add('not_found');
  // Whether or not it takes one: a body that comes with these is read.
  if (operation.method !== 'GET') {
    codes.add('body_too_large');
    codes.add('unsupported_media_type');
  }
  if (!hasOwnContentType(operation)) codes.add('not_acceptable');
  return [...codes].sort();
}

const OF_ANY_REQUEST: readonly ProblemCode[] = [
  'invalid_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
];

const hasOwnContentType = <Services>(operation: AnyOperation<Services>): boolean =>
  Object.values(operation.replies).some((reply) => reply.contentType !== undefined);

function describe<Services>(
  operation: AnyOperation<Services>,
  options: DocumentOptions<Services>,
  refer: (schema: TSchema) => Json,
): Json {
  const { access, body } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nAccess: ${access.summary}`,
    security: access.security === 'none' ? [] : [{ [access.security]: access.scope ? [access.scope] : [] }],
    parameters: [...parameters(operation.params, 'path', refer), ...parameters(operation.query, 'query', refer)],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(body), ...examples(operation.examples) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.replies).map(([status, reply]) => [status, describeReply(reply, refer)]),
      ),
      ...describeProblems(operation, options.problemsUrl),
    },
  };
}

function parameters(schema: TSchema | undefined, place: 'path' | 'query', refer: (schema: TSchema) => Json): Json[] {
  const object = schema as { properties?: Record<string, TSchema>; required?: string[] } | undefined; // closed() made it
  return Object.entries(object?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = refer(property);
    return { name, in: place, required: object?.required?.includes(name) ?? false, description, schema: rest };
  });
}

const REQUEST_ID_HEADER = {
  'Request-Id': {
    description: 'The identifier of this request, for the Request Inspector and for support.',
    schema: { type: 'string', pattern: '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$', maxLength: 30 },
  },
};

function examples(named: Record<string, unknown> | undefined): Json {
  if (!named) return {};
  return { examples: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }])) };
}

function describeReply(reply: ReplySpec, refer: (schema: TSchema) => Json): Json {
  const headers = { ...REQUEST_ID_HEADER, ...reply.headers };
  if (!reply.schema) return { description: reply.description, headers };
  const type = reply.contentType ?? 'application/json';
  return {
    description: reply.description,
    headers,
    content: { [type]: { schema: refer(reply.schema), ...examples(reply.examples) } },
  };
}

function describeProblems<Services>(operation: AnyOperation<Services>, problemsUrl: string): Json {
  const byStatus = groupByStatus(problemsOf(operation));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
        headers: REQUEST_ID_HEADER,
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            ...examples(
              Object.fromEntries(codes.map((code) => [code, problemBody(code, EXAMPLE_REQUEST_ID, problemsUrl, {})])),
            ),
          },
        },
      },
    ]),
  );
}

function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function problemSchema(): Json {
  const field = (description: string, rest: Json): Json => ({ description, ...rest });
  return {
    type: 'object',
    description: 'A problem (RFC 9457).',
    required: ['type', 'title', 'status', 'code', 'requestId'],
    additionalProperties: false,
    properties: {
      type: field('The address of its page.', { type: 'string', format: 'uri', maxLength: 2048 }),
      title: field('A short title.', { type: 'string', maxLength: 100 }),
      status: field('The HTTP status.', { type: 'integer', minimum: 400, maximum: 599 }),
      code: field('The machine-readable code.', { type: 'string', enum: Object.keys(PROBLEMS) }),
      requestId: field('The request.', { type: 'string', maxLength: 30 }),
      detail: field('What is wrong in this case.', { type: 'string', maxLength: 2000 }),
      errors: field('Each invalid part of the request.', {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['pointer', 'detail'],
          additionalProperties: false,
          properties: {
            pointer: field('Where it is (JSON Pointer).', { type: 'string', maxLength: 2000 }),
            detail: field('What is expected there.', { type: 'string', maxLength: 2000 }),
          },
        },
      }),
    },
  };
}
