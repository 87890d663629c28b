// The problems of an operation as its contract shows them.
import type { AnyOperation } from '../http/operation.ts';
import { type HeaderName, headerReferences } from '../http/response-headers.ts';
import { PROBLEM_CODES, PROBLEMS, type ProblemBody, type ProblemCode, problemBody, SERVED_BY } from './problems.ts';

type Json = Record<string, unknown>;

const EXAMPLE_REQUEST_ID = 'req_01j9z3v8k6e5t8m2n4p6q8r0sb';

/** Every problem that an operation may answer: its own, its access's, and those that its form implies. */
export function problemsOf<Services>(operation: AnyOperation<Services>): ProblemCode[] {
  const codes = new Set<ProblemCode>([...(operation.problems ?? []), ...operation.access.problems, ...OF_ANY_REQUEST]);
  if (operation.params) codes.add('not_found');
  // Whether or not it takes one: a body that comes with these is read.
  if (operation.method !== 'GET') {
    codes.add('body_too_large');
    codes.add('unsupported_media_type');
  }
  if (operation.deprecations) codes.add('gone');
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

/** What comes with a problem, besides the headers of every answer. */
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
  problemsUrl: string,
  headers: readonly HeaderName[],
): { responses: Json; headers: HeaderName[] } {
  const used: HeaderName[] = [];
  const described = [...groupByStatus(codes)].map(([status, group]) => {
    const own = [...headers, ...(HEADERS_BY_STATUS[status] ?? [])];
    used.push(...own);
    return [status, describeGroup(status, group, problemsUrl, own)];
  });
  return { responses: Object.fromEntries(described), headers: used };
}

function describeGroup(status: number, codes: ProblemCode[], problemsUrl: string, headers: HeaderName[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
    headers: headerReferences(headers),
    content: {
      'application/problem+json': {
        // Beside the reference, which 3.1 allows: just these codes.
        schema: {
          $ref: '#/components/schemas/Problem',
          properties: { status: { const: status }, code: { enum: codes } },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleBody(code, problemsUrl) }])),
      },
    },
  };
}

const exampleBody = (code: ProblemCode, problemsUrl: string): ProblemBody =>
  problemBody(code, EXAMPLE_REQUEST_ID, problemsUrl, PROBLEMS[code].example ?? {});

/** What its page says of each problem, for whoever draws a reference: those that no operation declares, too. */
export function explainProblems(problemsUrl: string): Json {
  const explained = PROBLEM_CODES.map((code) => {
    const { meaning, cause, mend, servedBy } = PROBLEMS[code];
    const words = { meaning, cause, mend, servedBy: SERVED_BY[servedBy] };
    return [code, { ...words, example: exampleBody(code, problemsUrl) }];
  });
  return Object.fromEntries(explained);
}

function groupByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

const TEXT = '^[^\\u0000]*$';
const field = (description: string, rest: Json): Json => ({ description, ...rest });

export const problemSchema = (codes: readonly ProblemCode[]): Json => ({
  type: 'object',
  description: 'A problem (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  additionalProperties: false,
  properties: {
    type: field('The address of its page.', { type: 'string', format: 'uri', maxLength: 2048 }),
    title: field('A short title.', { type: 'string', maxLength: 100, pattern: TEXT }),
    status: field('The HTTP status.', { type: 'integer', format: 'int32', minimum: 400, maximum: 599 }),
    code: field('The machine-readable code. More may be added.', {
      type: 'string',
      enum: codes,
      'x-extensible-enum': true,
    }),
    requestId: field('The request.', { type: 'string', pattern: '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$', maxLength: 30 }),
    detail: field('What is wrong in this case, or what to do about it. `missing_scope` has none.', {
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
        additionalProperties: false,
        properties: {
          pointer: field('Where it is (JSON Pointer).', { type: 'string', maxLength: 2000, pattern: TEXT }),
          detail: field('What is expected there.', { type: 'string', maxLength: 2000, pattern: TEXT }),
        },
      },
    }),
  },
  'x-schema-version': 3,
});
