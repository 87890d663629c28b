// Idempotency-Key on mutations: the first answer is stored in the mutation's own transaction and repeated for 24 hours.
// Each repeat checks the caller's access again.
import { createHash } from 'node:crypto';
import { uuidText } from '../../kit/crypto/ids.ts';
import type { AnyOperation, Exchange, Incoming, Inputs, Reply } from '../../kit/http/operation.ts';
import { Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { canonicalJson } from '../../kit/text/json.ts';
import {
  encodeReplyRow,
  findStoredReply,
  type NewReplyRow,
  type StoredReplyRow,
  storeReply,
  tryIdempotencyLock,
} from './idempotency-store.ts';
import type { TenantReader, TenantWriter } from './store.ts';

const HEADER = 'idempotency-key';
const MAX_CHARACTERS = 255;
const FORM = `must have 1 to ${MAX_CHARACTERS} characters of printable ASCII: letters, digits, signs and spaces`;

/** The schema of the header for the contract. */
export const IdempotencyKey = Type.Optional(
  text('Makes a retry of this request idempotent for 24 hours: the retry receives the first response.', {
    minLength: 1,
    maxLength: MAX_CHARACTERS,
    pattern: '^[\\u0020-\\u007e]+$',
    examples: ['8f14e45f-ceea-4672-a1b9-0c1b6f3d2e77'],
  }),
);

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns the Idempotency-Key of a request, if it has one. */
export function readIdempotencyKey(incoming: Incoming): string | undefined {
  const key = incoming.headers[HEADER];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= MAX_CHARACTERS && /^[\x20-\x7e]+$/.test(key)) return key;
  throw problem('invalid_request', {
    errors: [{ pointer: '/header/Idempotency-Key', detail: FORM }],
  });
}

/** The state of a request's Idempotency-Key. */
export interface IdempotencyClaim {
  keyHash: Buffer;
  requestHash: Buffer;
  /** False while another request with the same key is in progress. */
  isHeld: boolean;
  stored: StoredReplyRow | undefined;
  exchange: Exchange;
}

/**
 * Claims the key until the transaction ends. Waiting for the lock would delay a second request until the commit of the
 * first, so the lock is only tried, and the second request receives 409. The stored reply is read afterwards, in a
 * separate statement. Resolves to undefined without an Idempotency-Key.
 */
export async function claimIdempotencyKey<S>(
  tenant: TenantReader,
  {
    incoming,
    operation,
    inputs: { params, query, body },
  }: { incoming: Incoming; inputs: Inputs; operation: AnyOperation<S> },
): Promise<IdempotencyClaim | undefined> {
  const key = readIdempotencyKey(incoming);
  if (key === undefined) return undefined;
  const keyHash = sha256(key);
  const { exchange } = incoming;
  exchange.idempotencyHash = keyHash;
  const requestHash = sha256(canonicalJson([operation.id, { params, query, body }]));
  const [isHeld, stored] = await Promise.all([tryIdempotencyLock(tenant, keyHash), findStoredReply(tenant, keyHash)]);
  return { keyHash, requestHash, isHeld, stored, exchange };
}

/**
 * Returns the row that stores a reply for repeats of the request; undefined without an Idempotency-Key. A mutation that
 * takes the row must write it in its own statement: `replayOrRun` then stores no row for the mutation.
 */
export type TakeReplyRow = (reply: Reply) => NewReplyRow | undefined;

/** Runs the mutation, or returns its stored answer if the same request with the same key was answered before. */
export async function replayOrRun(
  tenant: TenantWriter,
  claimed: IdempotencyClaim | undefined,
  run: (takeReplyRow: TakeReplyRow) => Promise<Reply>,
): Promise<Reply> {
  if (!claimed) return run(() => undefined);
  const { isHeld, stored } = claimed;
  if (!isHeld) throw problem('idempotency_in_progress', { headers: { 'retry-after': '1' } });
  if (stored) return replayStoredReply(stored, claimed);
  let isTaken = false;
  const outcome = await run((reply) => {
    isTaken = true;
    return rowOf(claimed, { ...reply, json: jsonOf(reply) });
  });
  if (!isTaken) storeFirstReply(tenant, claimed, { ...outcome, json: jsonOf(outcome) });
  return outcome.body === undefined ? outcome : { ...outcome, json: jsonOf(outcome) };
}

/** A reply with its serialised body. The text of a reply without a body is empty. */
export type SerialisedReply = Reply & { json: string | Buffer };

const jsonOf = ({ body, json }: Reply): string | Buffer => json ?? (body === undefined ? '' : JSON.stringify(body));

/** Returns the stored answer of the first request. Throws if this request differs from the first. */
export function replayStoredReply(stored: StoredReplyRow, { requestHash, exchange }: IdempotencyClaim): Reply {
  const reply = replay(stored, requestHash);
  exchange.isStoredAnswer = true;
  exchange.originalRequestId = stored.request_id ?? undefined;
  return reply;
}

/** Stores an answer for repeats of the request. */
export function storeFirstReply(tenant: TenantWriter, claimed: IdempotencyClaim, answer: SerialisedReply): void {
  storeReply(tenant, rowOf(claimed, answer));
}

function rowOf(
  { keyHash, requestHash, exchange }: IdempotencyClaim,
  { status, json, headers }: SerialisedReply,
): NewReplyRow {
  const { location, 'content-type': contentType = '' } = headers ?? {};
  return encodeReplyRow(keyHash, {
    request_hash: requestHash,
    status,
    body: typeof json === 'string' ? json : `${FILE_START}${contentType}${FILE_ENCODING}${json.toString('base64')}`,
    location: typeof location === 'string' ? location : null,
    request_id: uuidText(exchange.uuid),
  });
}

function replay(stored: StoredReplyRow, requestHash: Buffer): Reply {
  if (!stored.request_hash.equals(requestHash)) throw problem('idempotency_key_reused');
  const { status, location } = stored;
  const { json, contentType } = decodeStoredBody(stored);
  return {
    status,
    ...(json !== '' && { json }),
    headers: {
      'idempotent-replayed': 'true',
      ...(location !== null && { location }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
  };
}

// The column of a stored body is text, so bytes are stored as a data URL (RFC 2397). No JSON text begins with `data:`.
const FILE_START = 'data:';
const FILE_ENCODING = ';base64,';

/** Returns the body of a stored reply: bytes for a file, otherwise text, which is empty without a body. */
export function decodeStoredBody({ body }: Pick<StoredReplyRow, 'body'>): {
  json: string | Buffer;
  /** Undefined if the operation declares one type only. */
  contentType?: string;
} {
  const typeEnd = body.startsWith(FILE_START) ? body.indexOf(FILE_ENCODING) : -1;
  if (typeEnd < 0) return { json: body };
  const contentType = body.slice(FILE_START.length, typeEnd);
  const json = Buffer.from(body.slice(typeEnd + FILE_ENCODING.length), 'base64');
  return contentType === '' ? { json } : { json, contentType };
}
