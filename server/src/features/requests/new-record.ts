// What a request leaves behind: its record, made when its answer is ready and before it leaves.
import { type AddressKeeping, keptAddress } from '../../kit/addresses.ts';
import { nowMs } from '../../kit/clock.ts';
import { bytesOfId, uuidBytes } from '../../kit/ids.ts';
import type { Answered } from '../../kit/mount.ts';
import type { Caller } from '../authority/index.ts';
import { contextOf } from './error-context.ts';
import { pathOf, queryOf } from './place.ts';
import type { NewRecord } from './record-store.ts';
import { maskUserAgent } from './user-agent.ts';

interface Trace {
  traceId: string | null;
  parentSpanId: Buffer | null;
}
const NO_TRACE: Trace = { traceId: null, parentSpanId: null };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * Letters in hexadecimal, of one byte or with the zeros of UTF-16 and UTF-32: of random bytes, as W3C wants them, one trace in six
 * million and one span in 2,600 are that.
 */
const SPELT_TEXT = /^(?:00){0,3}(?:[2-7][0-9a-f](?:00){0,3})+$/;

/** Of a W3C traceparent header. Zeros alone are none, and make the whole of it void. A text is neither trace nor span. */
export function traceOf(header: string | string[] | undefined): Trace {
  const [, traceId = '', span = ''] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  const isTrace = /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(span) && !SPELT_TEXT.test(traceId);
  if (!isTrace) return NO_TRACE;
  return { traceId, parentSpanId: SPELT_TEXT.test(span) ? null : Buffer.from(span, 'hex') };
}

const bytesOrNull = (uuid: string | undefined): Buffer | null => (uuid === undefined ? null : uuidBytes(uuid));

const MAX_INT4 = 2 ** 31 - 1;

/** Of the body: as it was read, or else as it was announced. */
export function requestBytesOf({ bodyBytes, headers }: Answered['request']): number | null {
  const bytes = bodyBytes ?? Number(headers['content-length'] ?? 0);
  return bytes > 0 ? Math.min(bytes, MAX_INT4) : null;
}

/** The server that a request names, or whose object it asked for. */
function serverOf({ request, exchange }: Answered): Buffer | null {
  if (exchange.serverId) return uuidBytes(exchange.serverId);
  const params = request.params as { serverId?: string } | undefined; // the router's captures
  const query = request.query as { serverId?: unknown } | undefined; // the parser's object
  const named = params?.serverId ?? query?.serverId;
  return typeof named === 'string' ? (bytesOfId('srv', named) ?? null) : null;
}

export function toRecord(answered: Answered, caller: Caller, addresses: AddressKeeping): NewRecord {
  const { request, exchange, problem } = answered;
  const userAgent = request.headers['user-agent'];
  const { traceId, parentSpanId } = traceOf(request.headers.traceparent);
  return {
    appId: caller.appBytes,
    requestUuid: exchange.uuid,
    atMs: nowMs(),
    durationUs: answered.durationUs,
    authorityUs: exchange.authorityUs,
    operationUs: exchange.operationUs ?? null,
    status: answered.status,
    problemCode: problem?.code ?? null,
    operationId: exchange.operation?.id ?? null,
    method: request.method,
    path: pathOf(answered),
    query: queryOf(answered),
    keyId: caller.keyBytes,
    serverId: serverOf(answered),
    // A person's call reaches us through the Console's server, whose address says nothing of theirs.
    clientAddress: caller.person === undefined ? keptAddress(request.ip, addresses) : null,
    calledBy: caller.person ?? null,
    userAgent: userAgent === undefined ? null : maskUserAgent(userAgent),
    traceId,
    parentSpanId,
    requestBytes: requestBytesOf(request),
    responseBytes: answered.responseBytes,
    simulated: exchange.simulated ?? null,
    errorContext: problem ? contextOf(answered, problem) : null,
    idempotencyHash: exchange.idempotencyHash ?? null,
    isReplayed: exchange.isReplayed || null,
    parentRequestId: bytesOrNull(exchange.replays),
    storedAnswerOf: bytesOrNull(exchange.storedAnswerOf),
    calledByToken: bytesOrNull(caller.tokenId),
  };
}
