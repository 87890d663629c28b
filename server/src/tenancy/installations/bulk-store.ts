// The SQL of a change of many grants in one request.

import type { GrantState, Scope, Tenant } from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { InstallationRow } from './installation.ts';
import { INSTALLATION } from './store.ts';

/** Lists servers of the app, newest first. */
export async function listServerIds(tenant: Tenant, after: string | undefined, limit: number): Promise<string[]> {
  const beyond = after === undefined ? sql`` : sql`and server_id < ${after}`;
  const rows = await tenant.query<{ server_id: string }>(sql`
    select server_id from servers where app_id = ${tenant.appId} ${beyond} order by server_id desc limit ${limit}`);
  return rows.map((row) => row.server_id);
}

/** Locks the servers until the transaction ends, in the order of all transactions that lock several servers. */
export async function lockServers(tenant: Tenant, serverIds: readonly string[]): Promise<void> {
  await tenant.query(sql`select from servers
    where app_id = ${tenant.appId} and server_id = any(${textArray(serverIds)}::text[]::uuid[])
    order by server_id for no key update`);
}

/** Returns the servers that exist, with the app's latest installation on each. */
export async function findInstallationRows(
  tenant: Tenant,
  serverIds: readonly string[],
): Promise<Map<string, InstallationRow>> {
  const rows = await tenant.query<InstallationRow>(sql`${INSTALLATION}
    where s.app_id = ${tenant.appId} and s.server_id = any(${textArray(serverIds)}::text[]::uuid[])`);
  return new Map(rows.map((row) => [row.server_id, row]));
}

export async function updateInstallations(
  tenant: Tenant,
  installationIds: readonly string[],
  state: GrantState,
): Promise<void> {
  await tenant.query(sql`update installations set state = ${state}, changed_at = clock_timestamp()
    where app_id = ${tenant.appId} and installation_id = any(${textArray(installationIds)}::text[]::uuid[])`);
}

export interface InstallationScope {
  installationId: string;
  scope: Scope;
}

export async function updateScopes(
  tenant: Tenant,
  cells: readonly InstallationScope[],
  state: GrantState,
): Promise<void> {
  await tenant.query(sql`update installation_scopes g set state = ${state}, changed_at = clock_timestamp()
    from unnest(${textArray(cells.map((cell) => cell.installationId))}::text[],
      ${textArray(cells.map((cell) => cell.scope))}::text[]) as meant (installation_id, scope)
    where g.app_id = ${tenant.appId} and g.installation_id = meant.installation_id::uuid and g.scope = meant.scope
      and g.state <> 'revoked'`);
}
