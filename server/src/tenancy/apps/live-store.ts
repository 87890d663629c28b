// The SQL of what an app is approved for.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { ApprovedRow, LiveOrder } from './live-order.ts';

const COLUMNS = sql`app_id, live_version, live_standing, approved_scopes`;

/** The app as it was, held until the transaction ends. Undefined when there is none. */
export async function holdApproved(tenant: Tenant): Promise<ApprovedRow | undefined> {
  const rows = await tenant.query<ApprovedRow>(
    sql`select ${COLUMNS} from apps where app_id = ${tenant.appId} for no key update`,
  );
  return rows[0];
}

/** An app that has nothing until it is told what. False when there is one of this identifier, whosever it is. */
export async function insertApprovedApp(
  tx: Queryable,
  app: { appId: string; organisationId: string; name: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into apps (app_id, organisation_id, name, created_by, approved_scopes, live_standing)
    values (${app.appId}, ${app.organisationId}, ${app.name}, 'Slipway Console', '{}', 'suspended')
    on conflict do nothing returning app_id`);
  return rows.length === 1;
}

/** Waits for the app's mutations that are under way (a trigger sees to that), and they for it. */
export async function updateApproved(tenant: Tenant, order: LiveOrder): Promise<void> {
  await tenant.query(sql`update apps set live_version = ${order.version}, live_standing = ${order.standing},
      approved_scopes = ${order.scopes}::text[], max_servers = ${order.maxServers}
    where app_id = ${tenant.appId}`);
}
