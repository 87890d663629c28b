// Listens on a channel as well as it can. Notices are hints, so a dead connection costs only speed; it is noticed,
// because this sends itself one now and then, and replaced.

import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';

const CHECK_EVERY_MS = 5_000;

export interface HintOptions {
  db: Database;
  channel: string;
  onNotice(payload: string): void;
  /** Sends a notice on the channel. */
  ping(): Promise<void>;
  onError(error: unknown): void;
}

export function listenForHints(options: HintOptions): Loop {
  let unlisten: (() => Promise<void>) | undefined;
  let heardAtMs = 0;

  // Not waited for: the end of a connection that does not answer may never come.
  const drop = (): void => {
    unlisten?.().catch(() => {});
    unlisten = undefined;
  };

  async function check(): Promise<void> {
    if (unlisten !== undefined && monotonicMs() - heardAtMs > 2 * CHECK_EVERY_MS + 1_000) drop();
    if (unlisten === undefined) {
      unlisten = await options.db.listen(options.channel, (payload) => {
        heardAtMs = monotonicMs();
        options.onNotice(payload);
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
