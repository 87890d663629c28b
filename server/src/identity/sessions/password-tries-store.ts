// The SQL that slows down guesses of a password, for each account and across all processes.
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

/** Consecutive wrong passwords from a known place before the delay begins. */
const KNOWN_FREE_TRIES = 10;
/**
 * Consecutive wrong passwords from all other places together before the delay begins. Exceeds the attempts that one
 * address may make in a minute, so that the address's own limit applies first.
 */
const OTHER_FREE_TRIES = 20;
const FIRST_DELAY_S = 5;
const MAX_DELAY_S = 900;
/** After this time without an attempt the count starts again. */
const FORGET_HOURS = 24;
/** A place without a sign-in stays known for this time. */
const KNOWN_DAYS = 90;
const ERASED_AT_ONCE = 1_000;

export interface PasswordAttempt {
  accountHash: Buffer;
  address: string;
}

type PasswordTryResult =
  /** With `isFirstDelayed`, the delay begins after this attempt. */
  { isAllowed: true; isFirstDelayed: boolean; isKnownPlace: boolean } | { isAllowed: false; seconds: number };

/** Selects the network of one subscriber: an IPv4 address, or a /64 network of IPv6. */
function subscriberNetwork(address: string): Sql {
  return sql`network(set_masklen(${address}::inet, case family(${address}::inet) when 6 then 64 else 32 end))::text`;
}

const FREE_TRIES = sql`case t.place when '' then ${OTHER_FREE_TRIES}::int else ${KNOWN_FREE_TRIES}::int end`;
const delayAfter = (tries: Sql): Sql => sql`make_interval(secs => case when ${tries} < ${FREE_TRIES} then 0
  else least(${MAX_DELAY_S}, ${FIRST_DELAY_S} * power(2, least(${tries} - ${FREE_TRIES}, 12))) end)`;

/**
 * Counts one attempt before its password is compared. The row lock of this single statement orders concurrent attempts.
 * A place from which the person has signed in has its own count, and all other places share one. A distributed attack
 * therefore delays no known place, and delays other places by at most MAX_DELAY_S. A refused attempt extends no delay.
 */
export async function takePasswordTry(
  db: Queryable,
  { accountHash, address }: PasswordAttempt,
): Promise<PasswordTryResult> {
  const next = sql`case when t.tried_at < clock_timestamp() - make_interval(hours => ${FORGET_HOURS}) then 1 else t.tries + 1 end`;
  const [row] = await db.query<{ tries: number | null; seconds: number | null; place: string }>(sql`
    with origin as (select coalesce(max(k.place), '') as place from password_tries k
      where k.account_hash = ${accountHash} and k.place = ${subscriberNetwork(address)}
        and k.tried_at > clock_timestamp() - make_interval(days => ${KNOWN_DAYS})),
    counted as (
      insert into password_tries as t (account_hash, place, tries, tried_at, next_at)
      select ${accountHash}, place, 1, clock_timestamp(), clock_timestamp() from origin
      on conflict (account_hash, place) do update set
        tries = ${next}, tried_at = clock_timestamp(), next_at = clock_timestamp() + ${delayAfter(next)}
      where t.next_at <= clock_timestamp()
      returning tries)
    select o.place, (select tries from counted) as tries,
      (select ceil(extract(epoch from next_at - clock_timestamp()))::int from password_tries
        where account_hash = ${accountHash} and place = o.place) as seconds
    from origin o`);
  if (row?.tries != null) {
    const isKnownPlace = row.place !== '';
    const free = isKnownPlace ? KNOWN_FREE_TRIES : OTHER_FREE_TRIES;
    return { isAllowed: true, isFirstDelayed: row.tries === free, isKnownPlace };
  }
  return { isAllowed: false, seconds: Math.max(1, row?.seconds ?? FIRST_DELAY_S) };
}

/** Takes back the attempt that was counted among unknown places, because its password was correct. */
export async function returnPasswordTry(db: Queryable, accountHash: Buffer): Promise<void> {
  await db.query(sql`update password_tries set tries = greatest(tries - 1, 0),
      next_at = case when tries <= ${OTHER_FREE_TRIES} then clock_timestamp() else next_at end
    where account_hash = ${accountHash} and place = ''`);
}

/**
 * Records the network of this address as known, after the person was authenticated from it. Its own count starts at
 * zero.
 */
export async function recordKnownNetwork(db: Queryable, { accountHash, address }: PasswordAttempt): Promise<void> {
  await db.query(sql`insert into password_tries (account_hash, place, tries, tried_at, next_at)
    values (${accountHash}, ${subscriberNetwork(address)}, 0, clock_timestamp(), clock_timestamp())
    on conflict (account_hash, place) do update set tries = 0, tried_at = clock_timestamp(), next_at = clock_timestamp()`);
}

/** Deletes counts that no longer apply, a bounded number at a time. */
export async function eraseOldTries(db: Queryable): Promise<void> {
  await db.query(sql`delete from password_tries where (account_hash, place) in (
    select account_hash, place from password_tries
    where tried_at < clock_timestamp() - make_interval(days => ${KNOWN_DAYS})
      or (place = '' and tried_at < clock_timestamp() - make_interval(hours => ${FORGET_HOURS}))
    order by tried_at limit ${ERASED_AT_ONCE})`);
}
