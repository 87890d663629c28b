// The rotation of a key: a successor, and the end of the key itself.
import { closed, named, type Static, Type } from '../../kit/schema.ts';
import { expiresInDays, Key, token } from './key.ts';

export const MAX_OVERLAP_HOURS = 24;

export const Rotation = named(
  'Rotation',
  closed(
    {
      expiresInDays,
      overlapHours: Type.Integer({
        minimum: 0,
        maximum: MAX_OVERLAP_HOURS,
        description: 'For how many hours the old key still works, at most until it expires. 0 revokes it at once.',
      }),
    },
    { description: 'How a key is to be rotated.' },
  ),
);

export const RotatedKey = named(
  'RotatedKey',
  closed({ key: Key, token, predecessor: Key }, { description: 'A successor with its secret, and the key before it.' }),
);

/** Why a key is not rotated, in a sentence; undefined when it may be. */
export function refuseRotation(key: Key): string | undefined {
  if (key.state !== 'active') return `The key is ${key.state}. Generate another one.`;
  return key.endsAt === null ? undefined : 'The key was rotated already.';
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
    predecessorId: predecessor.id,
  };
  return {
    key,
    token: 'slw_test_b4Tz81KqWn0e_EXAMPLEexampleEXAMPLEexampleEXAM000000',
    predecessor: { ...predecessor, endsAt: '2026-11-21T09:00:00.000Z', successorId: key.id },
  };
}
