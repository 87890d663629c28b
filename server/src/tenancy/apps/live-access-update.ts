// The approval of an app for production. The Console's server sends it after a reviewer has decided.

import { type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { displayName, namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

const version = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number of the decision about the app. An older version changes nothing.',
});

export const LiveAccessUpdate = namedObject('LiveOrder', 'The approval of an app for production.', {
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
});
export type LiveAccessUpdate = Static<typeof LiveAccessUpdate>;

export const LiveAccessUpdateReceipt = namedObject(
  'HeardLiveOrder',
  'The newest version that the environment has applied.',
  { version },
);

/** The approval of an app in this environment. */
export interface ApprovedAppRow {
  app_id: string;
  live_version: number;
  live_standing: LiveAccessUpdate['standing'];
  approved_scopes: Scope[];
}

export const exampleLiveAccessUpdate: LiveAccessUpdate = {
  version: 2,
  name: 'Ticket bridge',
  scopes: ['servers:read'],
  maxServers: 25,
  standing: 'active',
};
