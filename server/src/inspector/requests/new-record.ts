// Builds the record of a request when its response is ready, before the response is sent.

import type { ApiCaller } from '../../access/authority/index.ts';
import { bytesOfId, uuidBytes } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { AnsweredRequest } from '../../kit/http/mount.ts';
import { type AddressPrecision, reduceAddress } from '../../kit/outbound/addresses.ts';
import { readTraceparent } from '../../kit/telemetry/traceparent.ts';
import { buildErrorContext } from './error-context.ts';
import type { NewRequestRecord } from './record-store.ts';
import { createPathFilter, recordedPath, recordedQuery } from './recorded-address.ts';
import { maskUserAgent } from './user-agent.ts';

const bytesOrNull = (uuid: string | undefined): Buffer | null => (uuid === undefined ? null : uuidBytes(uuid));

const MAX_INT4 = 2 ** 31 - 1;

/** Returns the size of the body: the bytes that were read, or else the announced length. */
export function requestBytesOf({ bodyBytes, headers }: AnsweredRequest['request']): number | null {
  const bytes = bodyBytes ?? Number(headers['content-length'] ?? 0);
  return bytes > 0 ? Math.min(bytes, MAX_INT4) : null;
}

/** Returns the server that the request names, or the server of its object. */
function serverOf({ request, exchange }: AnsweredRequest): Buffer | null {
  if (exchange.grantorId) return uuidBytes(exchange.grantorId);
  const params = request.params as { serverId?: string } | undefined; // set by the router
  const query = request.query as { serverId?: unknown } | undefined; // set by the query parser
  const named = params?.serverId ?? query?.serverId;
  return typeof named === 'string' ? (bytesOfId('srv', named) ?? null) : null;
}

export function toRecord(answered: AnsweredRequest, caller: ApiCaller, addresses: AddressPrecision): NewRequestRecord {
  const { request, exchange, problem } = answered;
  const userAgent = request.headers['user-agent'];
  const trace = readTraceparent(request.headers.traceparent);
  return {
    appId: caller.appBytes,
    requestUuid: exchange.uuid,
    atMs: nowMs(), // before the response waits for the record
    durationUs: answered.durationUs,
    authorityUs: exchange.authorityUs,
    operationUs: exchange.operationUs ?? null,
    status: answered.status,
    problemCode: problem?.code ?? null,
    operationId: exchange.operation?.id ?? null,
    method: request.method,
    path: recordedPath(answered, createPathFilter(answered.pathWords)),
    query: recordedQuery(answered),
    keyId: caller.keyBytes,
    serverId: serverOf(answered),
    // A call of a member arrives through the Console's server, whose address says nothing about the member.
    clientAddress: caller.person === undefined ? reduceAddress(request.ip, addresses) : null,
    calledBy: caller.person ?? null,
    userAgent: userAgent === undefined ? null : maskUserAgent(userAgent),
    traceId: trace?.traceId ?? null,
    parentSpanId: trace?.spanId === undefined ? null : Buffer.from(trace.spanId, 'hex'),
    requestBytes: requestBytesOf(request),
    responseBytes: answered.responseBytes,
    simulated: exchange.simulated ?? null,
    errorContext: problem ? buildErrorContext(answered, problem) : null,
    idempotencyHash: exchange.idempotencyHash ?? null,
    isReplayed: exchange.isStoredAnswer || null,
    parentRequestId: bytesOrNull(exchange.repeatsRequestId),
    originalRequestId: bytesOrNull(exchange.originalRequestId),
    calledByToken: bytesOrNull(caller.tokenId),
  };
}
