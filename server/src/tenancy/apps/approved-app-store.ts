// The SQL of the approval of an app.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { ApprovedAppRow, LiveAccessUpdate } from './live-access-update.ts';

const COLUMNS = sql`app_id, live_version, live_standing as live_status, approved_scopes`;

/**
 * Locks the app until the transaction ends and returns its previous approval. Returns undefined if there is no such
 * app.
 */
export function lockApprovedApp(tenant: Tenant): Promise<ApprovedAppRow | undefined> {
  return tenant.first(sql`select ${COLUMNS} from apps where app_id = ${tenant.appId} for no key update`);
}

/**
 * Inserts an app without approved scopes and with suspended live access. Returns false if an app of any organisation
 * has this identifier.
 */
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

/** Updates the approval. A trigger makes this statement and the app's mutations in progress wait for each other. */
export async function updateApprovedApp(tenant: Tenant, update: LiveAccessUpdate): Promise<void> {
  await tenant.query(sql`update apps set live_version = ${update.version}, live_standing = ${update.standing},
      approved_scopes = ${update.scopes}::text[], max_servers = ${update.maxServers}
    where app_id = ${tenant.appId}`);
}
