// The approval of an app for production. The Console's server sends it after a reviewer has decided.

import { type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { closed, displayName, named, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

const version = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number of the decision about the app. An older version changes nothing.',
});

export const LiveOrder = named(
  'LiveOrder',
  closed(
    {
      version,
      name: displayName('Name of the app at its creation.'),
      scopes: Type.Array(ScopeSchema, {
        maxItems: 6,
        uniqueItems: true,
        description: 'Approved scopes. They limit the scopes of all keys of the app.',
      }),
      maxServers: nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Maximum number of servers; null for no limit.',
        }),
      ),
      standing: oneOf(
        ['active', 'suspended', 'revoked'],
        '`suspended` and `revoked` refuse all calls and stop all deliveries. `revoked` also revokes the keys.',
      ),
    },
    { description: 'The approval of an app for production.' },
  ),
);
export type LiveOrder = Static<typeof LiveOrder>;

export const HeardLiveOrder = named(
  'HeardLiveOrder',
  closed({ version }, { description: 'The newest version that the environment has applied.' }),
);

/** The approval of an app in this environment. */
export interface ApprovedRow {
  app_id: string;
  live_version: number;
  live_standing: LiveOrder['standing'];
  approved_scopes: Scope[];
}

export const exampleOrder: LiveOrder = {
  version: 2,
  name: 'Ticket bridge',
  scopes: ['servers:read'],
  maxServers: 25,
  standing: 'active',
};
