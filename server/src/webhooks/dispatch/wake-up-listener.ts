// Listens on a notification channel. Notifications only save time, so a lost connection adds latency and loses nothing.
// A regular ping to itself detects a lost connection, which is then replaced.

import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';

const CHECK_EVERY_MS = 5_000;

export interface WakeUpListenerOptions {
  db: Database;
  channel: string;
  onNotification(payload: string): void;
  /** Sends a notification on the channel. */
  ping(): Promise<void>;
  onError(error: unknown): void;
}

export function listenForWakeUps(options: WakeUpListenerOptions): Loop {
  let unlisten: (() => Promise<void>) | undefined;
  let heardAtMs = 0;

  // Not awaited, because closing a connection that does not respond may never finish.
  const drop = (): void => {
    unlisten?.().catch(() => {});
    unlisten = undefined;
  };

  async function check(): Promise<void> {
    if (unlisten !== undefined && monotonicMs() - heardAtMs > 2 * CHECK_EVERY_MS + 1_000) drop();
    if (unlisten === undefined) {
      unlisten = await options.db.listen(options.channel, (payload) => {
        heardAtMs = monotonicMs();
        options.onNotification(payload);
      });
      heardAtMs = monotonicMs();
    }
    await options.ping();
  }

  const loop = startLoop(check, CHECK_EVERY_MS, options.onError);
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await unlisten?.().catch(() => {});
    },
  };
}
