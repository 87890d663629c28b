// Exchanges relays with the Console several times a second: reports responses, and takes waiting deliveries. After an
// interruption it repeats unreported responses, so nothing is lost.
import { SlipwayConnectionError, SlipwayProblem } from '@slipway/sdk';
import type { ManagementClient, RelayAnswer } from '@slipway/sdk/management';
import { isDryRun } from './exit.ts';
import type { Forward } from './forwarder.ts';
import { pause } from './pause.ts';

interface RelaySession {
  api: ManagementClient;
  at: { organisationId: string; appId: string; endpointId: string };
  forward: Forward;
  /** Prints each change of the connection's state. */
  print(text: string): void;
  ended: AbortSignal;
}

const EXCHANGE_INTERVAL_MS = 100;
const MAX_RESPONSES_PER_EXCHANGE = 6;
const MAX_IN_FLIGHT = 12;
const TIMEOUT_MS = 5_000;
/** Time in which further responses join the same report. */
const BATCH_WINDOW_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
const FINAL_REPORT_TIMEOUT_MS = 1_500;
const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

/** Exchanges until `ended` is aborted. Rejects on a refusal that a retry cannot change. */
export async function exchangeUntilEnd(listening: RelaySession): Promise<void> {
  const { api, at, forward, print, ended } = listening;
  const answers: RelayAnswer[] = [];
  const inFlight = new Map<string, Promise<void>>();
  let state: 'connecting' | 'connected' | 'retrying' = 'connecting';
  let sinceMs = performance.now();
  let failures = 0;
  let wake = (): void => {};
  const seconds = (): string => `${Math.round((performance.now() - sinceMs) / 100) / 10} s`;

  async function exchange(limit: number): Promise<void> {
    const batch = answers.slice(0, MAX_RESPONSES_PER_EXCHANGE);
    const body = { answers: batch, inFlightIds: [...inFlight.keys()], limit };
    const { data, late } = await api.exchangeRelays({ ...at, body }, { timeoutMs: TIMEOUT_MS, maxRetries: 0 });
    answers.splice(0, batch.length);
    if (late.length > 0) print(`${late.length} responses came too late: their attempts had already ended.`);
    for (const { id } of batch) inFlight.delete(id);
    for (const relay of data) {
      if (inFlight.has(relay.id)) continue;
      inFlight.set(
        relay.id,
        forward(relay).then((answer) => {
          answers.push(answer);
          wake();
        }),
      );
    }
  }

  /** Waits for `waitMs`, or until a response is ready to report. */
  async function turnOver(waitMs: number): Promise<void> {
    const early = new AbortController();
    wake = () => early.abort();
    if (answers.length === 0) await pause(waitMs, AbortSignal.any([early.signal, ended])).catch(() => {});
    if (answers.length > 0) await pause(BATCH_WINDOW_MS, ended).catch(() => {});
  }

  print('connecting.');
  while (!ended.aborted) {
    try {
      await exchange(Math.min(MAX_RESPONSES_PER_EXCHANGE, MAX_IN_FLIGHT - inFlight.size));
      if (state !== 'connected') print(state === 'connecting' ? 'connected.' : `connected again after ${seconds()}.`);
      if (state !== 'connected') sinceMs = performance.now();
      state = 'connected';
      failures = 0;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (state === 'connected') sinceMs = performance.now();
      if (failures % 10 === 0)
        print(`${reasonOf(error)} Trying again${failures === 0 ? '' : `, for ${seconds()} now`}.`);
      state = state === 'connecting' ? state : 'retrying';
      failures += 1;
    }
    const waitMs = Math.min(LONGEST_PAUSE_MS, EXCHANGE_INTERVAL_MS * 2 ** Math.max(0, failures - 1));
    if (failures === 0) await turnOver(waitMs);
    else await pause(waitMs, ended).catch(() => {});
  }
  // Deliveries in hand are finished and reported, so that Slipway does not send them again.
  await Promise.race([Promise.all(inFlight.values()), pause(FINAL_REPORT_TIMEOUT_MS, new AbortController().signal)]);
  while (answers.length > 0) await exchange(0);
  throw ended.reason;
}

const isRetryable = (error: unknown): boolean =>
  (error instanceof SlipwayConnectionError && !isDryRun(error)) ||
  (error instanceof SlipwayProblem && RETRYABLE_STATUSES.includes(error.status));

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.?$/, '.') : 'No answer.';
