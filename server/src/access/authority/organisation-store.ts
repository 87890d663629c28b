// The SQL of an organisation in a plane: its status and its quotas.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

export type OrganisationStatus = 'active' | 'suspended' | 'deleting' | 'erasing';

const STRICTNESS: readonly OrganisationStatus[] = ['active', 'suspended', 'deleting', 'erasing'];

/** Returns true if the first status leaves less access than the second. */
export const isStricter = (one: OrganisationStatus, other: OrganisationStatus): boolean =>
  STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);

export interface Quotas {
  apps: number;
  /** Counts valid keys. */
  keysPerApp: number;
  endpointsPerApp: number;
}

/**
 * Each endpoint receives every event. Without a limit, a single ticket could cause thousands of requests to one
 * address.
 */
const DEFAULT_QUOTAS: Quotas = { apps: 100, keysPerApp: 200, endpointsPerApp: 20 };

export interface PlaneOrganisationRow {
  status: OrganisationStatus;
  version: number;
  max_apps: number | null;
  max_keys_per_app: number | null;
  max_endpoints_per_app: number | null;
}

const COLUMNS = sql`standing as status, version, max_apps, max_keys_per_app, max_endpoints_per_app`;

export function quotasOf(row: PlaneOrganisationRow | undefined): Quotas {
  return {
    apps: row?.max_apps ?? DEFAULT_QUOTAS.apps,
    keysPerApp: row?.max_keys_per_app ?? DEFAULT_QUOTAS.keysPerApp,
    endpointsPerApp: row?.max_endpoints_per_app ?? DEFAULT_QUOTAS.endpointsPerApp,
  };
}

export async function findQuotas(tx: Queryable, organisationId: string): Promise<Quotas> {
  const rows = await tx.query<PlaneOrganisationRow>(
    sql`select ${COLUMNS} from organisations where organisation_id = ${organisationId}`,
  );
  return quotasOf(rows[0]);
}

/**
 * Locks the organisation until the transaction ends, so that registrations of apps and changes of the status run one
 * after the other.
 */
export async function lockOrganisation(tx: Queryable, organisationId: string): Promise<PlaneOrganisationRow> {
  await tx.query(sql`insert into organisations (organisation_id) values (${organisationId}) on conflict do nothing`);
  const rows = await tx.query<PlaneOrganisationRow>(
    sql`select ${COLUMNS} from organisations where organisation_id = ${organisationId} for no key update`,
  );
  return rows[0] as PlaneOrganisationRow; // inserted above if it did not exist
}
