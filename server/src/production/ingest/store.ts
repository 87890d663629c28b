// The SQL of ingest.

import type { GrantState, Scope, Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { NoticedKey } from '../../platform/notices/index.ts';
import { EVENT_KINDS, type EventType } from '../../resources/events/index.ts';

/**
 * Returns the apps whose installation on the server grants the scopes that the event requires, or only the app `only`.
 */
export async function listInstalledApps(
  worker: Queryable,
  { serverId, type }: { serverId: string; type: EventType },
  only: string | undefined,
): Promise<string[]> {
  const { scope } = EVENT_KINDS[type];
  const named = only === undefined ? sql`` : sql`and i.app_id = ${only}`;
  const rows = await worker.query<{ app_id: string }>(sql`
    select distinct i.app_id from installations i join apps a using (app_id)
    where i.server_id = ${serverId} and i.state <> 'revoked' and a.standing <> 'deleting' ${named}
      and exists (select from installation_scopes g where g.app_id = i.app_id and g.installation_id = i.installation_id
        and g.scope = 'events:read' and g.state <> 'revoked')
      and (not a.enforces_event_scopes or ${scope}::text is null or exists (
        select from installation_scopes r where r.app_id = i.app_id and r.installation_id = i.installation_id
          and r.scope = ${scope} and r.state <> 'revoked'))
    order by i.app_id`);
  return rows.map((row) => row.app_id);
}

/**
 * Returns true if the event is new to the app. A concurrent report of the same event waits until the transaction ends.
 */
export async function recordIngestedEvent(tenant: Tenant, sourceHash: Buffer): Promise<boolean> {
  const rows = await tenant.query(sql`insert into ingested_events (app_id, source_hash)
    values (${tenant.appId}, ${sourceHash}) on conflict do nothing returning true`);
  return rows.length === 1;
}

/** Returns the next sequence number of the subject. */
export async function nextSequence(tenant: Tenant, subjectId: string): Promise<number> {
  const rows = await tenant.query<{ last: number }>(sql`insert into subject_sequences as s (app_id, subject_id, last)
    values (${tenant.appId}, ${subjectId}, 1)
    on conflict (app_id, subject_id) do update set last = s.last + 1 returning last`);
  return rows[0]?.last ?? 1;
}

interface InstallationStatement {
  serverId: string;
  name: string;
  version: number;
  state: GrantState;
  scopes: readonly { scope: Scope; state: GrantState }[];
}

/**
 * Stores the server and the statement about it, whole. Returns false, and changes no statement, unless its version is
 * newer.
 */
export async function storeStatement(tenant: Tenant, server: InstallationStatement): Promise<boolean> {
  const scopes = JSON.stringify(Object.fromEntries(server.scopes.map(({ scope, state }) => [scope, state])));
  // The server first, in the order of every other change of its grants, so that no deadlock occurs.
  await tenant.query(sql`
    insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, created_at, member_count)
    values (${tenant.appId}, ${server.serverId}, ${server.name}, '', '', '', '', '', clock_timestamp(), 0)
    on conflict (app_id, server_id) do nothing`);
  await tenant.query(sql`select from servers
    where app_id = ${tenant.appId} and server_id = ${server.serverId} for no key update`);
  const rows = await tenant.query(sql`
    insert into upstream_installations as u (app_id, server_id, version, stated_version, state, scopes)
    values (${tenant.appId}, ${server.serverId}, ${server.version}, ${server.version}, ${server.state}, ${scopes}::jsonb)
    on conflict (app_id, server_id) do update set version = excluded.version, stated_version = excluded.stated_version,
      state = excluded.state, scopes = excluded.scopes
      where u.version < excluded.version
    returning true`);
  if (rows.length === 0) return false;
  await tenant.query(sql`update servers set name = ${server.name}
    where app_id = ${tenant.appId} and server_id = ${server.serverId} and name <> ${server.name}`);
  return true;
}

/** Returns the newest key of the app, which a notice about an installation names; undefined for an app without keys. */
export function findNewestKey(tenant: Tenant): Promise<NoticedKey | undefined> {
  return tenant.first(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from keys k join apps a using (app_id)
    where k.app_id = ${tenant.appId} order by k.created_at desc, k.key_id desc limit 1`);
}
