// The SQL of second factors: the state of a person's factor, and the limit of guesses.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Consecutive wrong codes of one person, over all sessions and processes, before the lock. */
const MAX_CODE_TRIES = 10;
const LOCK_MINUTES = 15;

/** States whether a code may be compared. With `isLast`, a wrong code locks the second factor. */
type CodeTryResult = { isAllowed: true; isLast: boolean } | { isAllowed: false; seconds: number };

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

/** The means that prove a second factor again and again. A recovery code works once and is not among them. */
export type SecondFactorMethod = 'authenticator' | 'passkey';

interface SecondFactorState {
  isOn: boolean;
  /** True if recovery codes were issued, which precedes the first authenticator or passkey. */
  isBegun: boolean;
  /** Empty while the factor is off. */
  methods: SecondFactorMethod[];
}

export async function readSecondFactor(db: Queryable, personId: string): Promise<SecondFactorState> {
  const [row] = await db.query<{ is_on: boolean; is_begun: boolean; is_confirmed: boolean; has_passkey: boolean }>(sql`
    select u."twoFactorEnabled" as is_on, t."userId" is not null as is_begun,
      t."userId" is not null and t.verified is distinct from false as is_confirmed,
      exists (select from passkeys where person_id = u.id) as has_passkey
    from "user" u left join "twoFactor" t on t."userId" = u.id where u.id = ${personId}`);
  const methods: SecondFactorMethod[] = [];
  if (row?.is_on && row.is_confirmed) methods.push('authenticator');
  if (row?.is_on && row.has_passkey) methods.push('passkey');
  return { isOn: row?.is_on === true, isBegun: row?.is_begun === true, methods };
}

/** Switches the second factor on, for a person whose recovery codes were issued. */
export async function turnOnSecondFactor(tx: Queryable, personId: string): Promise<void> {
  await tx.query(sql`update "user" set "twoFactorEnabled" = true where id = ${personId}`);
}

/**
 * Removes the second factor of a person: authenticator, recovery codes and passkeys. Returns the identifiers of the
 * removed passkeys.
 */
export async function deleteSecondFactor(tx: Queryable, personId: string): Promise<string[]> {
  await tx.query(sql`update "user" set "twoFactorEnabled" = false where id = ${personId}`);
  await tx.query(sql`delete from "twoFactor" where "userId" = ${personId}`);
  const rows = await tx.query<{ passkey_id: string }>(
    sql`delete from passkeys where person_id = ${personId} returning passkey_id`,
  );
  return rows.map(({ passkey_id }) => passkey_id);
}
