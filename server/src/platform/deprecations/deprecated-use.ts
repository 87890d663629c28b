// A deprecated use: an operation or a field that an app still uses and that will end.
import type { Deprecation } from '../../kit/http/deprecation.ts';
import { dateTime, integer, namedObject, type Static, Type, text } from '../../kit/http/schema.ts';

export const DeprecationId = text('Which deprecation.', {
  pattern: '^[a-z0-9-]{1,60}$',
  maxLength: 60,
  examples: ['ticket-requester-external-id'],
});

const day = (description: string) => Type.String({ description, format: 'date', minLength: 10, maxLength: 10 });

/** The number of days over which uses are counted. */
export const COUNTED_DAYS = 30;

export const DeprecatedUse = namedObject('DeprecatedUse', 'A deprecated part of the API that the app still uses.', {
  id: DeprecationId,
  title: text('The deprecated part of the API.', { maxLength: 200 }),
  instead: text('The action that replaces it.', { maxLength: 1000 }),
  pageUrl: Type.String({ description: 'The page about the deprecation.', format: 'uri', maxLength: 2048 }),
  announced: day('When the deprecation was announced.'),
  ends: day('From this day on, its use is refused with `gone`.'),
  uses: integer(`Number of requests that used it in the last ${COUNTED_DAYS} days.`, 1, Number.MAX_SAFE_INTEGER),
  lastUsedAt: dateTime('When the latest of these requests arrived.'),
});
export type DeprecatedUse = Static<typeof DeprecatedUse>;

export const DeprecatedUseList = namedObject(
  'DeprecatedUseList',
  'The deprecated parts of the API that the app used in the counted period.',
  { data: Type.Array(DeprecatedUse, { maxItems: 100, description: 'The earliest end first.' }) },
);

export interface UseRow {
  deprecation_id: string;
  uses: number;
  last_used_at: Date;
}

export function toDeprecatedUse(row: UseRow, deprecation: Deprecation, publicUrl: string): DeprecatedUse {
  return {
    id: deprecation.id,
    title: deprecation.title,
    instead: deprecation.instead,
    pageUrl: `${publicUrl}/deprecations/${deprecation.id}`,
    announced: deprecation.announced,
    ends: deprecation.ends,
    uses: row.uses,
    lastUsedAt: row.last_used_at.toISOString(),
  };
}

export const exampleUse: DeprecatedUse = {
  id: 'ticket-requester-external-id',
  title: 'The field `externalId` of a ticket’s requester',
  instead: 'Send `reference` instead.',
  pageUrl: 'http://localhost:4000/deprecations/ticket-requester-external-id',
  announced: '2026-11-21',
  ends: '2027-05-31',
  uses: 120,
  lastUsedAt: '2026-12-02T10:15:30.000Z',
};
