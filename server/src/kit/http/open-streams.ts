// Answers that may go on for long: how many are open for whom, and the end of all of them when the server stops.

export interface OpenStream {
  /** Also when the server stops. */
  hasEnded(): boolean;
  /** Over early when it ends. */
  pause(ms: number): Promise<void>;
  close(): void;
}

export interface OpenStreams {
  /** Undefined when there are as many as there may be. */
  open(of: string, most: number): OpenStream | undefined;
  endAll(): void;
}

export function createOpenStreams(): OpenStreams {
  const counts = new Map<string, number>();
  const pauses = new Set<() => void>();
  let isStopped = false;

  function openOne(leave: () => void): OpenStream {
    let isClosed = false;
    let endPause = (): void => {};
    const hasEnded = (): boolean => isClosed || isStopped;
    return {
      hasEnded,
      pause: (ms) =>
        new Promise((resolve) => {
          if (hasEnded()) return resolve();
          const timer = setTimeout(() => endPause(), ms);
          endPause = () => {
            clearTimeout(timer);
            pauses.delete(endPause);
            resolve();
          };
          pauses.add(endPause);
        }),
      close() {
        if (!isClosed) leave();
        isClosed = true;
        endPause();
      },
    };
  }

  return {
    open(of, most) {
      const count = counts.get(of) ?? 0;
      if (count >= most) return undefined;
      counts.set(of, count + 1);
      return openOne(() => {
        const left = (counts.get(of) ?? 1) - 1;
        if (left === 0) counts.delete(of);
        else counts.set(of, left);
      });
    },
    endAll() {
      isStopped = true;
      for (const end of pauses) end();
    },
  };
}
