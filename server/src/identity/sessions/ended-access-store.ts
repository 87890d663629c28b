// The SQL that ends the access of a person without a session: access tokens and approved sign-ins of terminals.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

interface EndedTokenRow {
  organisation_id: string;
  organisation: string;
  token_id: string;
  kid: string;
  name: string;
  is_expired: boolean;
}

interface EndedDeviceRow {
  organisation_id: string;
  device: string;
}

/**
 * Locks the organisations of a person until the transaction ends, in one order for all callers, and returns them. A
 * token is created under the lock of its organisation, so none appears after the deletion. Reads at most one row per
 * membership.
 */
export async function lockOrganisationsOf(tx: Queryable, personId: string): Promise<string[]> {
  const rows = await tx.query<{ organisation_id: string }>(sql`select organisation_id from organisations
    where organisation_id in (select organisation_id from members where person_id = ${personId})
    order by organisation_id for no key update`);
  return rows.map((row) => row.organisation_id);
}

/** Deletes the tokens of a person in all organisations: at most MAX_TOKENS per membership. */
export function deleteTokensOf(tx: Queryable, personId: string): Promise<EndedTokenRow[]> {
  return tx.query(sql`delete from access_tokens t using organisations o
    where t.person_id = ${personId} and o.organisation_id = t.organisation_id
    returning t.organisation_id, o.name as organisation, t.token_id, t.kid, t.name,
      t.expires_at <= clock_timestamp() as is_expired`);
}

/** Deletes the approvals of a person that no terminal has redeemed yet; each is at most ten minutes old. */
export function deleteDeviceSignInsOf(tx: Queryable, personId: string): Promise<EndedDeviceRow[]> {
  return tx.query(sql`delete from device_sign_ins where person_id = ${personId} returning organisation_id, device`);
}
