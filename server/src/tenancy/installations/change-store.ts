// The SQL of the history of grants. Triggers write the history in the transaction of each change, with the reason and
// the actor that this module sets.

import {
  currentScopes,
  type Scope,
  SERVER_NAME,
  type Tenant,
  type TenantTransaction,
} from '../../access/authority/index.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { InstallationChangeRow } from './installation-change.ts';
import type { ChangedGrant } from './scope-change.ts';

/** Lists changes, newest first. For a scope, the list includes changes of its installation as a whole. */
export function listInstallationChangeRows(
  tenant: Tenant,
  { serverId, scope }: { serverId: string | undefined; scope: Scope | undefined },
  before: string | undefined,
  limit: number,
): Promise<InstallationChangeRow[]> {
  const onServer: Sql = serverId === undefined ? sql`` : sql`and c.server_id = ${serverId}`;
  const ofScope: Sql = scope === undefined ? sql`` : sql`and (c.scopes is null or ${scope} = any(c.scopes))`;
  const beyond: Sql = before === undefined ? sql`` : sql`and c.change_id < ${before}`;
  return tenant.query(sql`
    select c.change_id, c.at, c.server_id, ${SERVER_NAME} as server_name, c.installation_id, c.scopes, c.from_state, c.to_state,
      c.actor, c.reason, c.request_id
    from installation_changes c left join servers s on s.app_id = c.app_id and s.server_id = c.server_id
    where c.app_id = ${tenant.appId} ${onServer} ${ofScope} ${beyond}
    order by c.change_id desc limit ${limit}`);
}

/** Sets the reason of the following changes in this transaction. */
export function setReason(tenant: TenantTransaction, reason: string | undefined): void {
  if (reason !== undefined) tenant.send(sql`select set_config('slipway.reason', ${reason}, true)`);
}

/** Marks the following changes in this transaction as automatic: no member requested them. */
export function markChangesAutomatic(tenant: TenantTransaction, reason: string): void {
  tenant.send(sql`select set_config('slipway.actor', '', true), set_config('slipway.reason', ${reason}, true)`);
}

/**
 * Returns each installation that this transaction has changed, with its history rows of this transaction. Change ids
 * are ordered by time, so the primary key limits the rows to read. The margin of minutes covers a clock that is set
 * back.
 */
export function listTransactionChanges(tenant: Tenant): Promise<ChangedGrant[]> {
  return tenant.query(sql`
    with changed as (
      select c.server_id, c.installation_id,
        json_agg(json_build_object('scopes', c.scopes, 'from', c.from_state, 'to', c.to_state) order by c.change_id) as changes
      from installation_changes c
      where c.app_id = ${tenant.appId} and c.xmin = pg_current_xact_id()::xid and c.change_id > (
        lpad(to_hex((extract(epoch from transaction_timestamp() - interval '5 minutes') * 1000)::bigint), 12, '0')
          || '7' || repeat('0', 19))::uuid
      group by c.server_id, c.installation_id)
    select changed.server_id, changed.installation_id, changed.changes, i.event_sequence, i.state,
      ${currentScopes(sql`${tenant.appId}`, sql`changed.installation_id`)} as scopes
    from changed
    left join installations i on i.app_id = ${tenant.appId} and i.installation_id = changed.installation_id
    order by changed.server_id, changed.installation_id`);
}

/** Adds the number of events that the transaction writes to each installation. */
export function countEvents(
  tenant: TenantTransaction,
  counted: readonly { installationId: string; last: number }[],
): void {
  tenant.send(sql`update installations i set event_sequence = counted.last
    from unnest(${textArray(counted.map((one) => one.installationId))}::text[],
      ${textArray(counted.map((one) => String(one.last)))}::text[]::int[]) as counted (installation_id, last)
    where i.app_id = ${tenant.appId} and i.installation_id = counted.installation_id::uuid`);
}

/** Returns the number of the last event of each installation on these servers that is not revoked. */
export async function listEventSequences(tenant: Tenant, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tenant.query<{ installation_id: string; event_sequence: number }>(sql`
    select installation_id, event_sequence from installations
    where app_id = ${tenant.appId} and server_id = any(${textArray(serverIds)}::text[]::uuid[]) and state <> 'revoked'`);
  return new Map(rows.map((row) => [row.installation_id, row.event_sequence]));
}
