// Creates an access token for a person in the Console, or for a terminal that the person approved. The transaction must
// hold the lock of the organisation. Each new token is mailed to its owner.

import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Transaction } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import {
  type AccessTokenRow,
  type CreatedAccessToken,
  hashAccessToken,
  MAX_TOKENS,
  newAccessToken,
  type TokenScope,
  toAccessToken,
} from './access-token.ts';
import { countTokens, findTokenRow, insertToken } from './access-token-store.ts';
import { composeNewTokenMail } from './mails.ts';

export async function requireTokenQuota(tx: Transaction, organisationId: string, personId: string): Promise<void> {
  if ((await countTokens(tx, organisationId, personId)) < MAX_TOKENS) return;
  const detail = `A member has at most ${MAX_TOKENS} access tokens in an organisation, including expired ones. Revoke a token first.`;
  throw problem('quota_exceeded', { detail });
}

interface NewToken {
  organisationId: string;
  personId: string;
  name: string;
  scope: TokenScope;
  expiresInDays: number;
}

interface TokenOrigin {
  consoleUrl: string;
  address: string;
  /** True if a terminal receives the token, after a sign-in that the person approved. */
  isTerminal: boolean;
}

export async function issueAccessToken(
  tx: Transaction,
  input: NewToken,
  origin: TokenOrigin,
): Promise<CreatedAccessToken> {
  const { organisationId, personId } = input;
  await requireTokenQuota(tx, organisationId, personId);
  const { kid, token } = newAccessToken();
  const tokenId = newUuid();
  await insertToken(tx, { ...input, tokenId, kid, tokenHash: hashAccessToken(token) });
  const row = (await findTokenRow(tx, organisationId, tokenId)) as AccessTokenRow; // inserted a line above
  const accessToken = toAccessToken(row);
  await queueMail(tx, composeNewTokenMail(accessToken, { ...origin, organisationId: toId('org', organisationId) }));
  return { accessToken, token };
}
