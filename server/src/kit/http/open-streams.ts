// Long-running responses: counts the open ones per owner, and ends all of them at shutdown.

export interface OpenStream {
  /** True also when the server shuts down. */
  hasEnded(): boolean;
  /** Resolves early if the stream ends. */
  pause(ms: number): Promise<void>;
  close(): void;
}

export interface OpenStreams {
  /** Returns undefined if the limit is reached. */
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
