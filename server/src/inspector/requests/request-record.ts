// A request record: the outcome of a call of the API, kept before its response is sent.

import { AppId, KeyId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { CALLER_GONE } from '../../kit/http/broken-body.ts';
import { closed, idSchema, moment, named, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { masksIn } from './mask.ts';
import { isPathWhole, maskedParametersOf } from './masked-address.ts';

export const RequestId = idSchema('req', "The request's identifier, as its Request-Id header said.");
export const requestParams = closed({ organisationId: OrganisationId, appId: AppId, requestId: RequestId });

const fields = {
  id: RequestId,
  at: moment('When it was answered.'),
  status: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: `The HTTP status. Nobody was answered where it is null, because a reset was simulated, or ${CALLER_GONE}, because the caller went away before the request was whole.`,
    }),
  ),
  code: nullable(text("The problem's code; null when there was no problem.", { maxLength: 50 })),
  operationId: nullable(text('The operation; null for a path that does not exist.', { maxLength: 100 })),
  method: text('The HTTP method.', { maxLength: 20 }),
  path: text('The path, without the query.', { maxLength: 2048 }),
  durationMs: Type.Number({ minimum: 0, maximum: 86_400_000, description: 'From arrival to answer, in milliseconds.' }),
  keyId: nullable(KeyId),
  serverId: nullable({ ...ServerId, description: 'The server that it was about, where one was named or found.' }),
  simulated: nullable(text('The fault that was simulated; null when none was.', { maxLength: 100 })),
};

export const RequestRecord = named('RequestRecord', closed(fields, { description: 'A request and what it came to.' }));
export type RequestRecord = Static<typeof RequestRecord>;

const duration = (description: string) => Type.Number({ minimum: 0, maximum: 86_400_000, description });
const bytes = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });

const kept = {
  ...fields,
  query: nullable(text('The query.', { maxLength: 8000 })),
  authorityMs: duration('How much of the duration went into confirming access, in milliseconds.'),
  operationMs: nullable(duration('How much of it went into the operation itself; null when it did not come to that.')),
  apiVersion: nullable(
    text('The version of the API, by the path; null for a path that leads nowhere.', { maxLength: 10 }),
  ),
  clientAddress: nullable(text("The caller's address.", { maxLength: 64 })),
  calledBy: nullable(text("Who made the call by the key's id; null when the key itself was sent.", { maxLength: 320 })),
  calledByTokenId: nullable(
    idSchema('pat', 'The access token that made it in their name; null when they made it in the Console.'),
  ),
  userAgent: nullable(text("The caller's user agent.", { maxLength: 300 })),
  traceId: nullable(text('The trace that it was part of (W3C).', { maxLength: 32 })),
  parentSpanId: nullable(text("The caller's span in that trace (W3C).", { maxLength: 16 })),
  requestBytes: nullable(
    bytes('The size of what was sent with it, as it was announced where it was not read; null without a body.'),
  ),
  responseBytes: bytes('The size of the answer.'),
  idempotencyHash: nullable(text('SHA-256 of its Idempotency-Key, in hexadecimal.', { maxLength: 64 })),
  isReplayed: Type.Boolean({ description: 'Whether it got the stored answer of an earlier request with that key.' }),
  storedAnswerOf: nullable({ ...RequestId, description: 'That earlier request, where it is known.' }),
  parentRequestId: nullable({ ...RequestId, description: 'The request that somebody repeated by it.' }),
  errorContext: nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Of a problem: `problem` as it was answered, `headers` and `body` as they were sent, as far as the contract says what they may be: identifiers, numbers and words that it names. Of any other text, of values that do not fit and of those that are not to be kept only kind and size are told, as `[string of 12 characters]`, and a name is a `*`. `isCut` says that there was more than is kept.',
    }),
  ),
};

export const KeptRequest = named(
  'KeptRequest',
  closed(kept, { description: 'Everything that is kept of a request: a line of an export.' }),
);
export type KeptRequest = Static<typeof KeptRequest>;

export const MOST_REPLAYS = 20;

export const RequestDetail = named(
  'RequestDetail',
  closed(
    {
      ...kept,
      replayIds: Type.Array(RequestId, {
        maxItems: MOST_REPLAYS,
        description: `The requests that repeat it, newest first; the latest ${MOST_REPLAYS}.`,
      }),
      maskedPointers: Type.Array(text('A JSON Pointer into `errorContext.body`.', { maxLength: 2_000 }), {
        maxItems: 1_000,
        description:
          'The values of `errorContext.body` that the record does not keep. Their place holds a mask, such as `[string of 12 characters]`. A string in that body has this form only where it is a mask.',
      }),
      maskedParameters: Type.Array(text('A parameter of `query`.', { maxLength: 2_000 }), {
        maxItems: 100,
        description:
          'The parameters of `query` that the record does not keep as they were sent, as `limit=*`. A replay needs a `query` in which each is replaced or left out.',
      }),
      isPathWhole: Type.Boolean({
        description: 'Whether the record keeps all of the path. Otherwise the request cannot be replayed.',
      }),
    },
    { description: 'Everything that is kept of a request, those that repeat it, and what of it is masked.' },
  ),
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
    storedAnswerOf: idOrNull('req', row.stored_answer_of),
    parentRequestId: idOrNull('req', row.parent_request_id),
    errorContext: toErrorContext(row.error_context),
  };
}

export function toRequestDetail(row: RequestRow, replays: readonly string[]): Static<typeof RequestDetail> {
  const kept = toKeptRequest(row);
  return {
    ...kept,
    replayIds: replays.map((uuid) => toId('req', uuid)),
    maskedPointers: [...masksIn(kept.errorContext?.body)],
    maskedParameters: maskedParametersOf(row.query),
    isPathWhole: isPathWhole(row.path),
  };
}

/** Old records have a context that is the problem alone. */
function toErrorContext(context: RequestRow['error_context']): RequestRow['error_context'] {
  return context === null || 'problem' in context ? context : { problem: context, headers: {} };
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
  storedAnswerOf: null,
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
