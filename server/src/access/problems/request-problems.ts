// The problems of requests: their form, their object and its current state.
import type { TableProblem } from './product-problem.ts';

export const REQUEST_PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    meaning: 'The request does not match the schema of the operation: a field is missing, unknown or malformed.',
    cause:
      'Values are not converted and unknown fields are not dropped: a number that is sent as text or a misspelt field is refused.',
    fix: 'Read `errors`: each entry has the JSON Pointer of an invalid part and states the expected form.',
    example: { errors: [{ pointer: '/subject', detail: 'is required' }] },
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path or the object does not exist, or this app was never authorised to see it.',
    cause: 'The path or the identifier is mistyped, or the object belongs to a server that never authorised the app.',
    fix: 'Check the path and the identifier, and that the caller may see the object.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method.',
    cause: 'The contract has other methods for this path.',
    fix: 'Use one of the methods in the Allow header.',
    example: { headers: { allow: 'GET, HEAD' } },
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The Accept header excludes JSON.',
    cause: 'Responses are JSON, but the client accepts only another type, such as `text/html`.',
    fix: 'Send `Accept: application/json`, or omit the header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in time.',
    cause:
      'The headers and the body took longer than 15 seconds: the connection was slow, or the body was never completed.',
    fix: 'Send the request again over a faster connection. Check that `Content-Length` equals the length of the body.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'The change conflicts with the current state.',
    cause:
      'The object is in a state that does not allow the change. `detail` names the state, for example a disabled workflow.',
    fix: 'Read the current state, then decide whether to repeat the change.',
    example: { detail: 'The workflow is disabled.' },
  },
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: 'The quota for this kind of object is reached.',
    cause: 'Each app and organisation has quotas. `detail` names the reached quota.',
    fix: 'Remove an object that is no longer used, or ask the operator for a higher quota.',
    example: { detail: 'An app has at most 20 endpoints.' },
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Idempotency key in progress',
    meaning: 'A request with this Idempotency-Key is still in progress.',
    cause: 'The request was repeated before its first response.',
    fix: 'Wait for the first response, then repeat the request.',
    example: { headers: { 'retry-after': '1' } },
  },
  gone: {
    status: 410,
    title: 'Gone',
    meaning: 'The request uses a deprecated part of the API whose announced end has passed.',
    cause: 'The deprecation was announced at least 180 days before its end, and the end has passed.',
    fix: 'Follow the link `deprecation` of this response. Its page names the replacement.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'The body is larger than 256 KiB.',
    cause: 'The body contains something that belongs elsewhere, such as a file.',
    fix: 'Send a body of at most 256 KiB.',
  },
  uri_too_long: {
    status: 414,
    title: 'URI too long',
    meaning: 'The address is longer than 8,000 characters.',
    cause: 'The query contains something that belongs in a body.',
    fix: 'Shorten the query, so that path and query together have at most 8,000 characters.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not declared as JSON.',
    cause:
      '`Content-Type` is missing or names another type, such as a form or text, or the body is compressed, or its charset is not UTF-8.',
    fix: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This Idempotency-Key was used with a different request within the last 24 hours.',
    cause: 'An Idempotency-Key identifies one request. Its first request had another path or body.',
    fix: 'Use a new Idempotency-Key for a new request.',
  },
  workflow_input_invalid: {
    status: 422,
    title: 'Workflow input invalid',
    meaning: 'The input does not match the schema of the workflow.',
    cause: 'Each workflow states the input of its runs in `inputSchema`, and the schema may have changed.',
    fix: 'Read `errors`, and the `inputSchema` of the workflow, which describes the input of its runs.',
    example: { errors: [{ pointer: '/input/memberName', detail: 'is required' }] },
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    meaning: 'Too many requests arrived within a short time.',
    cause: 'The rate limit applies across all nodes. Retries without a pause are counted too.',
    fix: 'Wait as long as the Retry-After header states, then try again.',
    example: { headers: { 'retry-after': '1' } },
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The headers are larger than 16 KiB.',
    cause: 'A header is too long, often because of cookies or tracing data that a client forwards.',
    fix: 'Send fewer or shorter headers.',
  },
} satisfies Record<string, TableProblem>;
