// An audit entry as the management API and exports show it: all fields that its hash covers.

import { ACTOR_KINDS, type AuditFilter, type ChainedEntry, type ChainHead } from '../../access/audit/index.ts';
import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { fromId, toId, toUuid } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';

/** The databases with audit entries. Each database has one chain per organisation. */
const CHAINS = ['console', 'sandbox', 'production'] as const;
export type Chain = (typeof CHAINS)[number];

const Sequence = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Position in its chain: 1, 2, 3 and so on, without a gap.',
});
const hash = (description: string) =>
  Type.String({ description, minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$' });

const Action = text('The action.', { maxLength: 64, pattern: '^[a-z_.]+$', examples: ['key.create'] });
const Target = text('The identifier of the target of the action.', {
  maxLength: 320,
  examples: [`key_${'0'.repeat(26)}`],
});
const ActorName = text('Name of the actor; the e-mail address of a person.', {
  maxLength: 320,
  examples: ['imke@example.org'],
});

export const AuditLogEntry = namedObject(
  'AuditEntry',
  'An entry of the audit log: the actor, the action, the target and the position in the chain.',
  {
    id: idSchema('aud', "The entry's identifier."),
    chain: oneOf(CHAINS, 'The log that the entry belongs to. Each log has a chain of its own.'),
    sequence: Sequence,
    at: dateTime('When the action was recorded, with microseconds.'),
    actor: describedObject('The actor.', {
      kind: oneOf(
        ACTOR_KINDS,
        'A person, a personal access token of a person, Slipway itself, or an operator on the server.',
      ),
      id: nullable(text('The identifier of the person or token.', { maxLength: 100 })),
      name: ActorName,
    }),
    action: Action,
    target: Target,
    appId: nullable(AppId),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Further details of the action; never a secret.',
    }),
    requestId: nullable(text('The request that caused the entry.', { maxLength: 64 })),
    clientAddress: nullable(text('The client address of the request.', { maxLength: 64 })),
    previousHash: nullable(hash('The hash of the previous entry; null for the first.')),
    hash: hash('SHA-256 over all other fields, in hexadecimal (docs/decisions/0027).'),
  },
);
export type AuditLogEntry = Static<typeof AuditLogEntry>;

export const AuditHead = namedObject('AuditHead', 'The newest entry of a chain.', {
  sequence: Sequence,
  hash: hash('The hash of the entry.'),
});

/** The first line of a chain in an export. */
export const ExportHead = strictObject({
  slipwayAudit: Type.Literal(1),
  chain: oneOf(CHAINS, 'The log of the chain.'),
  organisationId: OrganisationId,
  head: nullable(AuditHead),
  /** True if entries were left out; `filter` describes which. */
  isSelection: Type.Boolean(),
  filter: Type.Optional(Type.Object({})),
});
export type ExportHead = Static<typeof ExportHead>;

export function toAuditLogEntry(entry: ChainedEntry, chain: Chain): AuditLogEntry {
  const { auditId, organisationId: _organisation, appId, ...rest } = entry;
  return { id: toId('aud', auditId), chain, ...rest, appId: appId === null ? null : toId('app', appId) };
}

/** Returns the entry in the form that was hashed. Returns undefined if its identifiers are invalid. */
export function toChainedEntry(entry: AuditLogEntry, organisationId: string): ChainedEntry | undefined {
  const { id, chain: _chain, appId, ...rest } = entry;
  const auditId = fromId('aud', id);
  const app = appId === null ? null : fromId('app', appId);
  return auditId === undefined || app === undefined ? undefined : { ...rest, organisationId, auditId, appId: app };
}

/** The filters of a list or an export. */
export const auditFilterQuery = {
  entryId: Type.Optional(idSchema('aud', 'Only the entry with this identifier.')),
  actor: Type.Optional(ActorName),
  action: Type.Optional(Action),
  target: Type.Optional(Target),
  appId: Type.Optional(AppId),
  from: Type.Optional({ ...dateTime('Only entries at or after this time.'), examples: ['2026-01-31T00:00:00Z'] }),
  to: Type.Optional({ ...dateTime('Only entries before this time.'), examples: ['2026-02-01T00:00:00Z'] }),
};
const AuditFilterSchema = strictObject(auditFilterQuery);
export type AuditFilterQuery = Static<typeof AuditFilterSchema>;

export function toAuditFilter(query: AuditFilterQuery): AuditFilter {
  const appId = query.appId === undefined ? undefined : toUuid('app', query.appId);
  const auditId = query.entryId === undefined ? undefined : toUuid('aud', query.entryId);
  const { actor, action, target } = query;
  return {
    auditId,
    actor,
    action,
    target,
    appId,
    from: parseFilterTime('from', query.from),
    to: parseFilterTime('to', query.to),
  };
}

// A leap second matches the pattern, but `Date` does not accept it.
function parseFilterTime(name: string, value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const at = new Date(value);
  if (!Number.isNaN(at.getTime())) return at;
  throw problem('invalid_request', { errors: [{ pointer: `/query/${name}`, detail: 'must be a valid time' }] });
}

export const exampleEntry: AuditLogEntry = {
  id: 'aud_01j9z3v8k6e5t8m2n4p6q8r0s4',
  chain: 'sandbox',
  sequence: 42,
  at: '2026-01-31T09:30:00.123456Z',
  actor: { kind: 'person', id: 'pW4qXo2bU8', name: 'imke@example.org' },
  action: 'key.revoke',
  target: 'key_01j9z3v8k6e5t8m2n4p6q8r0s4',
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5',
  detail: { kid: '7Qh2mXc04LpA' },
  requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0s6',
  clientAddress: '192.0.2.7',
  previousHash: '6b1f0ddc1c9c9b5c4d1b7a8e0f2d3c4b5a69788796a5b4c3d2e1f00112233445',
  hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f06b1f0ddc1c9c9b5c4d1b7a8e01122334',
};
export const exampleHead: ChainHead = { sequence: exampleEntry.sequence, hash: exampleEntry.hash };
