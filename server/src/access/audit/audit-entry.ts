// An entry of the audit log: who did what to what, and its place in its organisation's chain.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kit/text/json.ts';

export const ACTOR_KINDS = ['person', 'token', 'machine', 'operator'] as const;
/** A person at the Console, a token in their name, Slipway by itself, or whoever operates it. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did it, as the log names them. */
export interface AuditActor {
  kind: ActorKind;
  id: string | null;
  /** A person's e-mail address. */
  name: string;
}

/** What is to be entered; the database numbers, dates and hashes it. */
export interface AuditEntry {
  organisationId: string;
  appId: string | null;
  actor: AuditActor;
  /** As `key.create`. */
  action: string;
  /** The identifier of what it was done to. */
  target: string;
  /** Never a secret. */
  detail: Readonly<Record<string, unknown>>;
  requestId: string | null;
  clientAddress: string | null;
}

/** An entry in its chain, with everything that its hash covers. */
export interface ChainedEntry extends AuditEntry {
  sequence: number;
  /** In hex; null for the first. */
  previousHash: string | null;
  /** In hex. */
  hash: string;
  auditId: string;
  /** UTC with microseconds, as `2026-01-31T09:30:00.123456Z`. */
  at: string;
}

const field = (text: string | null): string => (text === null ? '-' : `${Buffer.byteLength(text)}:${text}`);

/** The same as audit_hash() in the database, by other code: each of the two checks the other. */
export function hashOf(entry: ChainedEntry): string {
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
