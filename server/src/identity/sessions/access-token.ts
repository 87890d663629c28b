// A personal access token: a terminal or a script signs in with it in the name of a member and in one organisation. Its
// text, `slp_<kid>_<secret><crc>`, is shown once, and only its hash is stored.
import { createHash } from 'node:crypto';
import { OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { hasChecksum, newToken, TOKEN_BODY_PATTERN } from '../../kit/crypto/token.ts';
import {
  dateTime,
  displayName,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';

const PREFIX = 'slp_';
const FORM = new RegExp(`^${PREFIX}${TOKEN_BODY_PATTERN}$`);

export const MAX_TOKENS = 20;
export const MAX_DAYS = 365;

export const TokenScope = oneOf(
  ['read', 'write'],
  'The permission of the token within the role of its owner: read only, or read and write.',
);
export type TokenScope = Static<typeof TokenScope>;

export const AccessTokenId = idSchema('pat', "The access token's identifier.");
export const accessTokenParams = strictObject({ organisationId: OrganisationId, accessTokenId: AccessTokenId });

export const TOKEN_DAYS = Type.Integer({
  minimum: 1,
  maximum: MAX_DAYS,
  description: 'The lifetime in days.',
});

export const AccessTokenInput = namedObject('AccessTokenInput', 'An access token to create.', {
  name: displayName('The place where the token is used.'),
  scope: TokenScope,
  expiresInDays: TOKEN_DAYS,
});

export const AccessToken = namedObject('AccessToken', 'A personal access token, without its secret.', {
  id: AccessTokenId,
  kid: text('The public part of the token.', { minLength: 12, maxLength: 12 }),
  name: displayName('The place where the token is used.'),
  scope: TokenScope,
  state: oneOf(['active', 'expired'], 'Only an active token gives access.'),
  owner: text('The e-mail address of the owner, in whose name the token acts.', { maxLength: 320 }),
  createdAt: dateTime('When the token was created.'),
  expiresAt: dateTime('When the token expires.'),
  lastUsedAt: nullable(dateTime('When the token was last used, to the minute. Null if it was never used.')),
  lastUsedFrom: nullable(text('The client address of the last use.', { maxLength: 64 })),
});
export type AccessToken = Static<typeof AccessToken>;

export const CreatedAccessToken = namedObject('CreatedAccessToken', 'A new access token with its secret.', {
  accessToken: AccessToken,
  token: text('The whole token, shown only in this response.', { minLength: 55, maxLength: 55 }),
});

export type CreatedAccessToken = Static<typeof CreatedAccessToken>;

export interface AccessTokenRow {
  token_id: string;
  organisation_id: string;
  person_id: string;
  kid: string;
  name: string;
  scope: TokenScope;
  is_expired: boolean;
  email: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  last_used_from: string | null;
}

export function toAccessToken(row: AccessTokenRow): AccessToken {
  return {
    id: toId('pat', row.token_id),
    kid: row.kid,
    name: row.name,
    scope: row.scope,
    state: row.is_expired ? 'expired' : 'active',
    owner: row.email,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedFrom: row.last_used_from,
  };
}

export const exampleAccessToken: AccessToken = {
  id: 'pat_01j9z3v8k6e5t8m2n4p6q8r0se',
  kid: '7Qh2mXc04LpA',
  name: 'My laptop',
  scope: 'read',
  state: 'active',
  owner: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  expiresAt: '2026-12-02T10:15:30.000Z',
  lastUsedAt: null,
  lastUsedFrom: null,
};

export const newAccessToken = (): { kid: string; token: string } => newToken(PREFIX);

/** Returns the public part of a well-formed token, or undefined. */
export function readAccessTokenKid(token: string): string | undefined {
  const kid = FORM.exec(token)?.[1];
  return kid !== undefined && hasChecksum(token) ? kid : undefined;
}

/** Returns the stored form of a token: 190 random bits need no salt and no slow hash. */
export function hashAccessToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
