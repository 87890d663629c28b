// An entry of the audit log: the actor, the action, the target, and the position in the chain of the organisation.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kit/text/json.ts';

export const ACTOR_KINDS = ['person', 'token', 'machine', 'operator'] as const;
/** A person at the Console, an access token of a person, Slipway itself, or the operator of the installation. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The actor as the audit log names it. */
interface AuditActor {
  kind: ActorKind;
  id: string | null;
  /** The e-mail address of a person, or the name of a machine. */
  name: string;
}

/** The content of a new entry. The database numbers, dates and hashes the entry. */
export interface AuditEntry {
  organisationId: string;
  appId: string | null;
  actor: AuditActor;
  /** For example `key.create`. */
  action: string;
  /** The identifier of the changed object. */
  target: string;
  /** Contains no secret. */
  detail: Readonly<Record<string, unknown>>;
  requestId: string | null;
  clientAddress: string | null;
}

/** An entry in its chain, with all fields that its hash covers. */
export interface ChainedEntry extends AuditEntry {
  sequence: number;
  /** In hexadecimal; null for the first entry. */
  previousHash: string | null;
  /** In hexadecimal. */
  hash: string;
  auditId: string;
  /** UTC with microseconds, for example `2026-01-31T09:30:00.123456Z`. */
  at: string;
}

const field = (text: string | null): string => (text === null ? '-' : `${Buffer.byteLength(text)}:${text}`);

/**
 * Returns the hash of an entry. The function audit_hash() of the database calculates the same hash by other code, so
 * each of the two verifies the other.
 */
export function hashAuditEntry(entry: ChainedEntry): string {
  const fields = [
    'slipway-audit-1',
    entry.organisationId,
    String(entry.sequence),
    entry.previousHash,
    entry.auditId,
    entry.at,
    entry.actor.kind,
    entry.actor.id,
    entry.actor.name,
    entry.action,
    entry.target,
    entry.appId,
    canonicalJson(entry.detail),
    entry.requestId,
    entry.clientAddress,
  ];
  return createHash('sha256').update(fields.map(field).join('')).digest('hex');
}
