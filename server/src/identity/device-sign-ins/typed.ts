// Whoever types a code that no terminal shows may do so a few times.
import type { Queryable } from '../../kit/db/db.ts';
import { ProblemError, problem } from '../../kit/openapi/problems.ts';
import { takeTry } from './store.ts';

/**
 * What the typed code leads to, or why nothing. Counted before it is looked for, so that of many tries at once none is free; the problem
 * is returned, because what throws in a transaction is not counted.
 */
export async function findTyped<Found>(
  db: Queryable,
  by: { address: string; personId: string },
  find: () => Promise<Found | undefined>,
): Promise<Found | ProblemError> {
  const seconds = await takeTry(db, by.address, by.personId);
  if (seconds !== undefined) return problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
  return (await find()) ?? problem('not_found');
}

/** The same where nothing is open that would be undone. */
export async function requireTyped<Found>(...of: Parameters<typeof findTyped<Found>>): Promise<Found> {
  const found = await findTyped(...of);
  if (found instanceof ProblemError) throw found;
  return found;
}
