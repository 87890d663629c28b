// The approval of an app for production. The Console's server sends it after a reviewer has decided.

import { type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { closed, displayName, named, nullable, oneOf, type Static, Type } from '../../kit/http/schema.ts';

const version = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Counts what was decided of the app: an older word that comes late changes nothing.',
});

export const LiveOrder = named(
  'LiveOrder',
  closed(
    {
      version,
      name: displayName('What the app is called when it is made.'),
      scopes: Type.Array(ScopeSchema, {
        maxItems: 6,
        uniqueItems: true,
        description: 'What it is approved for, whatever its keys hold.',
      }),
      maxServers: nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'On so many servers at most; null for any number.',
        }),
      ),
      standing: oneOf(
        ['active', 'suspended', 'revoked'],
        'Anything but active stops all of it; revoked ends its keys.',
      ),
    },
    { description: 'What an app may do in production from now on.' },
  ),
);
export type LiveOrder = Static<typeof LiveOrder>;

export const HeardLiveOrder = named(
  'HeardLiveOrder',
  closed({ version }, { description: 'Which word was heard last.' }),
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
