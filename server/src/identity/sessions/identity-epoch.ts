// Binds each new session to the access epoch of its person, read before the credential is compared
// (docs/decisions/0070).
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../kit/db/db.ts';
import { type AccessEpoch, findAccessEpoch, isCurrentAccessEpoch, type PersonReference } from './access-epoch-store.ts';

const currentEpoch = new AsyncLocalStorage<AccessEpoch>();

/**
 * Runs a step that may open a session of this person. `run` must compare the credential itself. Returns undefined if
 * the sessions of the person were ended meanwhile: the database has refused the new session, or the session was ended
 * with the others.
 */
export async function withAccessEpoch<T>(
  db: Database,
  of: PersonReference,
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const accessEpoch = await findAccessEpoch(db, of);
  // Without an account there is no session. The library compares anyway and takes the same time.
  if (!accessEpoch) return run();
  try {
    const result = await currentEpoch.run(accessEpoch, run);
    return result !== undefined && (await isCurrentAccessEpoch(db, accessEpoch)) ? result : undefined;
  } catch (error) {
    if (await isCurrentAccessEpoch(db, accessEpoch)) throw error;
    return undefined;
  }
}

/**
 * Returns the epoch that a new session of this person carries. Throws outside of `withAccessEpoch`, so that no session
 * is opened without one.
 */
export function requireAccessEpoch(personId: string): number {
  const accessEpoch = currentEpoch.getStore();
  if (accessEpoch?.personId !== personId) throw new Error('A session was opened outside of a step of its person.');
  return accessEpoch.epoch;
}
