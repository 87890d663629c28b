// Wakes the dispatchers after a commit: the dispatcher in this process by a call, those of other processes by a
// notification.

/**
 * NOTIFY takes a lock on the whole Postgres instance at its commit. So after each notification, the next one waits this
 * many milliseconds and names all endpoints that came meanwhile.
 */
const PAUSE_MS = 5;

/** A dispatcher that can be woken; see Dispatcher.wake. */
export interface Wakeable {
  wake(endpointIds?: Iterable<string>): boolean;
}

export interface WakeUps {
  /** Reports due deliveries of these endpoints or, without names, of any endpoint. Call it after the commit. */
  wake(endpointIds?: ReadonlySet<string>): void;
  /** Attaches the dispatcher of this process. Returns a function that detaches it. */
  attach(dispatcher: Wakeable): () => void;
}

/** `notify` notifies all processes; an empty list makes them search. */
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
      // Without names there may be more than one dispatcher has room for, so the others are notified too.
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
  };
}
