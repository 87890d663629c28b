// Removes second factors whose delay is over. Several processes may run this job: each takes another person.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { composeFactorRemovedMail } from './mails.ts';
import { eraseOldTries } from './password-tries-store.ts';
import { removeDueFactor } from './second-factor-removal-store.ts';

const PAUSE_MS = 15_000;

export interface RemovalOptions {
  db: Database;
  consoleUrl: string;
}

export function startRemovals(options: RemovalOptions, onError: (error: unknown) => void): Loop {
  return startLoop(() => runRemovals(options), PAUSE_MS, onError);
}

/** Removes each second factor that is due, and deletes password attempts that no longer count. */
export async function runRemovals({ db, consoleUrl }: RemovalOptions): Promise<void> {
  await eraseOldTries(db);
  let email: string | undefined;
  do {
    email = await db.transaction(async (tx) => {
      const removed = await removeDueFactor(tx);
      if (removed !== undefined) await queueMail(tx, composeFactorRemovedMail(removed, consoleUrl));
      return removed;
    });
  } while (email !== undefined);
}
