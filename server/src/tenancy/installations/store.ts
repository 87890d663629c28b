// The SQL of installations and of the scopes in them.

import {
  currentScopes,
  type GrantState,
  INSTALLED_SERVERS,
  SCOPES,
  type Scope,
  SERVER_NAME,
  type Tenant,
} from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { isGrantUnused, TODAY, UNUSED_AFTER_DAYS } from '../../resources/scope-uses/index.ts';
import { stopEpoch } from '../../webhooks/webhooks/index.ts';
import type { InstallationRow } from './installation.ts';

/** Selects server s and the app's latest installation on it. */
export const INSTALLATION: Sql = sql`select s.app_id, s.server_id, ${SERVER_NAME} as server_name, i.installation_id, i.state,
  coalesce(u.is_over_cap, i.is_over_cap) as is_over_cap,
  case when u.state is not null then json_build_object('state', u.state, 'scopes', u.scopes) end as upstream,
  (select coalesce(json_agg(json_build_object('scope', nullif(r.scope, '*'), 'state', r.state, 'at', r.at, 'actor', r.actor,
      'reason', r.reason) order by r.scope), '[]')
    from installation_restrictions r where r.app_id = s.app_id and r.server_id = s.server_id) as restrictions,
  ${currentScopes(sql`i.app_id`, sql`i.installation_id`)} as scopes
  from ${INSTALLED_SERVERS}`;

/**
 * Selects the authorised scopes of installation i that had no use in the last UNUSED_AFTER_DAYS days. Null until the
 * uses of the installation and of each of its scopes have been counted for that long.
 */
const UNUSED_SCOPES: Sql = sql`(
  select case when bool_and(granted_on <= ${TODAY} - ${UNUSED_AFTER_DAYS}::int)
    then coalesce(json_agg(scope order by scope) filter (where is_unused), '[]') end
  from (
    select g.scope, ${isGrantUnused(sql`i.server_id`, sql`g.scope`)} as is_unused,
      greatest((g.created_at at time zone 'utc')::date, (select counts_scopes_since from plane_state)) as granted_on
    from installation_scopes g
    where g.app_id = i.app_id and g.installation_id = i.installation_id and g.state = 'authorised') granted)`;

export function listInstallationRows(
  tenant: Tenant,
  after: string | undefined,
  limit: number,
): Promise<InstallationRow[]> {
  const beyond = after === undefined ? sql`` : sql`and s.server_id < ${after}`;
  return tenant.query(sql`
    select i.*, ${UNUSED_SCOPES} as unused_scopes from (${INSTALLATION}
      where s.app_id = ${tenant.appId} ${beyond} order by s.server_id desc limit ${limit}) i
    order by i.server_id desc`);
}

/** Returns the server and the app's latest installation on it, or undefined if there is no such server. */
export function findInstallationRow(tenant: Tenant, serverId: string): Promise<InstallationRow | undefined> {
  return tenant.first(sql`${INSTALLATION} where s.app_id = ${tenant.appId} and s.server_id = ${serverId}`);
}

/** Returns the same row and locks the server. A concurrent change of the server's grants waits here. */
export async function lockInstallationRow(tenant: Tenant, serverId: string): Promise<InstallationRow | undefined> {
  const [, row] = await Promise.all([
    tenant.query(sql`select from servers
      where app_id = ${tenant.appId} and server_id = ${serverId} for no key update`),
    findInstallationRow(tenant, serverId),
  ]);
  return row;
}

/** Inserts installations with all of the given scopes on servers without an installation or with a revoked one. */
export async function insertInstallations(
  tenant: Tenant,
  serverIds: readonly string[],
  scopes: readonly Scope[],
): Promise<void> {
  const ids = serverIds.map(() => newUuid());
  const grants = ids.flatMap((installationId) => scopes.map((scope) => ({ installationId, scope })));
  await Promise.all([
    tenant.query(sql`insert into installations (app_id, installation_id, server_id)
      select ${tenant.appId}::uuid, id::uuid, server_id::uuid
      from unnest(${textArray(ids)}::text[], ${textArray(serverIds)}::text[]) as made (id, server_id)`),
    insertScopes(tenant, grants),
  ]);
}

/** Inserts grants of scopes that have no grant or a revoked one. */
export async function insertScopes(
  tenant: Tenant,
  grants: readonly { installationId: string; scope: Scope }[],
): Promise<void> {
  await tenant.query(sql`insert into installation_scopes (app_id, grant_id, installation_id, scope, since_epoch)
    select ${tenant.appId}::uuid, grant_id::uuid, id::uuid, scope, ${stopEpoch(tenant)}
    from unnest(${textArray(grants.map(() => newUuid()))}::text[],
      ${textArray(grants.map((grant) => grant.installationId))}::text[],
      ${textArray(grants.map((grant) => grant.scope))}::text[]) as made (grant_id, id, scope)`);
}

/** Grants every scope on the servers of new sandbox data. */
export function authoriseServers(tenant: Tenant, serverIds: readonly string[]): Promise<void> {
  return insertInstallations(tenant, serverIds, SCOPES);
}

/** Finds the newest server whose installation is in this state, among all servers or for one server. */
export async function findServerInState(
  tenant: Tenant,
  state: GrantState,
  serverId: string | undefined,
): Promise<string | undefined> {
  const one = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  const rows = await tenant.query<{ server_id: string }>(sql`select server_id from installations
    where app_id = ${tenant.appId} and state = ${state} ${one} order by server_id desc limit 1`);
  return rows[0]?.server_id;
}
