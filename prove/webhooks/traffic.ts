// A caller of /v1 that creates tickets repeatedly until it is stopped. Its node may die meanwhile. Each ticket has its
// idempotency key, so that repeats create it once.
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { newUuid, toId } from '../../server/src/kit/crypto/ids.ts';
import type { App } from './setup.ts';

const TICKET = JSON.stringify({ subject: 'Grüße', body: 'The reminder comes twice.' });
const AGAIN_AFTER_MS = 20;

export interface Traffic {
  /** The identifiers of the confirmed tickets. */
  confirmed: string[];
  /** Stops after the last ticket is confirmed. */
  stop(): Promise<void>;
  /** Stops immediately, confirmed or not. */
  giveUp(): void;
}

/** Starts the traffic. `url` returns the address of the current node. */
export function startTraffic(
  app: App,
  url: () => string | undefined,
  options: { callers: number; pauseMs: number },
): Traffic {
  const confirmed: string[] = [];
  const strange: string[] = [];
  let isStopped = false;
  let isGivenUp = false;

  async function create(idempotencyKey: string): Promise<void> {
    while (!isGivenUp) {
      try {
        const answer = await request(`${url()}/v1/servers/${toId('srv', app.serverId)}/tickets`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${app.token}`,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          body: TICKET,
          headersTimeout: 5_000,
        });
        const text = await answer.body.text();
        if (answer.statusCode === 201) {
          confirmed.push(JSON.parse(text).id);
          return;
        }
        // Unavailable, or still in progress in a dead node; any other response is wrong.
        if (answer.statusCode < 500 && answer.statusCode !== 409) strange.push(`${answer.statusCode} ${text}`);
      } catch {
        // The node died, or is not started yet.
      }
      if (strange.length > 0) return;
      await pause(AGAIN_AFTER_MS);
    }
  }

  async function call(): Promise<void> {
    while (!isStopped && strange.length === 0) {
      await create(newUuid());
      await pause(options.pauseMs);
    }
  }

  const calling = Promise.all(Array.from({ length: options.callers }, call));
  return {
    confirmed,
    async stop() {
      isStopped = true;
      await calling;
      if (strange[0]) throw new Error(`A ticket was refused: ${strange[0]}`);
    },
    giveUp() {
      isStopped = true;
      isGivenUp = true;
    },
  };
}
