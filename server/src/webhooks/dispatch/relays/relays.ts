// Sends a request to a listener. The worker stores the request as a relay, a terminal takes it, and the worker polls
// for the answer. For the rest of the worker it is a request like any other, with its deadline, its pre-send check and
// its stops.
import { setTimeout as pause } from 'node:timers/promises';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { type MasterKeys, seal } from '../../../kit/crypto/seal.ts';
import { secret } from '../../../kit/crypto/secret.ts';
import type { Database } from '../../../kit/db/db.ts';
import { microsecondsSince, monotonicMs } from '../../../kit/flow/clock.ts';
import type { OutboundResult } from '../../../kit/outbound/outbound.ts';
import type { InFlightAttempt } from '../attempt/in-flight-attempts.ts';
import { type RelayAnswer, relayBinding } from './relay.ts';
import { deleteRelay, insertRelay, listRelayStates, type RelayState } from './relay-store.ts';

interface RelayRequest {
  headers: Record<string, string>;
  body: Buffer;
  /** Milliseconds until a terminal must have taken the request; `totalTimeoutMs` includes the wait for the answer. */
  connectTimeoutMs: number;
  totalTimeoutMs: number;
  preSendCheck(): boolean;
}

export interface Relays {
  /** Sends the request to a terminal. Never rejects, like the outbound client. */
  post(request: RelayRequest, attempt: InFlightAttempt): Promise<OutboundResult>;
}

const WATCH_MS = 40;

type RelayOutcome =
  | Omit<Extract<OutboundResult, { kind: 'response' }>, 'durationUs'>
  | Omit<FailureResult, 'durationUs'>;
type FailureResult = Extract<OutboundResult, { kind: 'failure' }>;

const failure = (kind: FailureResult['failure'], detail: string): RelayOutcome => ({
  kind: 'failure',
  failure: kind,
  detail,
});

export function createRelays(db: Database, masterKeys: MasterKeys): Relays {
  /** Called with the relay's state after each poll; undefined if the relay was deleted. */
  const watched = new Map<string, (state: RelayState | undefined) => void>();
  let isWatching = false;

  /** Polls once for all waiting relays, as long as there are any. */
  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (watched.size > 0) {
      await pause(WATCH_MS);
      const relayIds = [...watched.keys()];
      const states = await listRelayStates(db, relayIds).catch(() => undefined); // the deadlines still apply
      const byId = states && new Map(states.map((state) => [state.relay_id, state]));
      if (byId) for (const relayId of relayIds) watched.get(relayId)?.(byId.get(relayId));
    }
    isWatching = false;
  }

  function answerOf(
    relayId: string,
    request: RelayRequest,
    { stopper: signal }: InFlightAttempt,
  ): Promise<RelayOutcome> {
    return new Promise((resolve) => {
      let isTaken = false;
      const end = (ending: RelayOutcome): void => {
        clearTimeout(untaken);
        clearTimeout(unanswered);
        signal.removeEventListener('abort', onAbort);
        watched.delete(relayId);
        resolve(ending);
      };
      const onAbort = (): void => end(failure('aborted', 'The attempt was stopped.'));
      const { connectTimeoutMs, totalTimeoutMs } = request;
      const untaken = setTimeout(() => {
        if (!isTaken)
          end(
            failure(
              'connect',
              `No listener took the request within ${connectTimeoutMs} ms. Is \`slipway listen\` running?`,
            ),
          );
      }, connectTimeoutMs);
      const unanswered = setTimeout(
        () => end(failure('timeout', `The listener reported no response within ${totalTimeoutMs} ms.`)),
        totalTimeoutMs,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) return onAbort();
      watched.set(relayId, (state) => {
        if (!state) return end(failure('connect', 'The endpoint is no longer a listener.'));
        isTaken = state.is_taken;
        if (state.answer) end(toRelayOutcome(state.answer));
      });
      void watch();
    });
  }

  async function relay(request: RelayRequest, attempt: InFlightAttempt): Promise<RelayOutcome> {
    const { appId, endpointId, epoch } = attempt.claimToken;
    const relayId = newUuid();
    const { headers, body } = request;
    // Lower-case names, as in requests over HTTP.
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const message = JSON.stringify({ headers: Object.fromEntries(named), body: body.toString('utf8') });
    const sealed = seal(secret(message), relayBinding(relayId), masterKeys);
    if (!request.preSendCheck()) return failure('aborted', 'The pre-send check refused the request.');
    try {
      await insertRelay(db, { appId, relayId, endpointId, request: sealed, epoch });
      return await answerOf(relayId, request, attempt);
    } catch {
      return failure('connect', 'The listener could not be reached because the database is unavailable.');
    } finally {
      // Delete the relay before it counts as off the wire: when a stop is confirmed, no terminal can take the request
      // any more.
      await deleteRelay(db, appId, relayId).catch(() => {});
    }
  }

  return {
    async post(request, attempt) {
      const startedMs = monotonicMs();
      const ending = await relay(request, attempt);
      return { ...ending, durationUs: microsecondsSince(startedMs) };
    },
  };
}

function toRelayOutcome(answer: RelayAnswer): RelayOutcome {
  if ('failure' in answer) return failure(answer.failure, answer.detail);
  const { status, headers, bodyBase64, isBodyTruncated } = answer;
  return { kind: 'response', status, headers, body: Buffer.from(bodyBase64, 'base64'), isBodyTruncated };
}
