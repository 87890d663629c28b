// Keeps the record of a request before its answer leaves: the record joins a batch, and the answer waits for that
// batch's commit, though never longer than a bounded time. What could not be kept is counted, never hidden.
import { createBatcher } from '../../kit/batcher.ts';
import { nowMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import type { Answered } from '../../kit/mount.ts';
import { type Caller, redactKeys } from '../authority/index.ts';
import { insertRecords, type NewRecord, writeRecord } from './store.ts';

export interface Recorder {
  /** Resolves once the record is committed, or was given up. Never rejects. */
  record(answered: Answered): Promise<void>;
  /** How many records were given up since the start. */
  lost(): number;
}

const BATCH = { maxInFlight: 1, maxSize: 256, deadlineMs: 500 };
const MAX_CONTEXT_CHARACTERS = 8 * 1024;

export function createRecorder(
  db: Database,
  onLoss: (error: unknown) => void,
  onUse: (use: { appId: string; keyId: string; atMs: number; clientAddress: string | null }) => void,
): Recorder {
  let lost = 0;
  const batcher = createBatcher<Buffer, undefined>({
    ...BATCH,
    late: () => new Error('the record was not committed in time'),
    async run(records) {
      await insertRecords(db, records);
      return [];
    },
  });

  function giveUp(error: unknown): void {
    lost += 1;
    onLoss(error);
  }

  return {
    record(answered) {
      const caller = answered.exchange.principal as Caller | undefined; // only authority sets it, on this plane's server
      // Without a proved key there is no organisation whose inspector this could belong to.
      if (!caller) return NOTHING_TO_KEEP;
      try {
        const record = toRecord(answered, caller);
        onUse({ appId: caller.appId, keyId: caller.keyId, atMs: record.atMs, clientAddress: record.clientAddress });
        // Written here and not with its batch: one that cannot be is lost alone.
        return batcher.join(writeRecord(record)).catch(giveUp);
      } catch (error) {
        giveUp(error);
        return NOTHING_TO_KEEP;
      }
    },
    lost: () => lost,
  };
}

const NOTHING_TO_KEEP = Promise.resolve();

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace id of a W3C traceparent header, or null. */
function traceIdOf(header: string | string[] | undefined): string | null {
  const id = typeof header === 'string' ? TRACEPARENT.exec(header)?.[1] : undefined;
  return id === undefined || /^0+$/.test(id) ? null : id;
}

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

function toRecord(answered: Answered, caller: Caller): NewRecord {
  const { request, exchange, problem } = answered;
  const at = request.url.indexOf('?');
  const path = at === -1 ? request.url : request.url.slice(0, at);
  const userAgent = request.headers['user-agent'];
  return {
    appId: caller.appBytes,
    requestUuid: exchange.uuid,
    atMs: nowMs(),
    durationUs: answered.durationUs,
    authorityUs: exchange.authorityUs,
    status: answered.status,
    problemCode: problem?.code ?? null,
    operationId: exchange.operationId ?? null,
    method: request.method,
    path: storable(path, 2048),
    query: at === -1 ? null : storable(request.url.slice(at + 1), 8000),
    keyId: caller.keyBytes,
    // A person's call reaches us through the Console's server, whose address says nothing of theirs.
    clientAddress: caller.person === undefined ? addressOf(request) : null,
    calledBy: caller.person ?? null,
    userAgent: userAgent === undefined ? null : storable(userAgent, 300),
    traceId: traceIdOf(request.headers.traceparent),
    responseBytes: answered.responseBytes,
    simulated: exchange.simulated ?? null,
    errorContext: problem ? contextOf(problem.body) : null,
  };
}

function contextOf(body: unknown): string {
  const text = JSON.stringify(body, (_, inner: unknown) => (typeof inner === 'string' ? redactKeys(inner) : inner));
  return text.length <= MAX_CONTEXT_CHARACTERS ? text : JSON.stringify({ isCut: true });
}
