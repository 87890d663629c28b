// An installation: the grants of one server to one app, as a whole and per scope. Authorised and paused are reversible.
// Revoked is final for a grant, and a new authorisation creates a new grant.

import {
  AppId,
  type GrantState,
  OrganisationId,
  ReceiptId,
  SCOPES,
  type Scope,
  ScopeSchema,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { GrantStateSchema, ScopeGrant, ServerId } from '../../resources/servers/index.ts';
import { Reason } from './installation-change.ts';

export const serverParams = strictObject({ organisationId: OrganisationId, appId: AppId, serverId: ServerId });
export const scopeParams = strictObject({
  organisationId: OrganisationId,
  appId: AppId,
  serverId: ServerId,
  scope: ScopeSchema,
});

export const NewGrantState = namedObject('NewGrantState', 'The new state of a grant, and the reason.', {
  state: GrantStateSchema,
  reason: Type.Optional(Reason),
});
export type NewGrantState = Static<typeof NewGrantState>;

const Restriction = namedObject(
  'InstallationRestriction',
  'A restriction by the organisation. The scope is null for the server as a whole.',
  {
    scope: nullable(ScopeSchema),
    state: oneOf(['paused', 'revoked'], 'The strictest state that the restriction allows.'),
    since: dateTime('The time of the restriction.'),
    restrictedBy: nullable(text('The e-mail address of the member who made the restriction.', { maxLength: 320 })),
    reason: nullable(text('The reason that the member gave.', { maxLength: 500 })),
  },
);

const UpstreamStatement = namedObject('UpstreamStatement', 'The last statement of the upstream API.', {
  state: GrantStateSchema,
  scopes: Type.Array(ScopeGrant, {
    maxItems: SCOPES.length,
    description: 'The state of each scope. A scope that is left out is revoked.',
  }),
});

export const Installation = namedObject(
  'Installation',
  'A server and its grants to the app. The installation is null if the app was never installed on the server.',
  {
    serverId: ServerId,
    serverName: text("The server's display name.", { maxLength: 100 }),
    installation: nullable(
      namedObject('Grant', 'The latest installation on the server.', {
        id: idSchema('ins', 'The identifier of the installation.'),
        state: GrantStateSchema,
        scopes: Type.Array(ScopeGrant, {
          maxItems: SCOPES.length,
          description: 'Every scope that the server has granted in this installation.',
        }),
      }),
    ),
    upstream: nullable({
      ...UpstreamStatement,
      description:
        'The last statement of the upstream API, in production. Null in the sandbox, and if no complete statement is stored.',
    }),
    restrictions: Type.Array(Restriction, {
      maxItems: 7,
      description:
        'The restrictions by the organisation, in production. The effective state of each grant is the strictest of statement, cap and restriction.',
    }),
    isOverCap: Type.Boolean({
      description:
        'True if the installation is paused because the app has reached its approved number of servers, in production. When a place becomes free, the waiting server with the oldest installation gets it without another statement.',
    }),
    unusedScopes: nullable(
      Type.Array(ScopeSchema, {
        maxItems: SCOPES.length,
        description:
          'The authorised scopes that neither a request nor a delivery used on this server in the last 30 days. A list without a server uses the scope on every server. Null until uses have been counted for 30 days, and in the response to a change.',
      }),
    ),
  },
);
export type Installation = Static<typeof Installation>;

export const ChangedInstallation = namedObject(
  'ChangedInstallation',
  'A server and its grants to the app after a change, and the receipt of a revocation.',
  {
    ...Installation.properties,
    receiptId: nullable({
      ...ReceiptId,
      description: 'The receipt of the revoked grants; null if the change revoked none.',
    }),
  },
);

export interface InstallationRow {
  app_id: string;
  server_id: string;
  server_name: string;
  installation_id: string | null;
  state: GrantState | null;
  is_over_cap: boolean | null;
  scopes: { scope: Scope; state: GrantState }[];
  /** The last statement of the upstream API, or null if none is known. */
  upstream: { state: GrantState; scopes: Partial<Record<Scope, GrantState>> } | null;
  restrictions: RestrictionRow[];
  /** Only lists read it. */
  unused_scopes?: Scope[] | null;
}

/** The row in the JSON that Postgres returns. */
export interface RestrictionRow {
  /** Null means the server as a whole. */
  scope: Scope | null;
  state: 'paused' | 'revoked';
  at: string;
  actor: string | null;
  reason: string | null;
}

export function toInstallation(row: InstallationRow): Installation {
  const { installation_id: id, state, scopes } = row;
  return {
    serverId: toId('srv', row.server_id),
    serverName: row.server_name,
    installation: id === null || state === null ? null : { id: toId('ins', id), state, scopes },
    upstream: row.upstream && {
      state: row.upstream.state,
      scopes: SCOPES.map((scope) => ({ scope, state: row.upstream?.scopes[scope] ?? 'revoked' })),
    },
    restrictions: row.restrictions.map(({ scope, state: left, at, actor, reason }) => ({
      scope,
      state: left,
      since: new Date(at).toISOString(),
      restrictedBy: actor,
      reason,
    })),
    isOverCap: row.is_over_cap ?? false,
    unusedScopes: row.unused_scopes ?? null,
  };
}

/** Returns the step from the current state of a grant to the requested state. A revoked grant never changes. */
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
  upstream: null,
  restrictions: [],
  isOverCap: false,
  unusedScopes: null,
};

export const exampleChange: Static<typeof ChangedInstallation> = { ...exampleInstallation, receiptId: null };
