// A deprecated use: an operation or a field that an app still uses and that will end.
import { declaredDeprecations } from '../../access/contracts/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type Deprecation, isInRequest } from '../../kit/http/deprecation.ts';
import {
  dateTime,
  idSchema,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';

export const DeprecationId = text('Which deprecation.', {
  pattern: '^[a-z0-9-]{1,60}$',
  maxLength: 60,
  // A contract without deprecations has no page to name.
  examples: [declaredDeprecations[0]?.id ?? 'a-part'],
});

const day = (description: string) => Type.String({ description, format: 'date', minLength: 10, maxLength: 10 });

/** The number of days over which uses are counted. */
export const COUNTED_DAYS = 30;

/** The number of newest requests that are stored for each app, deprecation and day. */
export const MAX_NEWEST_REQUESTS = 5;
/** The number of endpoints that are listed. */
export const MAX_ENDPOINTS = 20;

export const DeprecationAnswer = namedObject('DeprecationAnswer', 'The answer of a member to a deprecation.', {
  status: oneOf(['unanswered', 'acknowledged', 'snoozed'], 'The answer. `unanswered`: notices are written.'),
  snoozedUntil: nullable(day('The day from which notices are written again; null unless snoozed.')),
  answeredAt: nullable(dateTime('When the member answered.')),
  answeredBy: nullable(text('The member who answered.', { maxLength: 320 })),
});
export type DeprecationAnswer = Static<typeof DeprecationAnswer>;

export interface AnswerRow {
  deprecation_id: string;
  /** Null: acknowledged. */
  snoozed_until: string | null;
  answered_at: Date;
  answered_by: string;
}

export function toDeprecationAnswer(row: AnswerRow | undefined): DeprecationAnswer {
  if (!row) return { status: 'unanswered', snoozedUntil: null, answeredAt: null, answeredBy: null };
  return {
    status: row.snoozed_until === null ? 'acknowledged' : 'snoozed',
    snoozedUntil: row.snoozed_until,
    answeredAt: row.answered_at.toISOString(),
    answeredBy: row.answered_by,
  };
}

export const DeprecatedUse = namedObject('DeprecatedUse', 'A deprecated part of the API that the app still uses.', {
  id: DeprecationId,
  title: text('The deprecated part of the API.', { maxLength: 200 }),
  replacement: text('The action that replaces it.', { maxLength: 1000 }),
  pageUrl: Type.String({ description: 'The page about the deprecation.', format: 'uri', maxLength: 2048 }),
  announced: day('When the deprecation was announced.'),
  ends: day(
    'The day of the end. If `isRefusedAfter`, requests that use it are then refused with `gone`; otherwise it is no longer sent.',
  ),
  isRefusedAfter: Type.Boolean({
    description: 'True for a part of a request. False for a field of a response and for events.',
  }),
  uses: integer(`Number of requests that used it in the last ${COUNTED_DAYS} days.`, 0, Number.MAX_SAFE_INTEGER),
  lastUsedAt: nullable(dateTime('When the latest of these requests arrived; null without requests.')),
  newestRequestIds: Type.Array(idSchema('req', 'A request.'), {
    maxItems: MAX_NEWEST_REQUESTS,
    description:
      'The newest of these requests, newest first. Their records can be deleted already. Empty for requests that an earlier release counted.',
  }),
  endpoints: integer('Number of enabled endpoints that receive the deprecated events.', 0, 2_147_483_647),
  endpointIds: Type.Array(idSchema('whe', 'An endpoint.'), {
    maxItems: MAX_ENDPOINTS,
    description: 'The newest of these endpoints.',
  }),
  answer: DeprecationAnswer,
});
export type DeprecatedUse = Static<typeof DeprecatedUse>;

export const DeprecatedUseList = namedObject(
  'DeprecatedUseList',
  'The deprecated parts of the API that the app used in the counted period.',
  { data: Type.Array(DeprecatedUse, { maxItems: 100, description: 'The earliest end first.' }) },
);

export interface UseRow {
  uses: number;
  last_used_at: Date | null;
  newest_request_ids: string[];
  endpoints: number;
  endpoint_ids: string[];
}

export function toDeprecatedUse(
  row: UseRow,
  deprecation: Deprecation,
  answer: AnswerRow | undefined,
  publicUrl: string,
): DeprecatedUse {
  return {
    id: deprecation.id,
    title: deprecation.title,
    replacement: deprecation.replacement,
    pageUrl: `${publicUrl}/deprecations/${deprecation.id}`,
    announced: deprecation.announced,
    ends: deprecation.ends,
    isRefusedAfter: isInRequest(deprecation),
    uses: row.uses,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    newestRequestIds: row.newest_request_ids.map((id) => toId('req', id)),
    endpoints: row.endpoints,
    endpointIds: row.endpoint_ids.map((id) => toId('whe', id)),
    answer: toDeprecationAnswer(answer),
  };
}

export const exampleUse: DeprecatedUse = {
  id: 'ticket-requester-external-id',
  title: 'The field `externalId` of a ticket’s requester',
  replacement: 'Send `reference` instead.',
  pageUrl: 'http://localhost:4000/deprecations/ticket-requester-external-id',
  announced: '2026-11-21',
  ends: '2027-05-31',
  isRefusedAfter: true,
  uses: 120,
  lastUsedAt: '2026-12-02T10:15:30.000Z',
  newestRequestIds: ['req_01j9z3v8k6e5t8m2n4p6q8r0sb'],
  endpoints: 0,
  endpointIds: [],
  answer: { status: 'unanswered', snoozedUntil: null, answeredAt: null, answeredBy: null },
};
