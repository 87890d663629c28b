// The SQL of terminal sign-ins.

import { newUuid } from '../../kit/crypto/ids.ts';
import { createBoundedDeletion } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import {
  type DeviceSignInRow,
  EXPIRES_IN_SECONDS,
  INTERVAL_SECONDS,
  MAX_DEVICE_SIGN_INS_PER_NETWORK,
  MAX_TRIES,
  TRIES_MINUTES,
} from './device-sign-in.ts';

/** Each insert deletes more than one old row, so that the table cannot grow. */
const OLD_AT_ONCE = 100;

/**
 * Inserts a sign-in unless the network has reached its limit. Returns the number of sign-ins of the network within the
 * last hour. The network is one IPv4 address, or the /64 network of an IPv6 subscriber. Rows count for an hour and are
 * deleted afterwards.
 */
export async function insertDeviceSignIn(
  tx: Transaction,
  signIn: { deviceCodeHash: Buffer; userCodeHash: Buffer; device: string; address: string },
): Promise<number> {
  const where = sql`asked_at < statement_timestamp() - interval '1 hour'`;
  tx.send(createBoundedDeletion({ from: sql`device_sign_ins`, where, by: sql`asked_at`, limit: OLD_AT_ONCE }));
  const [row] = await tx.query<{ count: number }>(sql`
    with source as (select ${subscriberNetwork(signIn.address)} as network),
    recent as (
      select count(*) from device_sign_ins d, source s where d.network = s.network),
    made as (
      insert into device_sign_ins (sign_in_id, device_code_hash, user_code_hash, device, address, network, expires_at)
      select ${newUuid()}, ${signIn.deviceCodeHash}, ${signIn.userCodeHash}, ${signIn.device}, ${signIn.address}, network,
        clock_timestamp() + make_interval(secs => ${EXPIRES_IN_SECONDS})
      from source, recent where recent.count < ${MAX_DEVICE_SIGN_INS_PER_NETWORK})
    select count from recent`);
  return row?.count ?? 0;
}

function subscriberNetwork(address: string): Sql {
  return sql`network(set_masklen(${address}::inet, case family(${address}::inet) when 6 then 64 else 32 end))`;
}

const OLD_TRIES = createBoundedDeletion({
  from: sql`user_code_tries`,
  where: sql`since < statement_timestamp() - interval '1 hour'`,
  by: sql`since`,
  limit: OLD_AT_ONCE,
});

/**
 * Counts an attempt to enter a code. Returns undefined if the code may be looked up, and otherwise the seconds until
 * the next attempt.
 */
export async function takeUserCodeTry(db: Queryable, address: string, personId: string): Promise<number | undefined> {
  const [row] = await db.query<{ tries: number | null; seconds: number | null }>(sql`
    with span as (select make_interval(mins => ${TRIES_MINUTES}) as width),
    past as (${OLD_TRIES}),
    counted as (
      insert into user_code_tries (place, since, tries)
      select place, date_bin(width, clock_timestamp(), 'epoch'), 1
      from span, unnest(array['network ' || ${subscriberNetwork(address)}, 'person ' || ${personId}::text]) as place
      on conflict (place, since) do update set tries = user_code_tries.tries + 1
      returning tries, since)
    select max(tries) as tries, ceil(extract(epoch from max(since) + max(width) - clock_timestamp()))::int as seconds
    from counted, span`);
  return row && Number(row.tries) > MAX_TRIES ? Math.max(1, Number(row.seconds)) : undefined;
}

/** Selects sign-ins without a decision. */
const IS_UNDECIDED = sql`expires_at > clock_timestamp() and denied_at is null and person_id is null`;

export function findByUserCode(db: Queryable, userCodeHash: Buffer): Promise<DeviceSignInRow | undefined> {
  return db.first(sql`select sign_in_id, device, address, asked_at, expires_at
    from device_sign_ins where user_code_hash = ${userCodeHash} and ${IS_UNDECIDED}`);
}

export async function denyByUserCode(db: Queryable, userCodeHash: Buffer): Promise<boolean> {
  const rows = await db.query(sql`update device_sign_ins set denied_at = clock_timestamp()
    where user_code_hash = ${userCodeHash} and ${IS_UNDECIDED} returning sign_in_id`);
  return rows.length > 0;
}

/** Approves the sign-in once. If two approvals are concurrent, one succeeds. */
export function approveByUserCode(
  tx: Queryable,
  userCodeHash: Buffer,
  as: { organisationId: string; personId: string; scope: string; expiresInDays: number },
): Promise<DeviceSignInRow | undefined> {
  return tx.first(sql`update device_sign_ins
    set organisation_id = ${as.organisationId}, person_id = ${as.personId}, scope = ${as.scope},
      expires_in_days = ${as.expiresInDays}::int
    where user_code_hash = ${userCodeHash} and ${IS_UNDECIDED}
    returning sign_in_id, device, address, asked_at, expires_at`);
}

export interface DeviceSignInPollRow {
  sign_in_id: string;
  device: string;
  address: string;
  is_denied: boolean;
  is_too_soon: boolean;
  interval_seconds: number;
  organisation_id: string | null;
  person_id: string | null;
  scope: 'read' | 'write' | null;
  expires_in_days: number | null;
}

/** Returns the organisation in which the sign-in was approved, if it was. */
export async function findApprovingOrganisation(db: Queryable, deviceCodeHash: Buffer): Promise<string | undefined> {
  const rows = await db.query<{ organisation_id: string }>(sql`select organisation_id from device_sign_ins
    where device_code_hash = ${deviceCodeHash} and organisation_id is not null`);
  return rows[0]?.organisation_id;
}

/**
 * Records a poll. A terminal that polls too early waits five seconds longer from then on. Returns undefined if no valid
 * sign-in has this code.
 */
export function pollByDeviceCode(tx: Queryable, deviceCodeHash: Buffer): Promise<DeviceSignInPollRow | undefined> {
  return tx.first(sql`
    with found as (
      select sign_in_id, coalesce(polled_at > clock_timestamp() - make_interval(secs => interval_seconds), false)
        as is_too_soon
      from device_sign_ins
      where device_code_hash = ${deviceCodeHash} and expires_at > clock_timestamp() for update)
    update device_sign_ins d set polled_at = clock_timestamp(),
      interval_seconds = least(600, d.interval_seconds + case when f.is_too_soon then ${INTERVAL_SECONDS} else 0 end)
    from found f where d.sign_in_id = f.sign_in_id
    returning d.sign_in_id, d.device, d.address, d.denied_at is not null as is_denied, f.is_too_soon, d.interval_seconds,
      d.organisation_id, d.person_id, d.scope, d.expires_in_days`);
}

export async function deleteDeviceSignIn(tx: Queryable, signInId: string): Promise<void> {
  await tx.query(sql`delete from device_sign_ins where sign_in_id = ${signInId}`);
}
