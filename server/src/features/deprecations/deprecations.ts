// What of the API is deprecated: announced here, told in every answer that makes use of it, counted per app, explained at
// /deprecations/<id>, and refused with `gone` once its end has passed. A change that breaks the released contract is
// declared here too (docs/house.md).
import type { Deprecation, MigrationPeriod } from '../../kit/deprecation.ts';

export const DEPRECATIONS = {
  'ticket-requester-external-id': {
    id: 'ticket-requester-external-id',
    where: { in: 'body', pointer: '/requester/externalId' },
    title: 'The field `externalId` of a ticket’s requester',
    instead:
      'Send `reference` instead, which means the same: the identifier that the person has in your own system, where they are not external at all. A ticket shows both names until then.',
    announced: '2026-11-21',
    ends: '2027-05-31',
  },
} as const satisfies Record<string, Deprecation>;

export const ALL_DEPRECATIONS: readonly Deprecation[] = Object.values(DEPRECATIONS);

/**
 * What has ended: the breaking changes that may be made to the released contract, each in the words in which
 * `npm run contract -- --check` names it, with the announcement and the end that led to it. Emptied by a release.
 */
export const MIGRATIONS: readonly (MigrationPeriod & { changes: readonly string[] })[] = [];
