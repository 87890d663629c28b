// The status of an organisation and its deletion: the Console decides, and every environment must confirm.

import { OrganisationId, type OrganisationStatus } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, displayName, namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

export const GRACE_DAYS = 7;

export const OrganisationDeletionInput = namedObject('OrganisationDeletionInput', 'The organisation to delete.', {
  organisationName: displayName('Name of the organisation, as a confirmation.'),
});

export const OrganisationDeletion = namedObject(
  'OrganisationDeletion',
  'The deletion of an organisation, and the environments that have confirmed it.',
  {
    id: OrganisationId,
    eraseAt: nullable(
      dateTime(
        'Time until which the organisation can be restored. All of its data is erased after this time. Null if it is not being deleted.',
      ),
    ),
    environments: Type.Array(
      namedObject('EnvironmentStatus', 'An environment, and its confirmation.', {
        name: oneOf(['sandbox', 'production'], 'Name of the environment.'),
        isConfirmed: Type.Boolean({
          description:
            'True if the environment has confirmed the status of the organisation. For a deletion this means that all apps are stopped there. The Console repeats its report until the environment confirms it.',
        }),
      }),
      { maxItems: 2, description: 'All environments.' },
    ),
  },
);

export interface OrganisationStatusRow {
  organisation_id: string;
  name: string;
  delete_at: Date | null;
  erasing_since: Date | null;
  version: number;
  is_suspended: boolean;
  quotas: { apps?: number; keysPerApp?: number; endpointsPerApp?: number; requestDays?: number };
}

export interface StatusReceiptRow {
  environment: 'sandbox' | 'production';
  version: number;
  apps: number;
}

/** Returns the status and the quotas in the form that planes receive. */
export function toOrganisationStatusUpdate(row: OrganisationStatusRow) {
  // A plane of an older version, which does not know this quota, must not refuse the others.
  const { apps = null, keysPerApp = null, endpointsPerApp = null, requestDays } = row.quotas;
  const quotas = { apps, keysPerApp, endpointsPerApp, ...(requestDays !== undefined && { requestDays }) };
  return { version: row.version, standing: statusOf(row), quotas };
}

export function statusOf(row: OrganisationStatusRow): OrganisationStatus {
  if (row.erasing_since) return 'erasing';
  if (row.delete_at) return 'deleting';
  return row.is_suspended ? 'suspended' : 'active';
}

export function toDeletion(
  row: OrganisationStatusRow,
  environments: readonly { name: StatusReceiptRow['environment'] }[],
  receipts: readonly StatusReceiptRow[],
): Static<typeof OrganisationDeletion> {
  const hasConfirmed = (name: string): boolean =>
    receipts.some((receipt) => receipt.environment === name && receipt.version === row.version);
  return {
    id: toId('org', row.organisation_id),
    eraseAt: row.delete_at?.toISOString() ?? null,
    // Version 0 has nothing to report.
    environments: environments.map(({ name }) => ({ name, isConfirmed: row.version === 0 || hasConfirmed(name) })),
  };
}

export const exampleDeletion: Static<typeof OrganisationDeletion> = {
  id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6',
  eraseAt: '2026-11-10T09:00:00.000Z',
  environments: [{ name: 'sandbox', isConfirmed: true }],
};
