// The table of all response headers of Slipway. The contract shows it, and the tests check each response against it.
import { ID_BODY_PATTERN } from '../../kit/crypto/ids.ts';
import type { ResponseHeader } from '../../kit/http/response-headers.ts';

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
  'Content-Security-Policy': header('The sources that a page of this response may load.', "default-src 'none'"),
  'Referrer-Policy': header('Browsers send no referrer to other sites.', 'no-referrer'),
  'Cross-Origin-Opener-Policy': header('Pages of other sites get no reference to this page.', 'same-origin'),
  'Cache-Control': header('Which caches may store the response, and for how long.', 'private, no-cache'),
  'X-Accel-Buffering': header('Asks a proxy to forward each part immediately.', 'no', { pattern: '^no$' }),
  ETag: header('Identifies this version of the response; send it as `If-None-Match`.', 'W/"3vCqWm2Jx0aZ1bYc4dXeLg"'),
  Location: header(
    'The address of the created resource.',
    'http://localhost:4000/v1/tickets/tkt_01j9z3v8k6e5t8m2n4p6q8r0s4',
  ),
  Link: header(
    'Related addresses (RFC 8288): the `next` page, and the pages of a `deprecation` and its `sunset`.',
    '<http://localhost:4000/v1/servers?cursor=c2VhbGVkLXBvc2l0aW9u>; rel="next"',
  ),
  Deprecation: header('Since when something that the request used is deprecated (RFC 9745).', '@1793577600', {
    pattern: '^@\\d{1,12}$',
  }),
  Sunset: header('When the deprecated part ends (RFC 8594).', 'Mon, 31 May 2027 00:00:00 GMT'),
  'WWW-Authenticate': header('How to authenticate, and which scope is missing (RFC 6750).', 'Bearer realm="slipway"'),
  'Retry-After': count('Seconds to wait before you send the request again.', 1, 86_400),
  RateLimit: header(
    'The remaining requests of the key, and the seconds until all are available again (draft-ietf-httpapi-ratelimit-headers).',
    '"key";r=187;t=1',
    { pattern: '^"key";r=\\d{1,9};t=\\d{1,9}$' },
  ),
  'RateLimit-Policy': header(
    'The number of requests that a key may make, and the seconds of that window.',
    '"key";q=200;w=2',
    {
      pattern: '^"key";q=\\d{1,9};w=\\d{1,9}$',
    },
  ),
  'Idempotent-Replayed': header(
    'Present if the response is the stored one of the first request with this `Idempotency-Key`.',
    'true',
    {
      pattern: '^true$',
    },
  ),
  'Sandbox-Simulated': header('The simulated fault, in the syntax of `Sandbox-Simulate`.', 'code=rate_limited'),
  'Set-Cookie': header('The session, or its end.', 'slipway_session=; Path=/; HttpOnly; SameSite=Lax'),
} as const satisfies Record<string, ResponseHeader>;

type ProductHeaders = Record<keyof typeof RESPONSE_HEADERS, ResponseHeader>;
declare module '../../kit/http/response-headers.ts' {
  interface ResponseHeaders extends ProductHeaders {}
}
