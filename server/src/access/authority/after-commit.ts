// What a transaction that changes access asks for once it is committed, and before it is answered.
import type { Transaction } from '../../kit/db/db.ts';
import type { Denial, Plane } from './plane.ts';

export interface AfterCommit {
  /** Once this transaction is committed: stop what is on its way under the lost access, and only then answer. */
  stopAfterCommit(denial: Denial): void;
  /** Once this transaction is committed: something is due for delivery. */
  wakeAfterCommit(): void;
}

type Run<T> = (tx: Transaction) => Promise<T>;

/** Resolves when it is committed, nothing that it denied begins any more, and whoever delivers knows that something is due. */
export async function committed<T>(
  plane: Plane,
  transaction: (run: Run<T>) => Promise<T>,
  run: (tx: Transaction, after: AfterCommit) => Promise<T>,
): Promise<T> {
  let stopped: Promise<void> | undefined;
  let isWakeDue = false;
  const result = await transaction(async (tx) => {
    const denials: Denial[] = [];
    const made = await run(tx, {
      stopAfterCommit: (denial) => denials.push(denial),
      wakeAfterCommit() {
        isWakeDue = true;
      },
    });
    stopped = plane.stop(tx, denials);
    return made;
  });
  await stopped;
  if (isWakeDue) plane.wake();
  return result;
}
