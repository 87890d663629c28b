// A call of /v1 that a member makes in the Console. It names a key by its id; the secret of the key is stored nowhere.

import { KeyId } from '../../access/authority/index.ts';
import { closed, named, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { exampleRequest, LEFT_OUT, RequestId } from '../requests/index.ts';

// The characters that RFC 3986 allows in a path and a query: no spaces, control characters, fragment or other host.
const PATH = "^/v1/[A-Za-z0-9._~%!$&'()*+,;=:@/-]*(\\?[A-Za-z0-9._~%!$&'()*+,;=:@/?-]*)?$";
const VISIBLE = '^[\\u0020-\\u007e]*$';

const header = (description: string) =>
  Type.Optional(text(description, { minLength: 1, maxLength: 500, pattern: VISIBLE }));

/** The headers that a member may set. Headers that authenticate a caller or state its address are not among them. */
export const CallHeaders = closed(
  {
    Accept: header('What the answer may be.'),
    'Idempotency-Key': header('Makes a repeat of the same mutation safe for 24 hours.'),
    'If-None-Match': header('The ETag of an answer that is known.'),
    'Sandbox-Simulate': header('A problem or a latency to be had on demand.'),
    traceparent: header('The trace that the call is part of (W3C).'),
  },
  { description: 'The headers to send, of those that may be sent.' },
);

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const CallBody = text('The body as it is sent, declared as JSON.', { maxLength: 200_000 });

export const Literals = Type.Array(text('A JSON Pointer, as a refusal names it.', { maxLength: 2_000 }), {
  maxItems: 100,
  description:
    'Where a value has the form of a mask of the Request Inspector, such as `[string of 12 characters]`, and is meant literally: pointers such as `/body/subject`. Without its pointer here such a value is refused, because it is not the value that was sent.',
  examples: [['/body/subject']],
});

export const NewCall = named(
  'NewCall',
  closed(
    {
      keyId: KeyId,
      method: Type.Unsafe<(typeof METHODS)[number]>({
        type: 'string',
        enum: [...METHODS],
        description: 'The HTTP method.',
      }),
      path: text('Path and query, from /v1 on.', {
        minLength: 4,
        maxLength: 10_000,
        pattern: PATH,
        examples: ['/v1/servers?limit=10'],
      }),
      headers: Type.Optional(CallHeaders),
      body: Type.Optional(CallBody),
      literals: Type.Optional(Literals),
    },
    { description: 'A call to make with a key of the app.' },
  ),
);
export type NewCall = Static<typeof NewCall>;

const answered = {
  requestId: RequestId,
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the answer.' }),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'From the call to its answer, in milliseconds.',
  }),
  headers: Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,100}$' }), text('Its value.', { maxLength: 16_384 }), {
    maxProperties: 100,
    additionalProperties: false,
    description: 'The headers of the answer.',
  }),
  body: text('The body of the answer as it stands.', { maxLength: 16_777_216 }),
};

export const Call = named('Call', closed(answered, { description: 'What a call came to.' }));
export type Call = Static<typeof Call>;

export const Replay = named(
  'Replay',
  closed(
    {
      ...answered,
      leftOut: Type.Array(oneOf(LEFT_OUT, 'The body, the fault that was simulated, or a header.'), {
        maxItems: LEFT_OUT.length,
        description:
          'What made the first answer what it was and was not sent again, because the record does not keep it, or because a fault is only simulated for who asks for it. Whoever wants it in the replay gives it.',
      }),
    },
    { description: 'What a request came to when it was made again.' },
  ),
);

/**
 * Returns true if no segment of the path leads out of /v1 in any spelling. The query is not checked, because it cannot
 * change the path.
 */
export function isPlainPath(path: string): boolean {
  const { origin, pathname } = new URL(path, 'http://sandbox.invalid');
  return origin === 'http://sandbox.invalid' && pathname === path.replace(/\?.*$/s, '');
}

export function isMutation(method: NewCall['method']): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

export const exampleNewCall: NewCall = {
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
