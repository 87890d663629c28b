// The status of an organisation in this plane, as the Console's server reports it: whether its apps may have access,
// and its quotas.

import type { OrganisationRow } from '../../access/authority/index.ts';
import { namedObject, nullable, oneOf, type Static, strictObject, Type } from '../../kit/http/schema.ts';

const version = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number of the Console’s decision about the organisation. An older version changes nothing.',
});
const standing = oneOf(
  ['active', 'suspended', 'deleting', 'erasing'],
  'Every status except `active` stops all apps. `erasing` is final.',
);
const maxCount = (what: string) =>
  nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: `Maximum number of ${what}; null for the default.` }),
  );

export const OrganisationStatusUpdate = namedObject('StandingOrder', 'The new status of an organisation.', {
  version,
  standing,
  quotas: strictObject({
    apps: maxCount('apps'),
    keysPerApp: maxCount('valid keys of an app'),
    endpointsPerApp: maxCount('endpoints of an app'),
    // A Console of an earlier release omits it.
    requestDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Retention of request records in days.' }),
    ),
  }),
});
export type OrganisationStatusUpdate = Static<typeof OrganisationStatusUpdate>;

export const EnvironmentStatus = namedObject('Standing', 'The status of an organisation.', {
  version,
  standing,
  apps: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Number of apps, including apps that are being erased.',
  }),
});

export const toEnvironmentStatus = (row: OrganisationRow, apps: number): Static<typeof EnvironmentStatus> => ({
  version: row.version,
  standing: row.standing,
  apps,
});

export const exampleStatusUpdate: OrganisationStatusUpdate = {
  version: 3,
  standing: 'suspended',
  quotas: { apps: 10, keysPerApp: null, endpointsPerApp: null },
};
export const exampleEnvironmentStatus = toEnvironmentStatus(
  { version: 3, standing: 'suspended', max_apps: 10, max_keys_per_app: null, max_endpoints_per_app: null },
  4,
);
