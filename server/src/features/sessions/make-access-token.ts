// The making of an access token, whoever asked for it: in the transaction that holds the organisation.
import type { Transaction } from '../../kit/db.ts';
import { newUuid } from '../../kit/ids.ts';
import { problem } from '../../kit/problems.ts';
import {
  type AccessTokenRow,
  type CreatedAccessToken,
  hashOf,
  MAX_TOKENS,
  newAccessToken,
  type TokenScope,
  toAccessToken,
} from './access-token.ts';
import { countTokens, findTokenRow, insertToken } from './access-token-store.ts';

export async function refuseManyTokens(tx: Transaction, organisationId: string, personId: string): Promise<void> {
  if ((await countTokens(tx, organisationId, personId)) < MAX_TOKENS) return;
  const detail = `A member has at most ${MAX_TOKENS} access tokens in an organisation. Revoke one, or one that has expired.`;
  throw problem('quota_exceeded', { detail });
}

export async function makeAccessToken(
  tx: Transaction,
  wish: { organisationId: string; personId: string; name: string; scope: TokenScope; expiresInDays: number },
): Promise<CreatedAccessToken> {
  const { organisationId, personId } = wish;
  await refuseManyTokens(tx, organisationId, personId);
  const { kid, token } = newAccessToken();
  const tokenId = newUuid();
  await insertToken(tx, { ...wish, tokenId, kid, tokenHash: hashOf(token) });
  const row = (await findTokenRow(tx, organisationId, tokenId)) as AccessTokenRow; // inserted a line above
  return { accessToken: toAccessToken(row), token };
}
