// The SQL of waiting servers: they authorised the app when the app had reached its cap on servers, and wait for a free
// place.

import { currentInstallation, type Tenant } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';

/** Lists waiting servers, oldest installation first. */
export async function listWaitingServers(tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await tenant.query<{ server_id: string }>(sql`
    select server_id from (
      select server_id from upstream_installations where app_id = ${tenant.appId} and is_over_cap
      union
      select server_id from installations i where app_id = ${tenant.appId} and is_over_cap and state = 'paused'
        and not exists (select from upstream_installations u
          where u.app_id = i.app_id and u.server_id = i.server_id and u.stated_version = u.version)) waiting
    order by ${currentInstallation(sql`installation_id`, sql`${tenant.appId}`, sql`waiting.server_id`)}, server_id
    limit ${limit}`);
  return rows.map((row) => row.server_id);
}

/**
 * Locks the places of a capped app until the transaction ends, so that only one of two concurrent transactions gets the
 * last place.
 */
export async function lockPlaces(tenant: Tenant): Promise<void> {
  await tenant.query(sql`select from apps
    where app_id = ${tenant.appId} and max_servers is not null for no key update`);
}

/** Returns the number of free places, or null for an app without a cap. */
export async function countFreePlaces(tenant: Tenant): Promise<number | null> {
  const rows = await tenant.query<{ free: number | null }>(sql`
    select (max_servers - taken_places(app_id, null))::int as free from apps where app_id = ${tenant.appId}`);
  return rows[0]?.free ?? null;
}

/**
 * Gives each server a place while places are free. Triggers count the places and apply the organisation's restrictions.
 */
export async function assignPlaces(tenant: Tenant, serverIds: readonly string[]): Promise<void> {
  const given = sql`app_id = ${tenant.appId} and server_id = any(${textArray(serverIds)}::text[]::uuid[]) and is_over_cap`;
  await Promise.all([
    tenant.query(sql`update upstream_installations set is_over_cap = false where ${given}`),
    tenant.query(sql`update installations set state = 'authorised', changed_at = clock_timestamp()
      where ${given} and state = 'paused'`),
  ]);
}
