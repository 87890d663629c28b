// The SQL of relays. A worker inserts and polls them, and a terminal takes and answers them.

import type { Tenant } from '../../../access/authority/index.ts';
import type { Queryable } from '../../../kit/db/db.ts';
import { sql } from '../../../kit/db/sql.ts';
import { stopEpoch } from '../../webhooks/index.ts';
import type { RelayAnswer } from './relay.ts';

interface NewRelay {
  appId: string;
  relayId: string;
  endpointId: string;
  request: Buffer;
  epoch: number;
}

/**
 * Inserts a relay. Also deletes relays of the endpoint that are older than a minute, which dead workers left behind.
 */
export async function insertRelay(worker: Queryable, relay: NewRelay): Promise<void> {
  await worker.query(sql`with old as (
      delete from relays where app_id = ${relay.appId} and endpoint_id = ${relay.endpointId}
        and made_at < clock_timestamp() - interval '1 minute')
    insert into relays (app_id, relay_id, endpoint_id, request, epoch)
    values (${relay.appId}, ${relay.relayId}, ${relay.endpointId}, ${relay.request}, ${relay.epoch})`);
}

export interface RelayState {
  relay_id: string;
  is_taken: boolean;
  answer: RelayAnswer | null;
}

/** Returns the state of each relay. A relay missing from the result was deleted with its endpoint. */
export function listRelayStates(worker: Queryable, relayIds: readonly string[]): Promise<RelayState[]> {
  return worker.query(sql`select relay_id, taken_at is not null as is_taken, answer
    from relays where relay_id = any(${relayIds}::uuid[])`);
}

/** Deletes a relay, so that it can no longer be taken. */
export async function deleteRelay(worker: Queryable, appId: string, relayId: string): Promise<void> {
  await worker.query(sql`delete from relays where app_id = ${appId} and relay_id = ${relayId}`);
}

/**
 * Takes relays, oldest first: those never taken, and those taken more than a second ago that are not in `inFlightIds`.
 * Excludes relays that were allowed before the app's latest stop, because their worker decides about them.
 */
export function takeRelays(
  tenant: Tenant,
  endpointId: string,
  inFlightIds: readonly string[],
  limit: number,
): Promise<{ relay_id: string; request: Buffer }[]> {
  return tenant.query(sql`with chosen as (
      select relay_id from relays where app_id = ${tenant.appId} and endpoint_id = ${endpointId} and answer is null
        and (taken_at is null or taken_at < clock_timestamp() - interval '1 second')
        and relay_id <> all(${inFlightIds}::uuid[]) and epoch = ${stopEpoch(tenant)} and made_at > clock_timestamp() - interval '15 seconds'
      order by relay_id limit ${limit} for update skip locked),
    taken as (
      update relays r set taken_at = clock_timestamp() from chosen
      where r.app_id = ${tenant.appId} and r.relay_id = chosen.relay_id returning r.relay_id, r.request)
    select relay_id, request from taken order by relay_id`);
}

/** Stores the answers to relays of the endpoint. Returns the ids of the relays whose answer came in time. */
export async function recordRelayAnswers(
  tenant: Tenant,
  endpointId: string,
  answers: readonly { relayId: string; answer: RelayAnswer }[],
): Promise<Set<string>> {
  const rows = await tenant.query<{ relay_id: string }>(sql`update relays r set answer = given.answer
    from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as given("relayId" uuid, answer jsonb)
    where r.app_id = ${tenant.appId} and r.relay_id = given."relayId" and r.endpoint_id = ${endpointId}
      and r.taken_at is not null and r.answer is null
    returning r.relay_id`);
  return new Set(rows.map((row) => row.relay_id));
}
