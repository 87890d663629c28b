// The SQL of a person's e-mail addresses. Keys and other objects name their creator by the address of that time, so earlier
// addresses stay (docs/decisions/0093).
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Returns true if an account has the address now. The identity library stores addresses in lower case. */
export async function isEmailTaken(db: Queryable, email: string): Promise<boolean> {
  return (await db.query(sql`select from "user" where email = ${email}`)).length > 0;
}

/**
 * Changes the address of a person and keeps the previous one as an earlier address. Voids the one-time sign-in links of
 * both. A unique index refuses an address of another account.
 */
export async function updateEmail(tx: Queryable, person: { id: string; email: string }, email: string): Promise<void> {
  await tx.query(sql`
    insert into earlier_emails (person_id, email, until) values (${person.id}, ${person.email}, clock_timestamp())
    on conflict (person_id, email) do update set until = excluded.until`);
  await tx.query(sql`update "user" set email = ${email}, "emailVerified" = true, "updatedAt" = clock_timestamp()
    where id = ${person.id}`);
  await deleteSignInLinks(tx, [person.email, email]);
}

export async function markEmailVerified(tx: Queryable, personId: string): Promise<void> {
  await tx.query(sql`update "user" set "emailVerified" = true where id = ${personId}`);
}

/** Voids one-time sign-in links. The library's row of a link names its address only in this value. */
export async function deleteSignInLinks(db: Queryable, emails: readonly string[]): Promise<void> {
  const values = emails.map((email) => JSON.stringify({ type: 'magic-link', email }));
  await db.query(sql`delete from "verification" where value = any(${values}::text[])`);
}

interface EarlierEmailRow {
  email: string;
  /** Five minutes after the change: an assertion with the address lives 30 s, and the clocks of databases differ. */
  until: Date;
}

/** Returns the addresses that the person had before the current one. */
export function listEarlierEmails(db: Queryable, personId: string): Promise<EarlierEmailRow[]> {
  return db.query(sql`select e.email, e.until + interval '5 minutes' as until
    from earlier_emails e join "user" u on u.id = e.person_id
    where e.person_id = ${personId} and e.email <> u.email order by e.until, e.email`);
}
