// How much of what all share one may have at once: whoever asks for more waits for their own, and nobody else does.

export interface Turns {
  /** Runs it when it is its turn; rejects with `late()` where that does not come in time. */
  take<T>(of: string, run: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  /** At once, of one. */
  most: number;
  waitMs: number;
  late(): Error;
}

interface Line {
  running: number;
  waiting: (() => void)[];
}

export function createTurns({ most, waitMs, late }: TurnsOptions): Turns {
  const lines = new Map<string, Line>();

  function wait(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(begin), 1);
        reject(late());
      }, waitMs);
      function begin(): void {
        clearTimeout(timer);
        resolve();
      }
      line.waiting.push(begin);
    });
  }

  // A turn is handed on, so that nobody comes in between.
  function leave(of: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(of);
  }

  return {
    async take(of, run) {
      const line = lines.get(of) ?? { running: 0, waiting: [] };
      lines.set(of, line);
      if (line.running < most) line.running += 1;
      else await wait(line);
      try {
        return await run();
      } finally {
        leave(of, line);
      }
    },
  };
}
