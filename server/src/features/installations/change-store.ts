// The SQL of the history of grants, which triggers write in the transaction of each change, and of what they are told.
import { type Sql, sql } from '../../kit/sql.ts';
import type { Scope, Tenant, TenantTransaction } from '../authority/index.ts';
import type { InstallationChangeRow } from './installation-change.ts';

export interface ChangeFilter {
  serverId: string | undefined;
  scope: Scope | undefined;
}

/** Newest first; of a scope also what befell its installation as a whole. */
export function listInstallationChangeRows(
  tenant: Tenant,
  { serverId, scope }: ChangeFilter,
  before: string | undefined,
  limit: number,
): Promise<InstallationChangeRow[]> {
  const onServer: Sql = serverId === undefined ? sql`` : sql`and c.server_id = ${serverId}`;
  const ofScope: Sql = scope === undefined ? sql`` : sql`and (c.scopes is null or ${scope} = any(c.scopes))`;
  const beyond: Sql = before === undefined ? sql`` : sql`and c.change_id < ${before}`;
  return tenant.query(sql`
    select c.change_id, c.at, c.server_id, s.name as server_name, c.installation_id, c.scopes, c.from_state, c.to_state,
      c.actor, c.reason, c.request_id
    from installation_changes c left join servers s on s.app_id = c.app_id and s.server_id = c.server_id
    where c.app_id = ${tenant.appId} ${onServer} ${ofScope} ${beyond}
    order by c.change_id desc limit ${limit}`);
}

/** Why what this transaction changes from here on is changed. */
export function setReason(tenant: TenantTransaction, reason: string | undefined): void {
  if (reason !== undefined) tenant.send(sql`select set_config('slipway.reason', ${reason}, true)`);
}

/** What this transaction changes from here on is not what somebody chose: it follows from something else. */
export function setAutomatic(tenant: TenantTransaction, reason: string): void {
  tenant.send(sql`select set_config('slipway.actor', '', true), set_config('slipway.reason', ${reason}, true)`);
}
