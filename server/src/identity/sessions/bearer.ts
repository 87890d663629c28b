// Verifies the access token of a request against the database's clock.
import { timingSafeEqual } from 'node:crypto';
import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Incoming } from '../../kit/http/operation.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { hashAccessToken, readAccessTokenKid, type TokenScope } from './access-token.ts';
import { findToken, markUsed } from './access-token-store.ts';
import type { Person } from './identity.ts';

export interface BearerToken {
  /** For example `pat_...`. */
  id: string;
  organisationId: string;
  scope: TokenScope;
  person: Person;
}

const NO_HASH = Buffer.alloc(32);

/**
 * Returns the verified token, or undefined if the request has none. Other credentials, such as those that a proxy adds,
 * are ignored.
 */
export async function authenticateBearer(db: Database, incoming: Incoming): Promise<BearerToken | undefined> {
  const text = /^Bearer +(slp_\S*)$/i.exec(incoming.headers.authorization?.toString() ?? '')?.[1];
  if (text === undefined) return undefined;
  const kid = readAccessTokenKid(text);
  if (kid === undefined) throw invalidTokenProblem();
  const row = await findToken(db, kid);
  // An unknown token is hashed and compared too, so that timing reveals nothing.
  if (!timingSafeEqual(hashAccessToken(text), row?.token_hash ?? NO_HASH) || !row) throw invalidTokenProblem();
  if (row.is_expired) throw invalidTokenProblem('The access token has expired.');
  await markUsed(db, row.token_id, incoming.ip);
  return {
    id: toId('pat', row.token_id),
    organisationId: row.organisation_id,
    scope: row.scope,
    person: { id: row.person_id, email: row.email, name: row.person_name },
  };
}

const invalidTokenProblem = (detail?: string): ProblemError =>
  problem('invalid_access_token', {
    ...(detail !== undefined && { detail }),
    headers: { 'www-authenticate': 'Bearer realm="slipway", error="invalid_token"' },
  });
