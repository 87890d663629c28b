// The SQL that limits guesses of a second factor.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Consecutive wrong codes of one person, over all sessions and processes, before the lock. */
export const MAX_CODE_TRIES = 10;
const LOCK_MINUTES = 15;

/** States whether a code may be compared. With `isLast`, a wrong code locks the second factor. */
export type CodeTryResult = { isAllowed: true; isLast: boolean } | { isAllowed: false; seconds: number };

/**
 * Counts one attempt before its code is compared. The row lock of this single statement orders concurrent attempts, so
 * at most MAX_CODE_TRIES of them are allowed. The identity library's columns hold the count, so that processes of the
 * last release, which read `lockedUntil`, keep the lock during an upgrade. A person without a second factor has no row,
 * and the library refuses the code.
 */
export async function takeCodeTry(db: Queryable, personId: string): Promise<CodeTryResult> {
  const [row] = await db.query<{ tries: number | null; seconds: number | null }>(sql`
    with counted as (
      update "twoFactor" set
        "failedVerificationCount" = case when "lockedUntil" is null then coalesce("failedVerificationCount", 0) else 0 end + 1,
        "lockedUntil" = case when "lockedUntil" is null and coalesce("failedVerificationCount", 0) + 1 >= ${MAX_CODE_TRIES}
          then clock_timestamp() + make_interval(mins => ${LOCK_MINUTES}) end
      where "userId" = ${personId} and ("lockedUntil" is null or "lockedUntil" <= clock_timestamp())
      returning "failedVerificationCount" as tries)
    select (select tries from counted) as tries,
      ceil(extract(epoch from "lockedUntil" - clock_timestamp()))::int as seconds
    from "twoFactor" where "userId" = ${personId}`);
  if (row === undefined) return { isAllowed: true, isLast: false };
  if (row.tries !== null) return { isAllowed: true, isLast: row.tries >= MAX_CODE_TRIES };
  return { isAllowed: false, seconds: Math.max(1, row.seconds ?? LOCK_MINUTES * 60) };
}

/** Resets the count after a correct code. */
export async function resetCodeTries(db: Queryable, personId: string): Promise<void> {
  await db.query(sql`update "twoFactor" set "failedVerificationCount" = 0, "lockedUntil" = null
    where "userId" = ${personId}`);
}
