// Limits how many codes a person can guess.
import type { Queryable } from '../../kit/db/db.ts';
import { ProblemError, problem } from '../../kit/openapi/problems.ts';
import { takeUserCodeTry } from './store.ts';

/**
 * Returns the result of the entered code, or the problem. Each attempt is counted before the lookup, so that concurrent
 * attempts cannot exceed the limit. The problem is returned and not thrown, because a throw inside a transaction would
 * roll back the count.
 */
export async function findByTypedCode<Found>(
  db: Queryable,
  by: { address: string; personId: string },
  find: () => Promise<Found | undefined>,
): Promise<Found | ProblemError> {
  const seconds = await takeUserCodeTry(db, by.address, by.personId);
  if (seconds !== undefined) return problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
  return (await find()) ?? problem('not_found');
}

/** Does the same outside of a transaction, where the problem can be thrown. */
export async function requireByTypedCode<Found>(...of: Parameters<typeof findByTypedCode<Found>>): Promise<Found> {
  const found = await findByTypedCode(...of);
  if (found instanceof ProblemError) throw found;
  return found;
}
