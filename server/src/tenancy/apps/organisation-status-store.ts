// The SQL of an organisation's status and of its effect on the organisation's apps.

import type { OrganisationStatus } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { OrganisationStatusUpdate } from './organisation-status.ts';

export async function updateOrganisation(
  tx: Queryable,
  organisationId: string,
  update: OrganisationStatusUpdate,
): Promise<void> {
  const { version, standing: status, quotas } = update;
  await tx.query(sql`update organisations set version = ${version}, standing = ${status}, max_apps = ${quotas.apps},
    max_keys_per_app = ${quotas.keysPerApp}, max_endpoints_per_app = ${quotas.endpointsPerApp},
    max_request_days = ${quotas.requestDays ?? null}
    where organisation_id = ${organisationId}`);
}

/**
 * Suspends the organisation until the Console reports its status again. Lowers the stored version so that the report
 * applies.
 */
export async function suspendOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`update organisations set standing = 'suspended', version = greatest(version - 1, 0)
    where organisation_id = ${organisationId}`);
}

/**
 * Locks the organisation's apps and returns their ids, including apps whose erasure is in progress. The organisation's
 * row must be locked.
 */
export async function lockApps(tx: Queryable, organisationId: string): Promise<string[]> {
  const rows = await tx.query<{ app_id: string }>(sql`select app_id from apps
    where organisation_id = ${organisationId} order by app_id for no key update`);
  return rows.map((row) => row.app_id);
}

/**
 * Updates the status of each app. An app whose deletion is cancelled is suspended, like an app that was deleted
 * individually.
 */
export async function updateAppStates(
  tx: Queryable,
  organisationId: string,
  status: OrganisationStatus,
): Promise<void> {
  await tx.query(sql`update apps set organisation_standing = ${status},
      state = case when ${status} in ('deleting', 'erasing') then 'suspended' else state end,
      erase_at = case when ${status} = 'erasing' then least(erase_at, clock_timestamp()) else erase_at end
    where organisation_id = ${organisationId} and organisation_standing <> ${status}`);
}

/** Erases the audit log of an organisation whose apps are erased. Keeps the position where the log ended. */
export async function eraseAuditLog(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select erase_audit_chain(${organisationId})`);
}
