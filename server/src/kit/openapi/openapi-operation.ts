// Describes one operation in the OpenAPI document.

import { isInRequest } from '../http/deprecation.ts';
import type { AnyOperation, ReplySpec } from '../http/operation.ts';
import { type HeaderName, headerReferences } from '../http/response-headers.ts';
import { schemaErrors, type TSchema, Type } from '../http/schema.ts';
import { renamedArguments } from './argument-names.ts';
import { describeProblems, problemsOf } from './openapi-problems.ts';
import type { OpenApiObject, SchemaReferrer } from './openapi-schemas.ts';
import type { Problems } from './problems.ts';

interface DocumentContext {
  problems: Problems;
  headers: readonly HeaderName[];
  keyed?: { parameters: Record<string, OpenApiObject>; headers: readonly HeaderName[] };
}

export function describeOperation<Services>(
  operation: AnyOperation<Services>,
  surroundings: DocumentContext,
  refer: SchemaReferrer,
  usedHeaders: Set<string>,
): OpenApiObject {
  const { access, body, bodyType, deprecations = [] } = operation;
  const bodyTypes = ['application/json', ...(bodyType === undefined ? [] : [bodyType])];
  const bodyContent = body && { schema: refer(body, 'request'), ...examples(operation.examples) };
  const headers = headersOf(operation, surroundings);
  const problems = describeProblems(problemsOf(operation), surroundings.problems, headers);
  const replies = repliesOf(operation);
  for (const name of [...headers, ...problems.headers, ...replies.flatMap(([, reply]) => reply.headers ?? [])]) {
    usedHeaders.add(name);
  }
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nAccess: ${access.summary}`,
    ...(deprecations.some((one) => one.where.in === 'operation') && { deprecated: true }),
    security: securityOf(access),
    parameters: [...parametersOf(operation, refer), ...sharedParameters(operation, surroundings)],
    ...(body && {
      requestBody: {
        // A request without a body is read as null.
        required: schemaErrors(body, null).length > 0,
        description: 'JSON in UTF-8.',
        content: Object.fromEntries(bodyTypes.map((type) => [type, bodyContent])),
      },
    }),
    responses: {
      ...Object.fromEntries(replies.map(([status, reply]) => [status, describeReply(reply, headers, refer)])),
      ...problems.responses,
    },
  };
}

function securityOf({
  security,
  alternativeSecurity,
  scope,
  furtherScopes = [],
}: AnyOperation<never>['access']): OpenApiObject[] {
  if (security === 'none') return [];
  return [
    { [security]: scope ? [scope, ...furtherScopes] : [] },
    ...(alternativeSecurity ? [{ [alternativeSecurity]: [] }] : []),
  ];
}

function headersOf<Services>(operation: AnyOperation<Services>, surroundings: DocumentContext): HeaderName[] {
  const deprecated: HeaderName[] = operation.deprecations?.some(isInRequest) ? ['Deprecation', 'Sunset', 'Link'] : [];
  const own = operation.access.headers ?? [];
  const keyed = operation.access.security === 'key' ? (surroundings.keyed?.headers ?? []) : [];
  return ['Request-Id', 'Cache-Control', ...surroundings.headers, ...own, ...keyed, ...deprecated];
}

const isRead = <Services>(operation: AnyOperation<Services>): boolean => operation.method === 'GET';

function repliesOf<Services>(operation: AnyOperation<Services>): [number, ReplySpec][] {
  const own = Object.entries(operation.replies).map(([status, reply]): [number, ReplySpec] => [Number(status), reply]);
  if (!isRead(operation)) return own;
  const unchanged: ReplySpec = {
    description: 'Not modified: the representation still has the ETag in `If-None-Match`.',
  };
  return [...own, [304, unchanged] as [number, ReplySpec]].map(([status, reply]) => [
    status,
    { ...reply, headers: ['ETag', ...(reply.headers ?? [])] },
  ]);
}

const IF_NONE_MATCH = Type.String({
  description:
    'The `ETag` of an earlier response. If the representation is unchanged, the response is 304 without a body.',
  maxLength: 1024,
  pattern: '^[\\u0020-\\u007e]+$',
  examples: ['W/"3vCqWm2Jx0aZ1bYc4dXeLg"'],
});

function parametersOf<Services>(operation: AnyOperation<Services>, refer: SchemaReferrer): OpenApiObject[] {
  const headers = { ...operation.access.requestHeaders, ...(isRead(operation) && { 'If-None-Match': IF_NONE_MATCH }) };
  const path = parameters(operation.params, 'path', refer);
  const query = parameters(operation.query, 'query', refer);
  const renamed = renamedArguments({ path: path.map(({ name }) => name), query: query.map(({ name }) => name) });
  const withArgument = (one: DescribedParameter, argument: string | undefined): OpenApiObject =>
    argument === undefined ? one : { ...one, 'x-argument': argument };
  return [
    ...path.map((one) => withArgument(one, renamed.path.get(one.name))),
    ...query.map((one) => withArgument(one, renamed.query.get(one.name))),
    ...parameters({ properties: headers, required: operation.access.requiredHeaders }, 'header', refer),
  ];
}

type DescribedParameter = OpenApiObject & { name: string };

function parameters(
  schema: object | undefined,
  place: 'path' | 'query' | 'header',
  refer: SchemaReferrer,
): DescribedParameter[] {
  // operations declare it with strictObject
  const object = schema as { properties?: Record<string, TSchema>; required?: string[] } | undefined;
  return Object.entries(object?.properties ?? {}).map(([name, property]) => {
    const { description, examples, deprecated, ...rest } = refer(property, 'request');
    return {
      name,
      in: place,
      required: object?.required?.includes(name) ?? false,
      description,
      ...(deprecated === true && { deprecated }),
      schema: rest,
      example: exampleOf(rest, examples),
    };
  });
}

function sharedParameters<Services>(operation: AnyOperation<Services>, { keyed }: DocumentContext): OpenApiObject[] {
  if (operation.access.security !== 'key') return [];
  return Object.keys(keyed?.parameters ?? {}).map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Returns the schema's own example, or a value that the schema implies. */
function exampleOf(schema: OpenApiObject, examples: unknown): unknown {
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return schema.default ?? schema.minimum;
}

function examples(named: Record<string, unknown> | undefined): OpenApiObject {
  if (!named) return {};
  return { examples: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }])) };
}

function describeReply(reply: ReplySpec, common: readonly HeaderName[], refer: SchemaReferrer): OpenApiObject {
  const { contentType = 'application/json', otherContentTypes = [], schema } = reply;
  const contents = [contentType, ...otherContentTypes].map((type) => [
    type,
    schema && { schema: refer(schema, 'response'), ...examples(reply.examples) },
  ]);
  return {
    description: reply.description,
    headers: headerReferences([...common, ...(reply.headers ?? [])]),
    ...(schema && { content: Object.fromEntries(contents) }),
    ...(reply.links && { links: reply.links }),
  };
}
