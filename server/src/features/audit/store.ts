// The SQL of the audit log; a plane's database and the Console's have the same tables.
import type { Queryable, Transaction } from '../../kit/db.ts';
import { newUuid } from '../../kit/ids.ts';
import { canonicalJson } from '../../kit/json.ts';
import { sql } from '../../kit/sql.ts';
import type { ActorKind, AuditEntry, ChainedEntry } from './audit-entry.ts';

/**
 * Enters what this transaction does, as the last thing before its commit: entries of one organisation wait for each other,
 * and who has been let through waits for nothing more. In a plane the transaction has named the organisation.
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

// The time as text: a Date has no microseconds, and they are in the hash.
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

/** Oldest first, of those after a sequence. */
export async function listChain(
  tx: Queryable,
  organisationId: string,
  after: number,
  limit: number,
): Promise<ChainedEntry[]> {
  const rows = await tx.query<EntryRow>(sql`select ${COLUMNS} from audit_entries
    where organisation_id = ${organisationId} and sequence > ${after} order by sequence limit ${limit}`);
  return rows.map(toEntry);
}
