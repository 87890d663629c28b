// Describes the problems of an operation in the OpenAPI document.
import { isInRequest } from '../http/deprecation.ts';
import type { AnyOperation } from '../http/operation.ts';
import { type HeaderName, headerReferences } from '../http/response-headers.ts';
import { type OpenApiObject, openSchema } from './openapi-schemas.ts';
import { type ProblemBody, type ProblemCode, type Problems, problemBody } from './problems.ts';

const EXAMPLE_REQUEST_ID = 'req_01j9z3v8k6e5t8m2n4p6q8r0sb';

/** Returns every problem that an operation may respond with: its own, its access's, and those that its inputs imply. */
export function problemsOf<Services>(operation: AnyOperation<Services>): ProblemCode[] {
  const codes = new Set<ProblemCode>([...(operation.problems ?? []), ...operation.access.problems, ...COMMON_PROBLEMS]);
  if (operation.params) codes.add('not_found');
  // Applies even to an operation without a body, because a body that is sent is read.
  if (operation.method !== 'GET') {
    codes.add('body_too_large');
    codes.add('unsupported_media_type');
  }
  if (operation.deprecations?.some(isInRequest)) codes.add('gone');
  if (!hasOwnContentType(operation)) codes.add('not_acceptable');
  return [...codes].sort();
}

const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'invalid_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
];

const hasOwnContentType = <Services>(operation: AnyOperation<Services>): boolean =>
  Object.values(operation.replies).some((reply) => reply.contentType !== undefined);

/** Headers of a problem, in addition to those of every response. */
const HEADERS_BY_STATUS: Record<number, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
};

export function describeProblems(
  codes: readonly ProblemCode[],
  problems: Problems,
  headers: readonly HeaderName[],
): { responses: OpenApiObject; headers: HeaderName[] } {
  const used: HeaderName[] = [];
  const described = [...groupByStatus(codes, problems)].map(([status, group]) => {
    const own = [...headers, ...(HEADERS_BY_STATUS[status] ?? [])];
    used.push(...own);
    return [status, describeGroup(group, problems, own)];
  });
  return { responses: Object.fromEntries(described), headers: used };
}

function describeGroup(codes: ProblemCode[], problems: Problems, headers: HeaderName[]): OpenApiObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems.kinds[code].meaning}`).join('\n\n'),
    headers: headerReferences(headers),
    content: {
      'application/problem+json': {
        // One type for every problem: a schema per status would be a class per response in generated clients, and would
        // close the list of codes. The examples name the codes of this response.
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

const exampleBody = (code: ProblemCode, problems: Problems): ProblemBody =>
  problemBody(code, EXAMPLE_REQUEST_ID, problems, problems.kinds[code].example ?? {});

/** Returns the components to which the examples of all problem responses refer. */
export const problemExamples = (codes: ReadonlySet<ProblemCode>, problems: Problems): OpenApiObject =>
  Object.fromEntries(
    [...codes]
      .sort()
      .map((code) => [code, { summary: problems.kinds[code].title, value: exampleBody(code, problems) }]),
  );

// Object.keys loses the type
export const listProblemCodes = ({ kinds }: Problems): ProblemCode[] => Object.keys(kinds) as ProblemCode[];

/**
 * Returns the texts of each problem for tools that render a reference, including problems that no operation declares.
 */
export function explainProblems(problems: Problems, fixField: string): OpenApiObject {
  const explained = listProblemCodes(problems).map((code) => {
    const { meaning, cause, fix, servedBy } = problems.kinds[code];
    return [code, { meaning, cause, [fixField]: fix, servedBy, example: exampleBody(code, problems) }];
  });
  return Object.fromEntries(explained);
}

function groupByStatus(codes: readonly ProblemCode[], { kinds }: Problems): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = kinds[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

const TEXT = '^[^\\u0000]*$';
const field = (description: string, rest: OpenApiObject): OpenApiObject => ({ description, ...rest });

export const problemSchema = (codes: readonly ProblemCode[]): OpenApiObject => ({
  type: 'object',
  description: 'A problem (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: field('The address of the page about this problem.', { type: 'string', format: 'uri', maxLength: 2048 }),
    title: field('A short title.', { type: 'string', maxLength: 100, pattern: TEXT }),
    status: field('The HTTP status.', { type: 'integer', format: 'int32', minimum: 400, maximum: 599 }),
    code: openSchema(field('The machine-readable code.', { type: 'string', enum: codes })),
    requestId: field('The request.', { type: 'string', pattern: '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$', maxLength: 30 }),
    detail: field('The error in this case, or the fix. `missing_scope` has none.', {
      type: 'string',
      maxLength: 2000,
      pattern: TEXT,
    }),
    errors: field('Each invalid part of the request.', {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: field('JSON Pointer to the invalid part.', { type: 'string', maxLength: 2000, pattern: TEXT }),
          detail: field('The expected value.', { type: 'string', maxLength: 2000, pattern: TEXT }),
        },
      },
    }),
  },
  'x-schema-version': 3,
});
