// The SQL of an endpoint's sealed values: its signing secrets, their rotation, and the rotation of the master key.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { bodyInVersion } from '../../resources/events/index.ts';
import { couldReachReceiver, isBodyGranted } from './body-access-store.ts';
import type { SealedRow } from './sealed-columns.ts';
import type { SealedSecretsRow, SecretDatesRow } from './signing-secret.ts';

/** Selects the previous secret of endpoints e while it still signs. */
export const LIVE_PREVIOUS_SECRET: Sql = sql`case when e.previous_secret_ends_at > clock_timestamp()
  then e.sealed_previous_secret end as sealed_previous_secret`;

type SecretsRow = SealedSecretsRow & SecretDatesRow;

const secretsOf = (tenant: Tenant, endpointId: string): Sql => sql`
  select e.endpoint_id, e.sealed_secret, ${LIVE_PREVIOUS_SECRET}, e.secret_rotated_at, e.previous_secret_ends_at
  from endpoints e where e.app_id = ${tenant.appId} and e.endpoint_id = ${endpointId}`;

export async function findSecrets(tenant: Tenant, endpointId: string): Promise<SecretsRow | undefined> {
  return (await tenant.query<SecretsRow>(secretsOf(tenant, endpointId)))[0];
}

/** Returns the secrets, locked until the transaction ends, so that rotations do not overlap. */
export async function lockSecrets(tenant: Tenant, endpointId: string): Promise<SecretsRow | undefined> {
  return (await tenant.query<SecretsRow>(sql`${secretsOf(tenant, endpointId)} for no key update`))[0];
}

/** Makes the current secret the previous one, and stores the new one. The times are those of the database's clock. */
export function rotateSecret(
  tenant: Tenant,
  endpointId: string,
  sealed: Buffer,
  overlapHours: number,
): Promise<SecretDatesRow | undefined> {
  return tenant.first(sql`
    update endpoints set sealed_secret = ${sealed}, secret_rotated_at = statement_timestamp(),
      sealed_previous_secret = case when ${overlapHours}::int > 0 then sealed_secret end,
      previous_secret_ends_at = statement_timestamp() + make_interval(hours => ${overlapHours}::int)
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId}
    returning secret_rotated_at, previous_secret_ends_at`);
}

/** Ends the overlap: only the current secret signs from now on. */
export async function endPreviousSecretRow(tenant: Tenant, endpointId: string): Promise<void> {
  await tenant.query(sql`
    update endpoints set sealed_previous_secret = null, previous_secret_ends_at = clock_timestamp()
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId} and previous_secret_ends_at > clock_timestamp()`);
}

/** Returns the secrets of the endpoints with these URLs, newest first. Run as slipway_worker. */
export function listSealedSecrets(worker: Queryable, urls: readonly string[]): Promise<SealedSecretsRow[]> {
  return worker.query(sql`
    select e.endpoint_id, e.sealed_secret, ${LIVE_PREVIOUS_SECRET} from endpoints e where e.url = any(${urls}::text[])
    order by e.endpoint_id desc limit 100`);
}

/** Returns the secrets of the app's newest other endpoints. */
export function listOtherSecrets(tenant: Tenant, endpointId: string, limit: number): Promise<SealedSecretsRow[]> {
  return tenant.query(sql`
    select e.endpoint_id, e.sealed_secret, ${LIVE_PREVIOUS_SECRET} from endpoints e
    where e.app_id = ${tenant.appId} and e.endpoint_id <> ${endpointId} order by e.endpoint_id desc limit ${limit}`);
}

/**
 * Returns the bodies with which a diagnosis may compare. If the app may read the event now, these are its bytes in each
 * schema version. Otherwise they are only the bytes of deliveries to this endpoint that could have reached it. Returns
 * none if the event is withheld, belongs to another app or was deleted: an answer about such bytes would disclose them.
 */
export async function listSentBodies(tenant: Tenant, endpointId: string, eventId: string): Promise<string[]> {
  const appId = sql`${tenant.appId}`;
  const rows = await tenant.query<{ bodies: string[] | null }>(sql`
    select case when ${isBodyGranted(appId)} then array[ev.body] || ev.older_bodies else (
      select array_agg(distinct ${bodyInVersion(sql`ev`, sql`d.schema_version`)}) from deliveries d
      where d.app_id = ${appId} and d.event_id = ev.event_id and d.endpoint_id = ${endpointId}
        and ${couldReachReceiver(appId, sql`d.delivery_id`)}) end as bodies
    from events ev where ev.app_id = ${appId} and ev.event_id = ${eventId}`);
  return rows[0]?.bodies ?? [];
}

/**
 * Erases at most `limit` secrets whose overlap is over. Skips rows that another transaction has locked. Run as
 * slipway_worker.
 */
export async function erasePreviousSecrets(worker: Queryable, limit: number): Promise<void> {
  await worker.query(sql`
    update endpoints e set sealed_previous_secret = null
    from (select app_id, endpoint_id from endpoints
      where sealed_previous_secret is not null and previous_secret_ends_at <= clock_timestamp()
      order by previous_secret_ends_at limit ${limit} for no key update skip locked) over
    where e.app_id = over.app_id and e.endpoint_id = over.endpoint_id`);
}

/** Returns the number of values that are sealed under each master key: those of endpoints, and the keys of captures. */
export function countSealed(worker: Queryable): Promise<{ master_key: string; count: number }[]> {
  return worker.query(sql`
    select master_key_of(sealed) as master_key, count(*)::int as count from (
      select sealed from endpoints
      cross join lateral (values (sealed_secret), (sealed_previous_secret), (sealed_headers)) as v (sealed)
      union all select sealed_key from capture_keys) as every (sealed)
    where sealed is not null group by 1 order by 1`);
}

/** Returns the oldest signing secret under each master key. */
export function sampleSealed(
  worker: Queryable,
): Promise<{ master_key: string; endpoint_id: string; sealed_secret: Buffer }[]> {
  return worker.query(sql`
    select distinct on (master_key_of(sealed_secret)) master_key_of(sealed_secret) as master_key, endpoint_id, sealed_secret
    from endpoints order by master_key_of(sealed_secret), endpoint_id`);
}

/**
 * Returns endpoints after `after` with a value sealed under one of these master keys, locked until the transaction
 * ends. Skips rows that another transaction has locked, because a transaction that never waits cannot be part of a
 * deadlock.
 */
export function lockSealedRows(
  tx: Transaction,
  masterKeys: readonly string[],
  after: string,
  limit: number,
): Promise<SealedRow[]> {
  return tx.query(sql`
    select app_id, endpoint_id, sealed_secret, sealed_previous_secret, sealed_headers from endpoints
    where endpoint_id > ${after} and (master_key_of(sealed_secret) = any(${masterKeys}::text[])
      or master_key_of(sealed_previous_secret) = any(${masterKeys}::text[])
      or master_key_of(sealed_headers) = any(${masterKeys}::text[]))
    order by endpoint_id limit ${limit} for no key update skip locked`);
}

export function updateSealedRow(tx: Transaction, row: SealedRow): void {
  tx.send(sql`
    update endpoints set sealed_secret = ${row.sealed_secret}, sealed_previous_secret = ${row.sealed_previous_secret},
      sealed_headers = ${row.sealed_headers}
    where app_id = ${row.app_id} and endpoint_id = ${row.endpoint_id}`);
}
