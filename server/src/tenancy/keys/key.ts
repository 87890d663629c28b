// A key: a bearer credential of an app with scopes and a fixed expiry. Its text is shown once, in the response that
// creates it.

import {
  AppId,
  addressRanges,
  KeyId,
  OrganisationId,
  SCOPES,
  type Scope,
  ScopeSchema,
  validateAddressRanges,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  displayName,
  idSchema,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { redactKeys } from '../../kit/text/redact.ts';
import { type ScopeUseRow, scopeUseFields, summariseScopeUses } from '../../resources/scope-uses/index.ts';
import { PRESETS, Preset } from './presets.ts';

export const keyParams = strictObject({ organisationId: OrganisationId, appId: AppId, keyId: KeyId });

export const MAX_DAYS = 30;

const name = displayName('The purpose of the key.');
const note = text('Further information about the key, for example its storage or a contact.', {
  minLength: 1,
  maxLength: 500,
});
export const scopes = Type.Array(ScopeSchema, {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'The scopes of the key. Grant only the scopes that it needs.',
});

export const expiresInDays = integer(
  'The number of days until the key expires. The expiry is fixed and cannot be changed.',
  1,
  MAX_DAYS,
);

const allowedCidrs = addressRanges(
  'The address ranges from which the key can be used. Requests from other addresses return `address_not_allowed`. The ranges are fixed, like the scopes.',
);

export const KeyInput = namedObject('KeyInput', 'A key to generate, with either `scopes` or a `preset`.', {
  name,
  note: Type.Optional(note),
  scopes: Type.Optional(scopes),
  preset: Type.Optional(Preset),
  expiresInDays,
  allowedCidrs: Type.Optional(allowedCidrs),
});
export type KeyInput = Static<typeof KeyInput>;

/** Returns the requested scopes, or undefined unless the request contains exactly one of `scopes` and `preset`. */
export function scopesOf({ scopes, preset }: KeyInput): readonly Scope[] | undefined {
  if (preset === undefined) return scopes;
  return scopes === undefined ? PRESETS[preset] : undefined;
}

/** Returns the invalid address ranges, and the lifetime if it exceeds the maximum. */
export function validateLimits(
  { allowedCidrs = [], expiresInDays }: Pick<KeyInput, 'expiresInDays'> & { allowedCidrs?: readonly string[] },
  maxDays: number,
): InvalidPart[] {
  const errors = validateAddressRanges(allowedCidrs, '/allowedCidrs');
  if (expiresInDays > maxDays)
    errors.push({ pointer: '/expiresInDays', detail: `must be at most ${maxDays} in this environment` });
  return errors;
}

export const KeyChange = namedObject(
  'KeyChange',
  'The changes of a key. Missing fields are unchanged, and a null note is removed.',
  { name: Type.Optional(name), note: Type.Optional(nullable(note)) },
);
export type KeyChange = Static<typeof KeyChange>;

/** Rejects a note that contains a key: the note is stored and is shown to every member who may read keys. */
export function validateNote({ note }: KeyChange): InvalidPart[] {
  const isPlain = typeof note !== 'string' || redactKeys(note) === note;
  return isPlain ? [] : [{ pointer: '/note', detail: 'must not contain the secret of a key' }];
}

export const Key = namedObject('Key', 'A key, without its secret.', {
  id: KeyId,
  kid: text("The public half of the key's text, which logs contain.", { minLength: 12, maxLength: 12 }),
  name,
  note: nullable(note),
  scopes,
  allowedCidrs: nullable({
    ...allowedCidrs,
    description: 'The address ranges from which the key can be used; null for any address.',
  }),
  state: oneOf(['active', 'expired', 'revoked'], 'Only an `active` key gives access.'),
  createdBy: text('The person who generated the key.', { maxLength: 320 }),
  createdAt: dateTime('The time of the generation.'),
  expiresAt: dateTime('The time of the expiry.'),
  endsAt: nullable(
    dateTime(
      'The time from which a rotated key is revoked. It cannot be postponed. Null for a key that was not rotated, or that its rotation revoked immediately.',
    ),
  ),
  revokedAt: nullable(dateTime('The time of the revocation.')),
  predecessorId: nullable(idSchema('key', 'The key whose rotation created this key.')),
  successorId: nullable(idSchema('key', 'The key that the rotation of this key created.')),
  lastUsedAt: nullable(
    dateTime(
      'The time of the last use, delayed by some seconds. A call that is rejected for the key’s rights, for example because the key is revoked, is not a use. Null for a key without a use.',
    ),
  ),
  lastUsedFrom: nullable(
    text(
      'The client address of the last request that sent the key itself and was not rejected, stored for as many days as the requests of the environment. A call that a person makes by the key’s id does not change it.',
      { maxLength: 64 },
    ),
  ),
  ...scopeUseFields,
});
export type Key = Static<typeof Key>;

export const token = text('The complete key. It is shown only in this response.', { minLength: 60, maxLength: 60 });

export const CreatedKey = namedObject('CreatedKey', 'A new key with its secret.', { key: Key, token });

export interface KeyRow extends ScopeUseRow {
  key_id: string;
  kid: string;
  name: string;
  note: string | null;
  scopes: Scope[];
  allowed_cidrs: string[] | null;
  state: 'active' | 'revoked';
  is_expired: boolean;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  ends_at: Date | null;
  revoked_at: Date | null;
  predecessor_id: string | null;
  successor_id: string | null;
  last_used_at: Date | null;
  last_used_from: string | null;
}

export function toKey(row: KeyRow): Key {
  return {
    id: toId('key', row.key_id),
    kid: row.kid,
    name: row.name,
    note: row.note,
    scopes: row.scopes,
    allowedCidrs: row.allowed_cidrs,
    state: row.state === 'revoked' ? 'revoked' : row.is_expired ? 'expired' : 'active',
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    predecessorId: row.predecessor_id && toId('key', row.predecessor_id),
    successorId: row.successor_id && toId('key', row.successor_id),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedFrom: row.last_used_from,
    ...summariseScopeUses(row),
  };
}

export const exampleKey: Key = {
  id: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  kid: '7Qh2mXc04LpA',
  name: 'Staging bridge',
  note: 'In the vault as bridge/staging.',
  scopes: ['servers:read', 'tickets:create'],
  allowedCidrs: null,
  state: 'active',
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  expiresAt: '2026-12-02T10:15:30.000Z',
  endsAt: null,
  revokedAt: null,
  predecessorId: null,
  successorId: null,
  lastUsedAt: '2026-11-02T11:40:02.000Z',
  lastUsedFrom: '203.0.113.7',
  scopeUses: [
    { scope: 'servers:read', uses: 1_204, lastUsedOn: '2026-11-02' },
    { scope: 'tickets:create', uses: 0, lastUsedOn: null },
  ],
  unusedScopes: null,
};
