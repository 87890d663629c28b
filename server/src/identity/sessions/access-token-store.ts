// The SQL of access tokens.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { AccessTokenRow, TokenScope } from './access-token.ts';

const COLUMNS = sql`t.token_id, t.organisation_id, t.person_id, t.kid, t.name, t.scope, t.created_at, t.expires_at,
  t.last_used_at, t.last_used_from, t.expires_at <= clock_timestamp() as is_expired, u.email`;
const TOKENS = sql`access_tokens t join "user" u on u.id = t.person_id`;

/** Finds the token of a person with a verified address, who may sign in. */
export function findToken(
  db: Queryable,
  kid: string,
): Promise<(AccessTokenRow & { token_hash: Buffer; person_name: string }) | undefined> {
  return db.first<AccessTokenRow & { token_hash: Buffer; person_name: string }>(
    sql`select ${COLUMNS}, t.token_hash, u.name as person_name from ${TOKENS} where t.kid = ${kid} and u."emailVerified"`,
  );
}

/** Records a use at most once a minute, so that a client that polls does not cause a write for each call. */
export async function markUsed(db: Queryable, tokenId: string, address: string): Promise<void> {
  await db.query(sql`update access_tokens set last_used_at = clock_timestamp(), last_used_from = ${address}
    where token_id = ${tokenId}
      and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`);
}

/** Returns the tokens of one member, or of all members without `personId`. */
export function listTokenRows(
  tx: Queryable,
  organisationId: string,
  personId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<AccessTokenRow[]> {
  const own = personId === undefined ? sql`` : sql`and t.person_id = ${personId}`;
  const beyond = after === undefined ? sql`` : sql`and t.token_id < ${after}`;
  return tx.query(sql`select ${COLUMNS} from ${TOKENS} where t.organisation_id = ${organisationId} ${own} ${beyond}
    order by t.token_id desc limit ${limit}`);
}

export function findTokenRow(
  tx: Queryable,
  organisationId: string,
  tokenId: string,
): Promise<AccessTokenRow | undefined> {
  return tx.first(
    sql`select ${COLUMNS} from ${TOKENS} where t.organisation_id = ${organisationId} and t.token_id = ${tokenId}`,
  );
}

export async function countTokens(tx: Queryable, organisationId: string, personId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*) from access_tokens where organisation_id = ${organisationId} and person_id = ${personId}`,
  );
  return rows[0]?.count ?? 0;
}

interface NewTokenRow {
  tokenId: string;
  organisationId: string;
  personId: string;
  kid: string;
  tokenHash: Buffer;
  name: string;
  scope: TokenScope;
  expiresInDays: number;
}

/** Inserts a token. now() is the start of the transaction, so it is never later than created_at would be. */
export async function insertToken(tx: Queryable, token: NewTokenRow): Promise<void> {
  await tx.query(sql`insert into access_tokens (token_id, organisation_id, person_id, kid, token_hash, name, scope,
      created_at, expires_at)
    values (${token.tokenId}, ${token.organisationId}, ${token.personId}, ${token.kid}, ${token.tokenHash}, ${token.name},
      ${token.scope}, now(), now() + make_interval(days => ${token.expiresInDays}::int))`);
}

export async function deleteToken(tx: Queryable, organisationId: string, tokenId: string): Promise<void> {
  await tx.query(sql`delete from access_tokens where organisation_id = ${organisationId} and token_id = ${tokenId}`);
}
