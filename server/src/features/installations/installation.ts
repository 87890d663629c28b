// An installation: what one server allows one app, as a whole and in each scope. Authorised and paused go back and forth;
// revoked is final for its grant, and a new authorisation makes a new one.
import { toId } from '../../kit/ids.ts';
import { closed, idSchema, named, nullable, type Static, Type, text } from '../../kit/schema.ts';
import { AppId, type GrantState, OrganisationId, type Scope, ScopeSchema } from '../authority/index.ts';
import { GrantStateSchema, ScopeGrant, ServerId } from '../servers/index.ts';
import { Reason } from './installation-change.ts';

export const serverParams = closed({ organisationId: OrganisationId, appId: AppId, serverId: ServerId });
export const scopeParams = closed({
  organisationId: OrganisationId,
  appId: AppId,
  serverId: ServerId,
  scope: ScopeSchema,
});

export const NewGrantState = named(
  'NewGrantState',
  closed(
    { state: GrantStateSchema, reason: Type.Optional(Reason) },
    { description: 'The state that the grant shall have, and why.' },
  ),
);

export const Installation = named(
  'Installation',
  closed(
    {
      serverId: ServerId,
      serverName: text("The server's display name.", { maxLength: 100 }),
      installation: nullable(
        named(
          'Grant',
          closed(
            {
              id: idSchema('ins', "The installation's identifier."),
              state: GrantStateSchema,
              scopes: Type.Array(ScopeGrant, { maxItems: 6, description: 'Each scope that was ever granted.' }),
            },
            { description: 'The latest installation on the server.' },
          ),
        ),
      ),
      isOverCap: Type.Boolean({
        description:
          'In production: whether it is paused because the app has as many servers already as it is approved for. It goes on when there is room, without anybody doing anything.',
      }),
    },
    { description: 'A server and what it allows the app; the installation is null where the app never was.' },
  ),
);
export type Installation = Static<typeof Installation>;

export interface InstallationRow {
  server_id: string;
  server_name: string;
  installation_id: string | null;
  state: GrantState | null;
  is_over_cap: boolean | null;
  scopes: { scope: Scope; state: GrantState }[];
}

export function toInstallation(row: InstallationRow): Installation {
  const { installation_id: id, state, scopes } = row;
  return {
    serverId: toId('srv', row.server_id),
    serverName: row.server_name,
    installation: id === null || state === null ? null : { id: toId('ins', id), state, scopes },
    isOverCap: row.is_over_cap ?? false,
  };
}

/** What a wished state means for a grant in its present state. A revoked grant never changes again. */
export function planGrant(current: GrantState | undefined, wanted: GrantState): 'make' | 'change' | 'keep' | 'refuse' {
  if (current === wanted) return 'keep';
  if (current === undefined || current === 'revoked') return wanted === 'authorised' ? 'make' : 'refuse';
  return 'change';
}

export const exampleInstallation: Installation = {
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  serverName: 'Harbour Lights',
  installation: {
    id: 'ins_01j9z3v8k6e5t8m2n4p6q8r0s3',
    state: 'authorised',
    scopes: [
      { scope: 'servers:read', state: 'authorised' },
      { scope: 'tickets:create', state: 'paused' },
    ],
  },
  isOverCap: false,
};
