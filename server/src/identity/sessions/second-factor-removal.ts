// The view that a person has of the removal of their second factor without a code.
import { dateTime, namedObject, nullable, oneOf, type Static } from '../../kit/http/schema.ts';
import type { RemovalRow } from './second-factor-removal-store.ts';

export const SecondFactorRemoval = namedObject(
  'SecondFactorRemoval',
  'The removal of a second factor without a code.',
  {
    state: oneOf(
      ['pending', 'removed'],
      'Pending until `dueAt`, or removed at that time. In both states the person cannot create production keys.',
    ),
    dueAt: dateTime('When the second factor is removed, or was removed.'),
    productionKeysOpenAt: nullable(
      dateTime(
        'When the person can create production keys again. Null until the person has set up a new second factor.',
      ),
    ),
  },
);

export function toRemoval({ due_at, removed_at, closed_until }: RemovalRow): Static<typeof SecondFactorRemoval> {
  const isPending = due_at !== null;
  return {
    state: isPending ? 'pending' : 'removed',
    dueAt: (due_at ?? removed_at ?? new Date(0)).toISOString(), // the table has one of both
    productionKeysOpenAt: isPending ? null : (closed_until?.toISOString() ?? null),
  };
}

export const exampleRemoval: Static<typeof SecondFactorRemoval> = {
  state: 'pending',
  dueAt: '2026-03-03T09:30:00.000Z',
  productionKeysOpenAt: null,
};
