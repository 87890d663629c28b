// Idempotency-Key on mutations: the first answer is stored in the mutation's own transaction and given again for 24
// hours, after the caller's access has been judged anew.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kit/json.ts';
import type { AnyOperation, Incoming, Inputs, Reply } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { Type, text } from '../../kit/schema.ts';
import {
  deleteStaleIdempotencyKey,
  findStoredReply,
  insertIdempotencyKey,
  type StoredReplyRow,
  type Tenant,
  tryIdempotencyLock,
  updateStoredReply,
} from './store.ts';

const HEADER = 'idempotency-key';
const MAX_CHARACTERS = 255;

/** As the contract shows it. */
export const IdempotencyKey = Type.Optional(
  text('Makes a repeat of this request safe for 24 hours: the first answer is given again.', {
    minLength: 1,
    maxLength: MAX_CHARACTERS,
    pattern: '^[\\u0020-\\u007e]+$',
    examples: ['8f14e45f-ceea-4672-a1b9-0c1b6f3d2e77'],
  }),
);

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function readKey(incoming: Incoming): string | undefined {
  const key = incoming.headers[HEADER];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= MAX_CHARACTERS && /^[\x20-\x7e]+$/.test(key)) return key;
  throw problem('invalid_request', {
    errors: [{ pointer: '/header/Idempotency-Key', detail: `must have 1 to ${MAX_CHARACTERS} characters` }],
  });
}

/** Runs the mutation, or gives its stored answer when the same request with the same key has been answered before. */
export async function replayOrRun<S>(
  tenant: Tenant,
  request: { incoming: Incoming; inputs: Inputs; operation: AnyOperation<S> },
  run: () => Promise<Reply>,
): Promise<Reply> {
  const key = readKey(request.incoming);
  if (key === undefined) return run();
  const keyHash = sha256(key);
  const requestHash = sha256(canonicalJson([request.operation.id, request.inputs]));
  const stored = await claim(tenant, keyHash, requestHash);
  if (stored) return replay(stored, requestHash);
  const outcome = await run();
  await updateStoredReply(tenant, keyHash, outcome.status, JSON.stringify(outcome.body));
  return outcome;
}

// A second request with the key would wait for the first one's commit; a lock that is tried, not waited for, answers it
// with 409 instead.
async function claim(tenant: Tenant, keyHash: Buffer, requestHash: Buffer): Promise<StoredReplyRow | undefined> {
  if (!(await tryIdempotencyLock(tenant, keyHash))) {
    throw problem('idempotency_in_progress', { headers: { 'retry-after': '1' } });
  }
  await deleteStaleIdempotencyKey(tenant, keyHash);
  const stored = await findStoredReply(tenant, keyHash);
  if (!stored) await insertIdempotencyKey(tenant, keyHash, requestHash);
  return stored;
}

function replay(stored: StoredReplyRow, requestHash: Buffer): Reply {
  if (!stored.request_hash.equals(requestHash)) throw problem('idempotency_key_reused');
  return { status: stored.status, json: stored.body, headers: { 'idempotent-replayed': 'true' } };
}
