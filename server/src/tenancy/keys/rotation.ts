// The rotation of a key: creates a successor and sets the end of the key.

import { ReceiptId, type Scope } from '../../access/authority/index.ts';
import { integer, namedObject, nullable, type Static, Type } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { expiresInDays, Key, scopes, token } from './key.ts';

export const MAX_OVERLAP_HOURS = 24;

export const Rotation = namedObject('Rotation', 'The rotation of a key.', {
  expiresInDays,
  overlapHours: integer(
    'The number of hours during which the old key still works, at most until its expiry. 0 revokes it immediately.',
    0,
    MAX_OVERLAP_HOURS,
  ),
  scopes: Type.Optional({
    ...scopes,
    description:
      'The scopes of the successor; all scopes of the key by default. Each must be a scope of the key. A key with endpoints must keep `events:read`.',
  }),
});

export const RotatedKey = namedObject('RotatedKey', 'The successor with its secret, and the rotated key.', {
  key: Key,
  token,
  predecessor: Key,
  receiptId: nullable({
    ...ReceiptId,
    description: 'The receipt of the revocation; null if the rotated key still works for some hours.',
  }),
});

/** Refuses scopes that the successor cannot keep. */
export function validateKeptScopes(
  kept: readonly Scope[],
  old: { scopes: readonly Scope[]; has_endpoints: boolean },
): InvalidPart[] {
  const errors = kept.flatMap((scope, at) =>
    old.scopes.includes(scope) ? [] : [{ pointer: `/scopes/${at}`, detail: 'must be a scope of the key' }],
  );
  if (old.has_endpoints && !kept.includes('events:read'))
    errors.push({ pointer: '/scopes', detail: 'must include events:read, because the key has endpoints' });
  return errors;
}

/** Returns the reason why the key cannot be rotated as a sentence, or undefined if it can be rotated. */
export function explainRotationRefusal(key: Key): string | undefined {
  if (key.state !== 'active') return `The key is ${key.state} and cannot be rotated. Generate a new key.`;
  return key.endsAt === null ? undefined : 'The key has already been rotated. Rotate its successor instead.';
}

export function exampleRotatedKey(predecessor: Key): Static<typeof RotatedKey> {
  const key: Key = {
    ...predecessor,
    id: 'key_01ja4c8v8k6e5t8m2n4p6q8r0s',
    kid: 'b4Tz81KqWn0e',
    createdAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2026-12-20T09:00:00.000Z',
    lastUsedAt: null,
    lastUsedFrom: null,
    scopeUses: predecessor.scopeUses,
    predecessorId: predecessor.id,
  };
  return {
    key,
    token: 'slw_test_b4Tz81KqWn0e_EXAMPLEexampleEXAMPLEexampleEXAM000000',
    predecessor: { ...predecessor, endsAt: '2026-11-21T09:00:00.000Z', successorId: key.id },
    receiptId: null,
  };
}
