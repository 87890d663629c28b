// Runs something again and again: at once when woken, at the latest after a pause, never twice at a time. What it
// throws is told and does not end it.

export interface Loop {
  wake(): void;
  /** Resolves when the running turn is over; there is no further one. */
  stop(): Promise<void>;
}

// A database that is gone is asked less often than one that answers.
const PAUSE_AFTER_FAILURE_MS = 250;

export function startLoop(run: () => Promise<void>, pauseMs: number, onError: (error: unknown) => void): Loop {
  let isStopped = false;
  let isWoken = false;
  let endPause: (() => void) | undefined;

  const pause = (forMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, forMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function turn(): Promise<number> {
    try {
      await run();
      return pauseMs;
    } catch (error) {
      onError(error);
      // Not woken early either: while the database is gone, every failure would be followed by the next at once.
      isWoken = false;
      return Math.max(pauseMs, PAUSE_AFTER_FAILURE_MS);
    }
  }

  const running = (async () => {
    while (!isStopped) {
      isWoken = false;
      const forMs = await turn();
      if (!isWoken && !isStopped) await pause(forMs);
    }
  })();

  return {
    wake() {
      isWoken = true;
      endPause?.();
    },
    stop() {
      isStopped = true;
      endPause?.();
      return running;
    },
  };
}
