// The table of all headers that a response may carry in addition to HTTP's own. The contract shows it, and the tests
// check each response against it.
import { ID_BODY_PATTERN } from '../crypto/ids.ts';

interface ResponseHeader {
  description: string;
  /** True if every response that lists the header has it. */
  required: boolean;
  schema: Readonly<Record<string, unknown>>;
  example: string | number;
}

// The characters of an HTTP field value (RFC 9110, section 5.5), limited to those that every client accepts.
const FIELD = '^[\\u0020-\\u007e]+$';

function header(description: string, example: string, rest: { required?: boolean; pattern?: string } = {}) {
  const { required = false, pattern = FIELD } = rest;
  return { description, required, schema: { type: 'string', maxLength: 2048, pattern }, example };
}

function count(description: string, example: number, maximum: number) {
  return {
    description,
    required: false,
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum },
    example,
  };
}

export const RESPONSE_HEADERS = {
  'Request-Id': {
    description: 'The identifier of this request, for the Request Inspector and for support.',
    required: true,
    schema: { type: 'string', pattern: `^req_${ID_BODY_PATTERN}$`, minLength: 30, maxLength: 30 },
    example: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
  },
  'Slipway-Environment': header('The environment that answered.', 'sandbox', {
    required: true,
    pattern: '^(sandbox|production)$',
  }),
  'X-Content-Type-Options': header('Always `nosniff`.', 'nosniff', { required: true, pattern: '^nosniff$' }),
  'Content-Security-Policy': header('What a page of this answer may load.', "default-src 'none'"),
  'Referrer-Policy': header('Nothing of an address is told to other sites.', 'no-referrer'),
  'Cross-Origin-Opener-Policy': header('Pages of other sites keep no hold of this one.', 'same-origin'),
  'Cache-Control': header('Who may keep the answer, and for how long.', 'private, no-cache'),
  'X-Accel-Buffering': header('Asks a proxy to hand on each part as it comes.', 'no', { pattern: '^no$' }),
  ETag: header('Names this state of what was read; send it as `If-None-Match`.', 'W/"3vCqWm2Jx0aZ1bYc4dXeLg"'),
  Location: header('The address of what was made.', 'http://localhost:4000/v1/tickets/tkt_01j9z3v8k6e5t8m2n4p6q8r0s4'),
  Link: header(
    'Related addresses (RFC 8288): the `next` page, and the `deprecation` and `sunset` of what is deprecated.',
    '<http://localhost:4000/v1/servers?cursor=c2VhbGVkLXBvc2l0aW9u>; rel="next"',
  ),
  Deprecation: header('Since when something that the request used is deprecated (RFC 9745).', '@1793577600', {
    pattern: '^@\\d{1,12}$',
  }),
  Sunset: header('When it ends (RFC 8594).', 'Mon, 31 May 2027 00:00:00 GMT'),
  'WWW-Authenticate': header('How to prove access, and what is missing (RFC 6750).', 'Bearer realm="slipway"'),
  'Retry-After': count('How many seconds to wait before the request is sent again.', 1, 86_400),
  RateLimit: header(
    'How many requests of the key are left, and in how many seconds all are again (draft-ietf-httpapi-ratelimit-headers).',
    '"key";r=187;t=1',
    { pattern: '^"key";r=\\d{1,9};t=\\d{1,9}$' },
  ),
  'RateLimit-Policy': header('How many requests a key may make in how many seconds.', '"key";q=200;w=2', {
    pattern: '^"key";q=\\d{1,9};w=\\d{1,9}$',
  }),
  'Idempotent-Replayed': header('The stored answer of the first request with this `Idempotency-Key`.', 'true', {
    pattern: '^true$',
  }),
  'Sandbox-Simulated': header('The fault that was simulated, in the words of `Sandbox-Simulate`.', 'code=rate_limited'),
  'Set-Cookie': header('The session, or its end.', 'slipway_session=; Path=/; HttpOnly; SameSite=Lax'),
} as const satisfies Record<string, ResponseHeader>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** Returns the components of an OpenAPI document for the headers that it uses. */
export function headerComponents(names: ReadonlySet<string>): Record<string, ResponseHeader> {
  return Object.fromEntries(Object.entries(RESPONSE_HEADERS).filter(([name]) => names.has(name)));
}

export function headerReferences(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
