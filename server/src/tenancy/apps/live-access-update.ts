// The approval of an app for production. The Console's server sends it after a reviewer has decided.

import { SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { displayName, integer, namedObject, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

const version = integer(
  'Number of the decision about the app. An older version changes nothing.',
  1,
  Number.MAX_SAFE_INTEGER,
);

export const LiveAccessUpdate = namedObject('LiveOrder', 'The approval of an app for production.', {
  version,
  name: displayName('Name of the app at its creation.'),
  scopes: Type.Array(ScopeSchema, {
    maxItems: SCOPES.length,
    uniqueItems: true,
    description: 'Approved scopes. They limit the scopes of all keys of the app.',
  }),
  maxServers: nullable(integer('Maximum number of servers; null for no limit.', 1, 1_000_000)),
  // The Console and production exchange this field, so it keeps its released name.
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
  live_status: LiveAccessUpdate['standing'];
  approved_scopes: Scope[];
}

export const exampleLiveAccessUpdate: LiveAccessUpdate = {
  version: 2,
  name: 'Ticket bridge',
  scopes: ['servers:read'],
  maxServers: 25,
  standing: 'active',
};
