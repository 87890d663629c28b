// The checker of revocation: readers ask without a pause while access is taken away, one target after the other. Time is
// a counter, so that no clock is trusted: a request that drew its number after the denial's answer drew one began later.
import { until } from './harness.ts';

export interface Watched {
  targets: readonly string[];
  readers: number;
  /** Asks as the reader; true when access was given. */
  isAllowed(reader: number, target: string): Promise<boolean>;
  /** Resolves when the denial has been answered. */
  deny(target: string): Promise<void>;
}

export interface Verdict {
  /** Requests that began after the answer of their target's denial. */
  begunAfter: number;
  /** Those of them that were given access. */
  violations: number;
  /** Requests that were given access rightly: without them, the rest would prove nothing. */
  allowed: number;
}

export async function watchDenials({ targets, readers, isAllowed, deny }: Watched): Promise<Verdict> {
  let time = 0;
  let current = targets[0] ?? '';
  let isOver = false;
  const deniedAt = new Map<string, number>();
  const verdict: Verdict = { begunAfter: 0, violations: 0, allowed: 0 };

  async function ask(reader: number, target: string): Promise<void> {
    const beganAt = time++;
    const wasAllowed = await isAllowed(reader, target);
    if (beganAt > (deniedAt.get(target) ?? Number.POSITIVE_INFINITY)) {
      verdict.begunAfter += 1;
      if (wasAllowed) verdict.violations += 1;
    } else if (wasAllowed) verdict.allowed += 1;
  }

  async function read(reader: number): Promise<void> {
    while (!isOver) await ask(reader, current);
  }

  const reading = Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));
  const ended = reading.catch(() => {
    isOver = true;
  });
  for (const target of targets) {
    current = target;
    const { allowed, begunAfter } = verdict;
    await until(() => isOver || verdict.allowed >= allowed + readers);
    await deny(target);
    deniedAt.set(target, time++);
    // Readers that wait for their answers fall into step, and then none of them begins while a look-up is running: these
    // do, at the very moment that matters.
    await Promise.all(Array.from({ length: readers }, (_, reader) => ask(reader, target)));
    await until(() => isOver || verdict.begunAfter >= begunAfter + 2 * readers);
  }
  isOver = true;
  await ended;
  await reading;
  return verdict;
}
