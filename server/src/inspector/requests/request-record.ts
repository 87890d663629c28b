// A request record: the outcome of a call of the API.

import { AppId, type CaptureStatus, KeyId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { CLIENT_CLOSED_REQUEST } from '../../kit/http/aborted-body.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  nullable,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { CaptureStatusSchema } from './capture-status.ts';
import { findMasks } from './mask.ts';
import { isPathComplete, maskedParametersOf } from './masked-address.ts';

export const RequestId = idSchema('req', 'The request’s identifier, as in its Request-Id header.');
export const requestParams = strictObject({ organisationId: OrganisationId, appId: AppId, requestId: RequestId });

const fields = {
  id: RequestId,
  at: dateTime('When the response was ready, before it was sent.'),
  status: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: `The HTTP status. Null if a reset was simulated; ${CLIENT_CLOSED_REQUEST} if the caller disconnected before the request was complete. Neither sent a response.`,
    }),
  ),
  code: nullable(text('The problem’s code; null if the response is not a problem.', { maxLength: 50 })),
  operationId: nullable(text('The operation; null for a path that does not exist.', { maxLength: 100 })),
  method: text('The HTTP method.', { maxLength: 20 }),
  path: text('The path, without the query.', { maxLength: 2048 }),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'From arrival to response, in milliseconds.',
  }),
  keyId: nullable(KeyId),
  serverId: nullable({ ...ServerId, description: 'The server that the request named or acted on, if there is one.' }),
  simulated: nullable(text('The simulated fault; null without one.', { maxLength: 100 })),
};

export const RequestRecord = namedObject('RequestRecord', 'A request and its outcome.', fields);
export type RequestRecord = Static<typeof RequestRecord>;

const duration = (description: string) => Type.Number({ minimum: 0, maximum: 86_400_000, description });
const bytes = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

const fullFields = {
  ...fields,
  query: nullable(text('The query.', { maxLength: 8000 })),
  authorityMs: duration('Part of the duration spent on authentication and authorisation, in milliseconds.'),
  operationMs: nullable(
    duration('Part of the duration spent on the operation, in milliseconds; null if the operation did not run.'),
  ),
  apiVersion: nullable(text('The API version in the path; null for a path that does not exist.', { maxLength: 10 })),
  clientAddress: nullable(text('The caller’s address.', { maxLength: 64 })),
  calledBy: nullable(
    text('The member who made the call by the key’s identifier; null if the key itself was sent.', { maxLength: 320 }),
  ),
  calledByTokenId: nullable(
    idSchema(
      'pat',
      'The personal access token that made the call for the member; null if the member made it in the Console.',
    ),
  ),
  userAgent: nullable(text('The caller’s user agent.', { maxLength: 300 })),
  traceId: nullable(text('The trace of the request (W3C Trace Context).', { maxLength: 32 })),
  parentSpanId: nullable(text('The caller’s span in that trace (W3C Trace Context).', { maxLength: 16 })),
  requestBytes: nullable(
    bytes('The size of the request body; the announced size if the body was not read, null without a body.'),
  ),
  responseBytes: bytes('The size of the response body.'),
  idempotencyHash: nullable(text('SHA-256 of the Idempotency-Key, in hexadecimal.', { maxLength: 64 })),
  isReplayed: Type.Boolean({
    description: 'True if the response is the stored one of an earlier request with the same Idempotency-Key.',
  }),
  originalRequestId: nullable({ ...RequestId, description: 'That earlier request, if it is known.' }),
  parentRequestId: nullable({ ...RequestId, description: 'The request that this request replays.' }),
  errorContext: nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Details of a request that ended in a problem: `problem` is the response; `headers` and `body` are those of the request. Values that the contract defines are stored: identifiers, numbers and enumerated words. Free text, invalid values and secrets are stored as type and size only, such as `[string of 12 characters]`, and their names as `*`. `isTruncated` is true if the details were truncated.',
    }),
  ),
};

export const KeptRequest = namedObject(
  'KeptRequest',
  'All stored fields of a request: one line of an export.',
  fullFields,
);
export type KeptRequest = Static<typeof KeptRequest>;

export const MAX_REPLAYS = 20;

export const RequestDetail = namedObject(
  'RequestDetail',
  'All stored fields of a request, the requests that replay it, and its masked values.',
  {
    ...fullFields,
    replayIds: Type.Array(RequestId, {
      maxItems: MAX_REPLAYS,
      description: `The requests that replay it, newest first; the latest ${MAX_REPLAYS}.`,
    }),
    maskedPointers: Type.Array(text('A JSON Pointer into `errorContext.body`.', { maxLength: 2_000 }), {
      maxItems: 1_000,
      description:
        'The values of `errorContext.body` that the record does not store. A mask, such as `[string of 12 characters]`, stands in place of each. A string in that body has this form only if it is a mask.',
    }),
    maskedParameters: Type.Array(text('A parameter of `query`.', { maxLength: 2_000 }), {
      maxItems: 100,
      description:
        'The parameters of `query` that the record does not store as they were sent, such as `limit=*`. A replay requires a `query` in which each is replaced or left out.',
    }),
    isPathComplete: Type.Boolean({
      description: 'True if the record stores the complete path. Otherwise the request cannot be replayed.',
    }),
    capture: CaptureStatusSchema,
  },
);

export interface RequestRow {
  request_id: string;
  at: Date;
  duration_us: number;
  authority_us: number;
  operation_us: number | null;
  status: number | null;
  problem_code: string | null;
  operation_id: string | null;
  method: string;
  path: string;
  query: string | null;
  key_id: string | null;
  server_id: string | null;
  client_address: string | null;
  called_by: string | null;
  user_agent: string | null;
  trace_id: string | null;
  parent_span_id: Buffer | null;
  request_bytes: number | null;
  response_bytes: number;
  simulated: string | null;
  error_context: Record<string, unknown> | null;
  idempotency_hash: Buffer | null;
  is_replayed: boolean | null;
  parent_request_id: string | null;
  stored_answer_of: string | null;
  called_by_token: string | null;
}

export function toRequestRecord(row: RequestRow): RequestRecord {
  return {
    id: toId('req', row.request_id),
    at: row.at.toISOString(),
    status: row.status,
    code: row.problem_code,
    operationId: row.operation_id,
    method: row.method,
    path: row.path,
    durationMs: row.duration_us / 1000,
    keyId: idOrNull('key', row.key_id),
    serverId: idOrNull('srv', row.server_id),
    simulated: row.simulated,
  };
}

const idOrNull = (prefix: string, uuid: string | null): string | null => (uuid === null ? null : toId(prefix, uuid));

export function toKeptRequest(row: RequestRow): KeptRequest {
  return {
    ...toRequestRecord(row),
    query: row.query,
    authorityMs: row.authority_us / 1000,
    operationMs: row.operation_us === null ? null : row.operation_us / 1000,
    apiVersion: row.operation_id === null ? null : (/^\/(v\d+)\//.exec(row.path)?.[1] ?? null),
    clientAddress: row.client_address,
    calledBy: row.called_by,
    calledByTokenId: idOrNull('pat', row.called_by_token),
    userAgent: row.user_agent,
    traceId: row.trace_id,
    parentSpanId: row.parent_span_id?.toString('hex') ?? null,
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
    idempotencyHash: row.idempotency_hash?.toString('hex') ?? null,
    isReplayed: row.is_replayed === true,
    originalRequestId: idOrNull('req', row.stored_answer_of),
    parentRequestId: idOrNull('req', row.parent_request_id),
    errorContext: toErrorContext(row.error_context),
  };
}

export function toRequestDetail(
  row: RequestRow,
  replays: readonly string[],
  capture: CaptureStatus,
): Static<typeof RequestDetail> {
  const keptRequest = toKeptRequest(row);
  return {
    ...keptRequest,
    replayIds: replays.map((uuid) => toId('req', uuid)),
    maskedPointers: [...findMasks(keptRequest.errorContext?.body)],
    maskedParameters: maskedParametersOf(row.query),
    isPathComplete: isPathComplete(row.path),
    capture,
  };
}

/** Returns the context with the names of the contract. In old records, the context is the problem alone. */
function toErrorContext(stored: RequestRow['error_context']): KeptRequest['errorContext'] {
  if (stored === null) return null;
  if (!('problem' in stored)) return { problem: stored, headers: {} };
  const { isCut, ...context } = stored;
  return isCut === true ? { ...context, isTruncated: true } : context;
}

export const exampleRequest: RequestRecord = {
  id: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
  at: '2026-11-02T10:15:30.000Z',
  status: 403,
  code: 'missing_scope',
  operationId: 'createTicket',
  method: 'POST',
  path: '/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2/tickets',
  durationMs: 3.2,
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  simulated: null,
};

export const exampleKept: KeptRequest = {
  ...exampleRequest,
  query: null,
  authorityMs: 1.1,
  operationMs: null,
  apiVersion: 'v1',
  clientAddress: '192.0.2.7',
  calledBy: null,
  calledByTokenId: null,
  userAgent: 'bridge/1.4',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  parentSpanId: '00f067aa0ba902b7',
  requestBytes: 52,
  responseBytes: 212,
  idempotencyHash: null,
  isReplayed: false,
  originalRequestId: null,
  parentRequestId: null,
  errorContext: {
    problem: {
      type: 'http://localhost:4000/problems/missing-scope',
      title: 'Missing scope',
      status: 403,
      code: 'missing_scope',
      requestId: exampleRequest.id,
    },
    headers: { accept: '*/*', 'content-type': 'application/json', 'content-length': '52' },
  },
};
