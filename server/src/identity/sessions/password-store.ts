// The SQL that writes passwords. The identity library only reads them: its own functions use neither the transaction of
// a password reset nor the index that allows one password per person (docs/decisions/0070).
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * Sets the password of the person. With `before`, sets it only if `before` is still the stored hash; null means that
 * there is no password yet. Waits for a concurrent change. Returns false if that change came first.
 */
export async function writePassword(
  db: Queryable,
  personId: string,
  hash: Secret,
  before?: string | null,
): Promise<boolean> {
  const isUnchanged = before === undefined ? sql`true` : sql`account.password is not distinct from ${before}::text`;
  const rows = await db.query(sql`
    insert into account (id, "accountId", "providerId", "userId", password, "updatedAt")
    values (${newUuid()}, ${personId}, 'credential', ${personId}, ${hash.reveal()}, clock_timestamp())
    on conflict ("userId") where "providerId" = 'credential'
      do update set password = excluded.password, "updatedAt" = excluded."updatedAt" where ${isUnchanged}
    returning id`);
  return rows.length === 1;
}
