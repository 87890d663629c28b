// The SQL of an organisation's standing: what it means for each of its apps.

import type { OrganisationStanding } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { StandingOrder } from './standing.ts';

export async function updateOrganisation(tx: Queryable, organisationId: string, order: StandingOrder): Promise<void> {
  const { version, standing, quotas } = order;
  await tx.query(sql`update organisations set version = ${version}, standing = ${standing}, max_apps = ${quotas.apps},
    max_keys_per_app = ${quotas.keysPerApp}, max_endpoints_per_app = ${quotas.endpointsPerApp},
    max_request_days = ${quotas.requestDays ?? null}
    where organisation_id = ${organisationId}`);
}

/** Until the Console reports the status again, whose version is later than the one that is kept. */
export async function suspendOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`update organisations set standing = 'suspended', version = greatest(version - 1, 0)
    where organisation_id = ${organisationId}`);
}

/** Their ids; erased ones are among them until nothing of them is left. The organisation must be held. */
export async function holdApps(tx: Queryable, organisationId: string): Promise<string[]> {
  const rows = await tx.query<{ app_id: string }>(sql`select app_id from apps
    where organisation_id = ${organisationId} order by app_id for no key update`);
  return rows.map((row) => row.app_id);
}

/** What comes back from a deletion is suspended, as an app that was deleted by itself. */
export async function updateStandings(
  tx: Queryable,
  organisationId: string,
  standing: OrganisationStanding,
): Promise<void> {
  await tx.query(sql`update apps set organisation_standing = ${standing},
      state = case when ${standing} in ('deleting', 'erasing') then 'suspended' else state end,
      erase_at = case when ${standing} = 'erasing' then least(erase_at, clock_timestamp()) else erase_at end
    where organisation_id = ${organisationId} and organisation_standing <> ${standing}`);
}

/** When its apps are gone: the log goes too, but for where it ended. */
export async function eraseAuditLog(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select erase_audit_chain(${organisationId})`);
}
