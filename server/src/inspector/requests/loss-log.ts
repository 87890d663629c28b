// Logs lost records: the first loss immediately, and the losses of the following second in one line. A flood of
// requests must not fill the log as well.

const AGGREGATION_MS = 1_000;

interface LossLog {
  report(requestId: string, error: unknown): void;
  /** Logs the losses that were gathered. */
  flush(): void;
}

export function createLossLog(onLoss: (error: unknown) => void): LossLog {
  let timer: NodeJS.Timeout | undefined;
  let unlogged = 0;
  let last: { requestId: string; error: unknown } | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (unlogged === 0 || !last) return;
    const { requestId, error } = last;
    const more = unlogged === 1 ? '1 more record was' : `${unlogged} more records were`;
    onLoss(new Error(`${more} given up, ${requestId} the last: ${reasonOf(error)}`, { cause: error }));
    unlogged = 0;
  }

  return {
    report(requestId, error) {
      if (timer === undefined) {
        timer = setTimeout(flush, AGGREGATION_MS).unref();
        onLoss(new Error(`The record of ${requestId} was given up: ${reasonOf(error)}`, { cause: error }));
        return;
      }
      unlogged += 1;
      last = { requestId, error };
    },
    flush,
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
