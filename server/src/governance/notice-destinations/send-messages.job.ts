// Sends due messages to destinations, with the schedule, limits and outbound client of webhook deliveries. Several
// processes may run it: each claims messages for itself, and the messages of a crashed process become due again. A
// destination has at most one attempt in flight in each process, so a slow receiver delays no other destination.
import { randomShare } from '../../kit/crypto/ids.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { LightAbortController } from '../../kit/outbound/light-abort.ts';
import type { OutboundClient } from '../../kit/outbound/outbound.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import { type AttemptResult, evaluateResult, WEBHOOK_HEADERS, WEBHOOK_LIMITS } from '../../webhooks/dispatch/index.ts';
import { type MessageRequest, toRequest } from './message.ts';
import {
  type ClaimedMessage,
  cancelRefusedMessages,
  claimMessage,
  deleteOldMessages,
  disableDestination,
  endMessage,
  type LastResult,
  listAllowedAttempts,
  recordResult,
  scheduleRetry,
  TEST_KIND,
} from './store.ts';

interface MessageOptions {
  db: Database;
  outbound: OutboundClient;
  sealingKeys: MasterKeys;
  onError(error: unknown): void;
}

const PAUSE_MS = 1_000;
const MAX_IN_FLIGHT = 32;
// Longer than the longest attempt: 15 seconds of waiting for a place, and 15 seconds of the request.
const CLAIM_SECONDS = 60;

export interface MessageSender {
  /** Cancels what may no longer be sent, and begins due messages. */
  run(): Promise<void>;
  /** Resolves when no attempt is in flight. */
  whenIdle(): Promise<void>;
  /** Aborts the attempts in flight, and resolves when they have ended. */
  abort(): Promise<void>;
}

interface InFlight {
  messageId: string;
  stopper: LightAbortController;
  ended: Promise<void>;
}

/** `onEnd` is called after each attempt. */
export function createMessageSender(options: MessageOptions, onEnd: () => void = () => {}): MessageSender {
  const { db, onError } = options;
  const inFlight = new Map<string, InFlight>();

  function begin(claim: ClaimedMessage): void {
    const stopper = new LightAbortController();
    const attempt = traceJob('notice-message', () => runAttempt(claim, stopper, options));
    const ended = attempt.catch(onError).finally(() => {
      inFlight.delete(claim.destination_id);
      onEnd();
    });
    inFlight.set(claim.destination_id, { messageId: claim.message_id, stopper, ended });
  }

  async function abortCancelled(): Promise<void> {
    if (inFlight.size === 0) return;
    const attempts = [...inFlight.values()];
    const allowed = await listAllowedAttempts(
      db,
      attempts.map(({ messageId }) => messageId),
    );
    for (const { messageId, stopper } of attempts) if (!allowed.includes(messageId)) stopper.stop();
  }

  const whenIdle = async (): Promise<void> => {
    await Promise.all([...inFlight.values()].map(({ ended }) => ended));
  };
  return {
    whenIdle,
    async run() {
      await cancelRefusedMessages(db);
      await abortCancelled();
      await deleteOldMessages(db);
      while (inFlight.size < MAX_IN_FLIGHT) {
        const claim = await claimMessage(db, [...inFlight.keys()], CLAIM_SECONDS);
        if (!claim) return;
        begin(claim);
      }
    },
    abort() {
      for (const { stopper } of inFlight.values()) stopper.stop();
      return whenIdle();
    },
  };
}

export function startMessages(options: MessageOptions): { stop(): Promise<void> } {
  const sender = createMessageSender(options, () => loop.wake());
  const loop = startLoop(sender.run, PAUSE_MS, options.onError);
  return {
    async stop() {
      await loop.stop();
      await sender.abort();
    },
  };
}

async function runAttempt(
  claim: ClaimedMessage,
  stopper: LightAbortController,
  options: MessageOptions,
): Promise<void> {
  const { db, sealingKeys } = options;
  let request: MessageRequest;
  try {
    request = toRequest(claim, sealingKeys, nowMs());
  } catch (error) {
    await db.transaction((tx) => disableDestination(tx, claim.destination_id, UNREADABLE));
    throw error;
  }
  const result = await send(claim, request, stopper, options.outbound);
  await db.transaction(async (tx) => {
    if (result.next === 'unsent') return scheduleRetry(tx, claim, result.inMs, false);
    const isRepeated = result.next === 'waiting' && claim.kind !== TEST_KIND;
    if (isRepeated) await scheduleRetry(tx, claim, result.inMs, true);
    else await endMessage(tx, claim);
    await recordResult(tx, claim.destination_id, toLastResult(result, isRepeated));
    if (result.next === 'failed' && result.isGone) await disableDestination(tx, claim.destination_id, GONE);
  });
}

const UNREADABLE = 'The address can no longer be read. Create the destination again.';
const GONE = 'The receiver responded with 410 Gone.';

function toLastResult(result: Exclude<AttemptResult, { next: 'unsent' }>, isRepeated: boolean): LastResult {
  const { record } = result;
  const status = 'status' in record ? record.status : null;
  const failed = isRepeated ? 'waiting' : 'failed';
  return { outcome: result.next === 'succeeded' ? 'succeeded' : failed, status, detail: record.detail };
}

async function send(
  claim: ClaimedMessage,
  { url, headers, body }: MessageRequest,
  stopper: LightAbortController,
  outbound: OutboundClient,
): Promise<AttemptResult> {
  let hasBegun = false;
  const sent = await outbound.post({
    url,
    body,
    headers: { ...headers, ...WEBHOOK_HEADERS },
    ...WEBHOOK_LIMITS,
    signal: stopper,
    preSendCheck() {
      hasBegun = true;
      return true;
    },
  });
  return evaluateResult(sent, {
    attemptNo: claim.attempt_no,
    random: randomShare(),
    speed: 1,
    hasBegun,
    stoppedBy: undefined,
    nowMs: nowMs(),
    // The response is not stored.
    mask: (text) => text,
  });
}
