// A server with the installation of this app. In the sandbox, servers are synthetic.

import { type GrantState, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { servers } from '../../access/contracts/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { idSchema, namedObject, oneOf, type Static, Type } from '../../kit/http/schema.ts';
import { objectReader, type RowOf } from '../objects/index.ts';

export const GrantStateSchema = oneOf(
  ['authorised', 'paused', 'revoked'],
  '`authorised` grants access. `paused` withholds access until it is resumed. `revoked` is final.',
);

export const ScopeGrant = namedObject('ScopeGrant', 'The grant of one scope by a server.', {
  scope: ScopeSchema,
  state: GrantStateSchema,
});

export const ServerId = servers.id;

export const Server = namedObject('Server', servers.description, {
  ...servers.schema.properties,
  installation: namedObject('ServerInstallation', 'The installation of this app on the server.', {
    id: idSchema('ins', 'The identifier of the installation.'),
    state: GrantStateSchema,
    scopes: Type.Array(ScopeGrant, {
      maxItems: SCOPES.length,
      description: 'Every scope that the server has granted in this installation.',
    }),
  }),
});
export type Server = Static<typeof Server>;

export interface ServerRow extends RowOf<typeof servers> {
  installation_id: string;
  installation_state: GrantState;
  scopes: { scope: Scope; state: GrantState }[];
}

const toDeclared: (row: ServerRow) => typeof servers.example = objectReader(servers);

export function toServer(row: ServerRow): Server {
  return {
    ...toDeclared(row),
    installation: {
      id: toId('ins', row.installation_id),
      state: row.installation_state,
      scopes: row.scopes,
    },
  };
}

export const exampleServer: Server = {
  ...servers.example,
  installation: {
    id: 'ins_01j9z3v8k6e5t8m2n4p6q8r0s3',
    state: 'authorised',
    scopes: [{ scope: 'servers:read', state: 'authorised' }],
  },
};
