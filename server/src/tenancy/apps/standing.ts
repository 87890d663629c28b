// The status of an organisation in this plane, as the Console's server reports it: whether its apps may have access,
// and its quotas.

import type { OrganisationRow } from '../../access/authority/index.ts';
import { closed, named, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

const version = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Counts what the Console decided of the organisation: an older word that comes late changes nothing.',
});
const standing = oneOf(
  ['active', 'suspended', 'deleting', 'erasing'],
  'Anything but active stops all its apps. Erasing cannot be taken back.',
);
const most = (what: string) =>
  nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: `At most so many ${what}; null for the default.` }),
  );

export const StandingOrder = named(
  'StandingOrder',
  closed(
    {
      version,
      standing,
      quotas: closed({
        apps: most('apps'),
        keysPerApp: most('valid keys of an app'),
        endpointsPerApp: most('endpoints of an app'),
        // A Console of an earlier release omits it.
        requestDays: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 3650, description: 'For so many days its requests are kept.' }),
        ),
      }),
    },
    { description: 'How an organisation stands from now on.' },
  ),
);
export type StandingOrder = Static<typeof StandingOrder>;

export const Standing = named(
  'Standing',
  closed(
    {
      version,
      standing,
      apps: Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'How many apps it has, those that are being erased included.',
      }),
    },
    { description: 'How an organisation stands.' },
  ),
);

export const toStanding = (row: OrganisationRow, apps: number): Static<typeof Standing> => ({
  version: row.version,
  standing: row.standing,
  apps,
});

export const exampleOrder: StandingOrder = {
  version: 3,
  standing: 'suspended',
  quotas: { apps: 10, keysPerApp: null, endpointsPerApp: null },
};
export const exampleStanding = toStanding(
  { version: 3, standing: 'suspended', max_apps: 10, max_keys_per_app: null, max_endpoints_per_app: null },
  4,
);
