// The SQL of the audit log. A plane's database and the Console's database have the same tables.

import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { nothing, type Sql, sql } from '../../kit/db/sql.ts';
import { canonicalJson } from '../../kit/text/json.ts';
import type { ActorKind, AuditEntry, ChainedEntry } from './audit-entry.ts';
import type { ChainHead } from './chain.ts';

/**
 * Adds an entry for the change of this transaction, as the last statement before the commit. Transactions of one
 * organisation wait for each other at this statement, and acquire no further lock after it. In a plane, the transaction
 * must have set the organisation.
 */
export function appendAuditEntry(tx: Transaction, entry: AuditEntry): void {
  const { organisationId, appId, actor, action, target, detail, requestId, clientAddress } = entry;
  tx.sendLast(sql`insert into audit_entries (organisation_id, audit_id, app_id, actor_kind, actor_id, actor, action,
      target, detail, request_id, client_address)
    values (${organisationId}, ${newUuid()}, ${appId}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action},
      ${target}, ${canonicalJson(detail)}, ${requestId}, ${clientAddress})`);
}

interface EntryRow {
  organisation_id: string;
  audit_id: string;
  app_id: string | null;
  at: string;
  actor_kind: ActorKind;
  actor_id: string | null;
  actor: string;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  request_id: string | null;
  client_address: string | null;
  sequence: number;
  previous_hash: string | null;
  hash: string;
}

// The time is text, because the hash covers microseconds and a Date has none.
const COLUMNS = sql`organisation_id, audit_id, app_id,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor_kind, actor_id, actor, action, target,
  detail, request_id, client_address, sequence, encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash`;

const toEntry = (row: EntryRow): ChainedEntry => ({
  organisationId: row.organisation_id,
  sequence: row.sequence,
  previousHash: row.previous_hash,
  hash: row.hash,
  auditId: row.audit_id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor },
  action: row.action,
  target: row.target,
  appId: row.app_id,
  detail: row.detail,
  requestId: row.request_id,
  clientAddress: row.client_address,
});

export interface AuditFilter {
  auditId: string | undefined;
  /** The name of the actor. */
  actor: string | undefined;
  action: string | undefined;
  target: string | undefined;
  appId: string | undefined;
  from: Date | undefined;
  /** Exclusive. */
  to: Date | undefined;
}

interface AuditRange {
  /** A sequence, exclusive. The order is newest first, unless `after` is given. */
  before?: number | undefined;
  /** A sequence, exclusive. The order is oldest first. */
  after?: number | undefined;
  filter?: AuditFilter;
  limit: number;
}

export async function listEntries(db: Queryable, organisationId: string, range: AuditRange): Promise<ChainedEntry[]> {
  const { before, after, filter, limit } = range;
  const where = (condition: Sql, value: unknown): Sql => (value === undefined ? nothing : sql`and ${condition}`);
  const rows = await db.query<EntryRow>(sql`select ${COLUMNS} from audit_entries
    where organisation_id = ${organisationId}
      ${where(sql`sequence < ${before}::bigint`, before)} ${where(sql`sequence > ${after}::bigint`, after)}
      ${where(sql`audit_id = ${filter?.auditId}`, filter?.auditId)}
      ${where(sql`actor = ${filter?.actor}`, filter?.actor)} ${where(sql`action = ${filter?.action}`, filter?.action)}
      ${where(sql`target = ${filter?.target}`, filter?.target)} ${where(sql`app_id = ${filter?.appId}`, filter?.appId)}
      ${where(sql`audit_entries.at >= ${filter?.from}`, filter?.from)}
      ${where(sql`audit_entries.at < ${filter?.to}`, filter?.to)}
    order by sequence ${after === undefined ? sql`desc` : sql`asc`} limit ${limit}`);
  return rows.map(toEntry);
}

/** The last entry of a chain, with the organisation of the chain. */
export interface OrganisationChainHead extends ChainHead {
  organisationId: string;
}

/** Returns the newest entry of all chains of the database, which a witness of the database remembers. */
export function findNewestChainHead(db: Queryable): Promise<OrganisationChainHead | undefined> {
  return db.first(sql`select organisation_id as "organisationId", sequence, hash from newest_audit_head()`);
}

/**
 * Returns true if the entry exists, or if its chain was erased with its organisation. In a plane, the transaction must
 * have set the organisation.
 */
export async function hasChainHead(
  db: Queryable,
  { organisationId, sequence, hash }: OrganisationChainHead,
): Promise<boolean> {
  const rows = await db.query(sql`
    select from audit_entries where organisation_id = ${organisationId} and sequence = ${sequence}::bigint
      and hash = decode(${hash}, 'hex')
    union all
    select from audit_heads where organisation_id = ${organisationId} and sequence >= ${sequence}::bigint
      and erased_at is not null`);
  return rows.length > 0;
}

/** Returns the last entry of the chain, or undefined before the first entry. */
export function findChainHead(db: Queryable, organisationId: string): Promise<ChainHead | undefined> {
  return db.first(sql`select sequence, encode(hash, 'hex') as hash from audit_heads
    where organisation_id = ${organisationId}`);
}
