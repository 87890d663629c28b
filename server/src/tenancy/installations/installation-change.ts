// A change of a grant in the history: the actor, the time, the old and new state, the reason, and the request.

import { type GrantState, SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, idSchema, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { redactKeys } from '../../kit/text/redact.ts';
import { GrantStateSchema, ServerId } from '../../resources/servers/index.ts';

export const Reason = text('The reason, for readers of the history.', { minLength: 1, maxLength: 500 });

/** Returns false if the reason contains a key. The history is permanent and is shown to every member. */
export function isPlainReason(reason: string | undefined): boolean {
  return reason === undefined || redactKeys(reason) === reason;
}

export const InstallationChange = namedObject(
  'InstallationChange',
  'A change of a server’s grants. `from` is null for a new grant. `to` is null if the grant was removed with its server.',
  {
    id: idSchema('ich', 'The identifier of the change.'),
    at: dateTime('The time of the change.'),
    serverId: ServerId,
    serverName: nullable(text("The server's display name; null if the server no longer exists.", { maxLength: 100 })),
    installationId: idSchema('ins', 'The changed installation.'),
    scopes: nullable(
      Type.Array(ScopeSchema, {
        minItems: 1,
        maxItems: SCOPES.length,
        description: 'The changed scopes; null if the installation changed as a whole.',
      }),
    ),
    from: nullable(GrantStateSchema),
    to: nullable(GrantStateSchema),
    changedBy: nullable(
      text('The e-mail address of the member who made the change; null for a change by Slipway.', { maxLength: 320 }),
    ),
    reason: nullable(text('The reason that the member gave.', { maxLength: 500 })),
    requestId: nullable(idSchema('req', 'The request that made the change.')),
  },
);
export type InstallationChange = Static<typeof InstallationChange>;

export interface InstallationChangeRow {
  change_id: string;
  at: Date;
  server_id: string;
  server_name: string | null;
  installation_id: string;
  scopes: Scope[] | null;
  from_state: GrantState | null;
  to_state: GrantState | null;
  actor: string | null;
  reason: string | null;
  request_id: string | null;
}

export function toInstallationChange(row: InstallationChangeRow): InstallationChange {
  return {
    id: toId('ich', row.change_id),
    at: row.at.toISOString(),
    serverId: toId('srv', row.server_id),
    serverName: row.server_name,
    installationId: toId('ins', row.installation_id),
    scopes: row.scopes,
    from: row.from_state,
    to: row.to_state,
    changedBy: row.actor,
    reason: row.reason,
    requestId: row.request_id && toId('req', row.request_id),
  };
}

export const exampleInstallationChange: InstallationChange = {
  id: 'ich_01j9z3v8k6e5t8m2n4p6q8r0sc',
  at: '2026-11-02T10:15:30.000Z',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  serverName: 'Harbour Lights',
  installationId: 'ins_01j9z3v8k6e5t8m2n4p6q8r0s3',
  scopes: ['tickets:create'],
  from: 'authorised',
  to: 'paused',
  changedBy: 'imke@example.org',
  reason: 'The team is away until Monday.',
  requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
};
