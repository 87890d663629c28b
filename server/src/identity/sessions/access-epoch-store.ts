// The SQL of the access epoch, which counts how often the sessions of a person were ended (docs/decisions/0070).
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

export interface AccessEpoch {
  personId: string;
  epoch: number;
}

export type PersonReference = { personId: string } | { email: string };

export function findAccessEpoch(db: Queryable, of: PersonReference): Promise<AccessEpoch | undefined> {
  const which = 'email' in of ? sql`email = ${of.email.toLowerCase()}` : sql`id = ${of.personId}`;
  return db.first(sql`select id as "personId", "accessEpoch" as epoch from "user" where ${which}`);
}

/** Returns true if the epoch is unchanged. Waits for a transaction that ends the sessions of the person. */
export async function isCurrentAccessEpoch(db: Queryable, { personId, epoch }: AccessEpoch): Promise<boolean> {
  const rows = await db.query(sql`select from "user" where id = ${personId} and "accessEpoch" = ${epoch} for share`);
  return rows.length === 1;
}

/**
 * Waits for other changes of the person's sessions, password and address, and blocks further ones until the transaction
 * ends. Returns the current address.
 */
export async function lockPerson(tx: Queryable, personId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ email: string }>(
    sql`select email from "user" where id = ${personId} for no key update`,
  );
  return row?.email;
}

/**
 * Ends the sessions of a person, except the kept one, the sign-ins that wait for a second factor, and a change of the
 * address that waits for its confirmation. The epoch is raised first, so that no sign-in that began before opens a
 * session after the deletion.
 */
export async function endSessionsOf(tx: Queryable, personId: string, keptToken?: string): Promise<void> {
  await tx.query(sql`update "user" set "accessEpoch" = "accessEpoch" + 1 where id = ${personId}`);
  await tx.query(sql`delete from "verification" where value = ${personId}`);
  await tx.query(sql`delete from mailed_links where person_id = ${personId} and purpose = 'email_change'`);
  await tx.query(
    sql`delete from "session" where "userId" = ${personId} and token is distinct from ${keptToken ?? null}`,
  );
}
