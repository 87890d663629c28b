// A server: a community on a chat platform with the installation of this app. In the sandbox, servers are synthetic.

import { type GrantState, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { count, dateTime, idSchema, namedObject, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';

export const GrantStateSchema = oneOf(
  ['authorised', 'paused', 'revoked'],
  '`authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final.',
);

export const ScopeGrant = namedObject('ScopeGrant', 'The grant of one scope by a server.', {
  scope: ScopeSchema,
  state: GrantStateSchema,
});

export const ServerId = idSchema('srv', 'The identifier of the server.');

export const Server = namedObject('Server', 'A community on a chat platform.', {
  id: ServerId,
  name: text('The display name.', { maxLength: 100 }),
  slug: text('The name in addresses.', { maxLength: 100 }),
  description: text('The description of the community.', { maxLength: 500 }),
  iconUrl: text('The address of the icon.', { maxLength: 2048 }),
  locale: text('The language (BCP 47).', { maxLength: 35 }),
  timezone: text('The time zone (IANA).', { maxLength: 64 }),
  memberCount: count('The number of members.'),
  createdAt: dateTime('The creation time of the community.'),
  installation: namedObject('ServerInstallation', 'The installation of this app on the server.', {
    id: idSchema('ins', 'The identifier of the installation.'),
    state: GrantStateSchema,
    scopes: Type.Array(ScopeGrant, {
      maxItems: 6,
      description: 'Every scope that the server has granted in this installation.',
    }),
  }),
});
export type Server = Static<typeof Server>;

export interface ServerRow {
  server_id: string;
  name: string;
  slug: string;
  description: string;
  icon_url: string;
  locale: string;
  timezone: string;
  member_count: number;
  created_at: Date;
  installation_id: string;
  installation_state: GrantState;
  scopes: { scope: Scope; state: GrantState }[];
}

export function toServer(row: ServerRow): Server {
  return {
    id: toId('srv', row.server_id),
    name: row.name,
    slug: row.slug,
    description: row.description,
    iconUrl: row.icon_url,
    locale: row.locale,
    timezone: row.timezone,
    memberCount: row.member_count,
    createdAt: row.created_at.toISOString(),
    installation: {
      id: toId('ins', row.installation_id),
      state: row.installation_state,
      scopes: row.scopes,
    },
  };
}

export const exampleServer: Server = {
  id: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  name: 'Harbour Lights',
  slug: 'harbour-lights',
  description: 'Night photographers of the northern ports.',
  iconUrl: 'https://icons.sandbox.invalid/harbour-lights.png',
  locale: 'en-GB',
  timezone: 'Europe/London',
  memberCount: 1842,
  createdAt: '2023-04-11T09:30:00.000Z',
  installation: {
    id: 'ins_01j9z3v8k6e5t8m2n4p6q8r0s3',
    state: 'authorised',
    scopes: [{ scope: 'servers:read', state: 'authorised' }],
  },
};
