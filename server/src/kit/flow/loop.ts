// Runs a function repeatedly: immediately when woken, at the latest after a pause, and never twice concurrently. Errors
// are reported and do not end the loop.

export interface Loop {
  wake(): void;
  /** Resolves when the current run has ended. No further run follows. */
  stop(): Promise<void>;
}

// Milliseconds. An unavailable database is queried less often than one in operation.
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

  async function runOnce(): Promise<number> {
    try {
      await run();
      return pauseMs;
    } catch (error) {
      onError(error);
      // Clears wake-ups too. Otherwise, while the database is unavailable, the next failure would follow immediately.
      isWoken = false;
      return Math.max(pauseMs, PAUSE_AFTER_FAILURE_MS);
    }
  }

  const running = (async () => {
    while (!isStopped) {
      isWoken = false;
      const forMs = await runOnce();
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
