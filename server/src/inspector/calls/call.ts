// A call of /v1 that a member makes in the Console. It names a key by its id; the secret of the key is stored nowhere.

import { KeyId } from '../../access/authority/index.ts';
import { describedObject, namedObject, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { exampleRequest, OMITTED_PARTS, RequestId } from '../requests/index.ts';

// The characters that RFC 3986 allows in a path and a query: no spaces, control characters, fragment or other host.
const PATH = "^/v1/[A-Za-z0-9._~%!$&'()*+,;=:@/-]*(\\?[A-Za-z0-9._~%!$&'()*+,;=:@/?-]*)?$";
const VISIBLE = '^[\\u0020-\\u007e]*$';

const header = (description: string) =>
  Type.Optional(text(description, { minLength: 1, maxLength: 500, pattern: VISIBLE }));

/** The headers that a member may set. Headers that authenticate a caller or state its address are not among them. */
export const CallHeaders = describedObject('The headers to send. Other headers cannot be set.', {
  Accept: header('The accepted media types of the response.'),
  'Idempotency-Key': header('Makes a retry of the same mutation idempotent for 24 hours.'),
  'If-None-Match': header('The ETag of an earlier response.'),
  'Sandbox-Simulate': header('A problem or a latency to simulate.'),
  traceparent: header('The trace of the call (W3C Trace Context).'),
});

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const CallBody = text('The body to send, as JSON.', { maxLength: 200_000 });

export const Literals = Type.Array(text('A JSON Pointer, in the form that errors use.', { maxLength: 2_000 }), {
  maxItems: 100,
  description:
    'JSON Pointers, such as `/body/subject`, of values that look like a mask of the Request Inspector, such as `[string of 12 characters]`, but are meant literally. Without its pointer, such a value is refused, because a mask is not the value that was sent.',
  examples: [['/body/subject']],
});

export const CallInput = namedObject('CallInput', 'A call to make with a key of the app.', {
  keyId: KeyId,
  method: Type.Unsafe<(typeof METHODS)[number]>({
    type: 'string',
    enum: [...METHODS],
    description: 'The HTTP method.',
  }),
  path: text('Path and query, starting with /v1.', {
    minLength: 4,
    maxLength: 10_000,
    pattern: PATH,
    examples: ['/v1/servers?limit=10'],
  }),
  headers: Type.Optional(CallHeaders),
  body: Type.Optional(CallBody),
  literals: Type.Optional(Literals),
});
export type CallInput = Static<typeof CallInput>;

const responseFields = {
  requestId: RequestId,
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the response.' }),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'From the call to its response, in milliseconds.',
  }),
  headers: Type.Record(
    Type.String({ pattern: '^[a-z0-9-]{1,100}$' }),
    text('The value of the header.', { maxLength: 16_384 }),
    {
      maxProperties: 100,
      additionalProperties: false,
      description: 'The headers of the response.',
    },
  ),
  body: text('The body of the response, unchanged.', { maxLength: 16_777_216 }),
};

export const Call = namedObject('Call', 'The response to a call.', responseFields);
export type Call = Static<typeof Call>;

export const Replay = namedObject('Replay', 'The response to the replayed request.', {
  ...responseFields,
  omittedParts: Type.Array(oneOf(OMITTED_PARTS, 'The body, the simulated fault, or a header.'), {
    maxItems: OMITTED_PARTS.length,
    description:
      'Parts of the original request that were not sent again, although its response depended on them: values that the record does not store, and a simulated fault, which applies only on request. To send such a part, include it in the replay.',
  }),
});

/**
 * Returns true if no segment of the path leads out of /v1 in any spelling. The query is not checked, because it cannot
 * change the path.
 */
export function isPlainPath(path: string): boolean {
  const { origin, pathname } = new URL(path, 'http://sandbox.invalid');
  return origin === 'http://sandbox.invalid' && pathname === path.replace(/\?.*$/s, '');
}

export function isMutation(method: CallInput['method']): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

export const exampleNewCall: CallInput = {
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  method: 'POST',
  path: '/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2/tickets',
  headers: { 'Idempotency-Key': 'first-try' },
  body: '{"subject":"Hello","body":"From the Console."}',
};

export const exampleCall: Call = {
  requestId: exampleRequest.id,
  status: 403,
  durationMs: 4.2,
  headers: { 'content-type': 'application/problem+json', 'request-id': exampleRequest.id },
  body: JSON.stringify({
    type: 'http://localhost:4000/problems/missing-scope',
    title: 'Missing scope',
    status: 403,
    code: 'missing_scope',
    requestId: exampleRequest.id,
  }),
};
