// The SQL of passkeys and of the challenges that their authenticators sign.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** The longest time in which a person can answer a challenge. */
export const CHALLENGE_MINUTES = 5;

/** What a challenge is for. A signature for one purpose is refused for each other. */
export type PasskeyPurpose = 'register' | 'sign_in' | 'verify';

interface ChallengeKey {
  /** SHA-256 of the token of the session or sign-in that requested the challenge. */
  holder: Buffer;
  personId: string;
  purpose: PasskeyPurpose;
}

/** Inserts the challenge. It replaces the unused one of the same holder. Deletes expired challenges of the person. */
export async function insertChallenge(db: Queryable, key: ChallengeKey, hash: Buffer): Promise<void> {
  await db.query(sql`
    with expired as (delete from passkey_challenges
      where person_id = ${key.personId} and holder_hash <> ${key.holder} and expires_at <= clock_timestamp())
    insert into passkey_challenges (holder_hash, person_id, purpose, challenge_hash, expires_at)
    values (${key.holder}, ${key.personId}, ${key.purpose}, ${hash},
      clock_timestamp() + make_interval(mins => ${CHALLENGE_MINUTES}))
    on conflict (holder_hash) do update set person_id = excluded.person_id, purpose = excluded.purpose,
      challenge_hash = excluded.challenge_hash, expires_at = excluded.expires_at`);
}

/**
 * Deletes the challenge and returns its hash, or undefined if there is none, it has expired or it has another purpose.
 * Concurrent calls delete it once. The challenge is used even if the signature is refused afterwards.
 */
export async function takeChallenge(db: Queryable, key: ChallengeKey): Promise<Buffer | undefined> {
  const [row] = await db.query<{ challenge_hash: Buffer; is_valid: boolean }>(sql`
    delete from passkey_challenges where holder_hash = ${key.holder} and person_id = ${key.personId}
    returning challenge_hash, purpose = ${key.purpose} and expires_at > clock_timestamp() as is_valid`);
  return row?.is_valid ? row.challenge_hash : undefined;
}

export interface PasskeyRow {
  passkey_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const COLUMNS = sql`passkey_id, name, created_at, last_used_at`;

/** Returns the passkeys of a person, oldest first: at most MAX_PASSKEYS. */
export function listPasskeyRows(db: Queryable, personId: string): Promise<PasskeyRow[]> {
  return db.query(sql`select ${COLUMNS} from passkeys where person_id = ${personId} order by passkey_id`);
}

export interface CredentialRow {
  credential_id: string;
  transports: string[];
}

/** Returns what a browser needs to find the authenticators of a person. */
export function listCredentials(db: Queryable, personId: string): Promise<CredentialRow[]> {
  return db.query(
    sql`select credential_id, transports from passkeys where person_id = ${personId} order by passkey_id`,
  );
}

/** Returns the key of a credential of this person. Another person's credential is not found. */
export function findPublicKey(
  db: Queryable,
  personId: string,
  credentialId: string,
): Promise<{ public_key: Buffer; signatures: number } | undefined> {
  return db.first(
    sql`select public_key, signatures from passkeys where person_id = ${personId} and credential_id = ${credentialId}`,
  );
}

/**
 * Records a use with the authenticator's counter. Returns false unless the counter is larger than the stored one, or
 * both are 0. Of concurrent uses with one counter the database admits one.
 */
export async function markPasskeyUsed(
  db: Queryable,
  personId: string,
  credentialId: string,
  signatures: number,
): Promise<boolean> {
  const rows = await db.query(sql`update passkeys set signatures = ${signatures}, last_used_at = clock_timestamp()
    where person_id = ${personId} and credential_id = ${credentialId}
      and (signatures < ${signatures} or (signatures = 0 and ${signatures} = 0)) returning passkey_id`);
  return rows.length === 1;
}

export interface NewPasskeyRow {
  passkeyId: string;
  personId: string;
  credentialId: string;
  publicKey: Buffer;
  signatures: number;
  transports: string[];
  name: string;
}

/** Inserts a passkey. Returns undefined if the credential is registered already, by any person. */
export async function insertPasskey(tx: Queryable, row: NewPasskeyRow): Promise<PasskeyRow | undefined> {
  const rows = await tx.query<PasskeyRow>(sql`
    insert into passkeys (passkey_id, person_id, credential_id, public_key, signatures, transports, name)
    values (${row.passkeyId}, ${row.personId}, ${row.credentialId}, ${row.publicKey}, ${row.signatures},
      ${row.transports}::text[], ${row.name})
    on conflict (credential_id) do nothing returning ${COLUMNS}`);
  return rows[0];
}

export async function deletePasskey(tx: Queryable, personId: string, passkeyId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from passkeys where person_id = ${personId} and passkey_id = ${passkeyId} returning passkey_id`,
  );
  return rows.length === 1;
}
