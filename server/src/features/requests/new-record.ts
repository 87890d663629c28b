// What a request leaves behind: its record, made when its answer is ready and before it leaves.
import { nowMs } from '../../kit/clock.ts';
import { bytesOfId, uuidBytes } from '../../kit/ids.ts';
import type { Answered } from '../../kit/mount.ts';
import { type Caller, redactKeys } from '../authority/index.ts';
import type { NewRecord } from './record-store.ts';

const MAX_CONTEXT_CHARACTERS = 8 * 1024;

/**
 * Header and path bytes come from outside: what Postgres cannot store is replaced, never refused at this point, and a
 * key that was put there by mistake is not kept.
 */
function storable(given: string, maxCharacters: number): string {
  const text = redactKeys(given);
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters).toWellFormed() : text;
  return cut.includes('\u0000') ? cut.replaceAll('\u0000', '\uFFFD') : cut;
}

// A connection that is gone has no address any more, whatever its type says.
const addressOf = (request: Answered['request']): string | null => (request.ip as string | undefined) ?? null;

interface Trace {
  traceId: string | null;
  parentSpanId: Buffer | null;
}
const NO_TRACE: Trace = { traceId: null, parentSpanId: null };
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Of a W3C traceparent header. Zeros alone are none, and make the whole of it void. */
function traceOf(header: string | string[] | undefined): Trace {
  const [, traceId = '', span = ''] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  const isTrace = /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(span);
  return isTrace ? { traceId, parentSpanId: Buffer.from(span, 'hex') } : NO_TRACE;
}

const MAX_INT4 = 2 ** 31 - 1;

/** Of the body: as it was read, or else as it was announced. */
function requestBytesOf({ bodyBytes, headers }: Answered['request']): number | null {
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

export function toRecord(answered: Answered, caller: Caller): NewRecord {
  const { request, exchange, problem } = answered;
  const at = request.url.indexOf('?');
  const path = at === -1 ? request.url : request.url.slice(0, at);
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
    path: storable(path, 2048),
    query: at === -1 ? null : storable(request.url.slice(at + 1), 8000),
    keyId: caller.keyBytes,
    serverId: serverOf(answered),
    // A person's call reaches us through the Console's server, whose address says nothing of theirs.
    clientAddress: caller.person === undefined ? addressOf(request) : null,
    calledBy: caller.person ?? null,
    userAgent: userAgent === undefined ? null : storable(userAgent, 300),
    traceId,
    parentSpanId,
    requestBytes: requestBytesOf(request),
    responseBytes: answered.responseBytes,
    simulated: exchange.simulated ?? null,
    errorContext: problem ? contextOf(problem) : null,
    idempotencyHash: exchange.idempotencyHash ?? null,
    isReplayed: exchange.isReplayed || null,
    parentRequestId: exchange.replays === undefined ? null : uuidBytes(exchange.replays),
  };
}

function contextOf(body: unknown): string {
  const text = JSON.stringify(body, (_, inner: unknown) => (typeof inner === 'string' ? redactKeys(inner) : inner));
  return text.length <= MAX_CONTEXT_CHARACTERS ? text : JSON.stringify({ isCut: true });
}
