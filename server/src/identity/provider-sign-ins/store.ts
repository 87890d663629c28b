// The SQL of sign-ins in progress at the identity provider.
import { createHash } from 'node:crypto';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { OidcAttempt } from '../../kit/outbound/oidc.ts';

const hashOf = (state: string): Buffer => createHash('sha256').update(state).digest();

/** Stores a sign-in attempt. `personId` is the signed-in person who links the provider, or null. */
export async function insertAttempt(
  db: Queryable,
  { state, nonce, codeVerifier }: OidcAttempt,
  personId: string | null,
): Promise<void> {
  // Each insert deletes more than one expired row, so that the table cannot grow.
  const where = sql`expires_at < statement_timestamp()`;
  await deleteSome(db, { from: sql`provider_sign_ins`, where, by: sql`expires_at`, limit: 100 });
  await db.query(sql`insert into provider_sign_ins (state_hash, nonce, code_verifier, person_id, expires_at)
    values (${hashOf(state)}, ${nonce}, ${codeVerifier}, ${personId}, clock_timestamp() + interval '10 minutes')`);
}

interface StoredSignInAttempt {
  nonce: string;
  codeVerifier: string;
  personId: string | null;
}

/** Consumes the attempt. Returns undefined for a second call. */
export async function consumeAttempt(db: Queryable, state: string): Promise<StoredSignInAttempt | undefined> {
  const rows = await db.query<StoredSignInAttempt & { is_good: boolean }>(
    sql`delete from provider_sign_ins where state_hash = ${hashOf(state)}
      returning nonce, code_verifier as "codeVerifier", person_id as "personId", expires_at > clock_timestamp() as is_good`,
  );
  return rows[0]?.is_good ? rows[0] : undefined;
}
