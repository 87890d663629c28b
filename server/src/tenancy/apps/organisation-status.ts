// The status of an organisation in this plane, as the Console's server reports it: whether its apps may have access,
// and its quotas.

import type { PlaneOrganisationRow } from '../../access/authority/index.ts';
import {
  count,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
} from '../../kit/http/schema.ts';

const version = integer(
  'Number of the Console’s decision about the organisation. An older version changes nothing.',
  1,
  Number.MAX_SAFE_INTEGER,
);
// Both planes and the Console exchange this field, so it keeps its released name.
const standing = oneOf(
  ['active', 'suspended', 'deleting', 'erasing'],
  'Every status except `active` stops all apps. `erasing` is final.',
);
const maxCount = (what: string) => nullable(integer(`Maximum number of ${what}; null for the default.`, 0, 1_000_000));

export const OrganisationStatusUpdate = namedObject('OrganisationStatusUpdate', 'The new status of an organisation.', {
  version,
  standing,
  quotas: strictObject({
    apps: maxCount('apps'),
    keysPerApp: maxCount('valid keys of an app'),
    endpointsPerApp: maxCount('endpoints of an app'),
    // A Console of an earlier release omits it.
    requestDays: Type.Optional(integer('Retention of request records in days.', 1, 3650)),
  }),
});
export type OrganisationStatusUpdate = Static<typeof OrganisationStatusUpdate>;

export const EnvironmentStatus = namedObject('EnvironmentStatus', 'The status of an organisation.', {
  version,
  standing,
  apps: count('Number of apps, including apps that are being erased.'),
});

export const toEnvironmentStatus = (
  { version, status }: Pick<PlaneOrganisationRow, 'version' | 'status'>,
  apps: number,
): Static<typeof EnvironmentStatus> => ({
  version,
  standing: status,
  apps,
});

export const exampleStatusUpdate: OrganisationStatusUpdate = {
  version: 3,
  standing: 'suspended',
  quotas: { apps: 10, keysPerApp: null, endpointsPerApp: null },
};
export const exampleEnvironmentStatus = toEnvironmentStatus({ version: 3, status: 'suspended' }, 4);
