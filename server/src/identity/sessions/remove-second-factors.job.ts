// Removes second factors whose delay is over. Several processes may run this job: each takes another person.
import { unitOfWork } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { auditPasskey } from './audit-passkey.ts';
import { composeFactorRemovedMail } from './mails.ts';
import { eraseOldTries } from './password-tries-store.ts';
import { type RemovedFactor, removeDueFactor } from './second-factor-removal-store.ts';

const PAUSE_MS = 15_000;

interface RemovalOptions {
  db: Database;
  consoleUrl: string;
}

export function startRemovals(options: RemovalOptions, onError: (error: unknown) => void): Loop {
  return startLoop(() => runRemovals(options), PAUSE_MS, onError);
}

/** Removes each second factor that is due, and deletes password attempts that no longer count. */
export async function runRemovals({ db, consoleUrl }: RemovalOptions): Promise<void> {
  await eraseOldTries(db);
  let removed: RemovedFactor | undefined;
  do {
    removed = await unitOfWork(db, {}, async (work) => {
      const due = await removeDueFactor(work.tx);
      if (!due) return undefined;
      for (const passkeyId of due.passkeyIds) await auditPasskey(work, due, 'passkey.remove', passkeyId);
      await queueMail(work.tx, composeFactorRemovedMail(due.email, consoleUrl));
      return due;
    });
  } while (removed !== undefined);
}
