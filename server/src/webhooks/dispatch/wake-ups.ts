// Wakes the dispatchers after a commit: the dispatcher in this process by a call, those of other processes by a
// notification, which they listen for.

import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import type { HandOff } from '../webhooks/index.ts';

/**
 * NOTIFY takes a lock on the whole Postgres instance at its commit. So after each notification, the next one waits this
 * many milliseconds and names all endpoints that came meanwhile.
 */
const PAUSE_MS = 5;

/** A dispatcher that can be woken; see Dispatcher. */
interface Wakeable {
  wake(endpointIds?: Iterable<string>): boolean;
  readonly handOff: HandOff;
}

export interface WakeUps {
  /** Reports due deliveries of these endpoints or, without names, of any endpoint. Call it after the commit. */
  wake(endpointIds?: ReadonlySet<string>): void;
  /** Attaches the dispatcher of this process. Returns a function that detaches it. */
  attach(dispatcher: Wakeable): () => void;
  /** Hands deliveries to the dispatcher of this process; closed without one. */
  readonly handOff: HandOff;
}

/** Creates the wake-ups of this process. `notify` notifies all processes; an empty list makes them search. */
export function createWakeUps(
  notify: (endpointIds: readonly string[]) => Promise<unknown>,
  onError: (error: unknown) => void,
): WakeUps {
  let local: Wakeable | undefined;
  let isPausing = false;
  let hasMore = false;
  let mustSearch = false;
  let names = new Set<string>();

  function send(): void {
    const endpointIds = mustSearch ? [] : [...names];
    names = new Set();
    mustSearch = false;
    hasMore = false;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      if (hasMore) send();
    }, PAUSE_MS).unref();
    notify(endpointIds).catch(onError);
  }

  return {
    wake(endpointIds) {
      if (endpointIds?.size === 0) return;
      // Without names there may be more than one dispatcher has slots for, so the others are notified too.
      if (local?.wake(endpointIds) && endpointIds) return;
      if (endpointIds) for (const endpointId of endpointIds) names.add(endpointId);
      else mustSearch = true;
      hasMore = true;
      if (!isPausing) send();
    },
    attach(dispatcher) {
      local = dispatcher;
      return () => {
        if (local === dispatcher) local = undefined;
      };
    },
    handOff: { open: () => local?.handOff.open() },
  };
}

const CHECK_EVERY_MS = 5_000;

interface WakeUpListenerOptions {
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
