// The activity of a key, in parts. A part has entries that a reader adds to those of the other parts. Pure.

import { KeyId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { cursorSchema } from '../../kit/http/page.ts';
import {
  dateTime,
  describedObject,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { SUBJECT_PREFIXES, type SubjectType } from '../../resources/events/index.ts';
import { exampleRequest } from '../requests/index.ts';

const ACTIVITY_KINDS = [
  'operation',
  'server',
  'address',
  'member',
  'event',
  'object',
  'receiver',
  'key_receiver',
] as const;
type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const ActivityEntry = describedObject('What requests or deliveries of the part have in common.', {
  kind: oneOf(
    ACTIVITY_KINDS,
    '`operation`, `server` and `address`: requests by operation, by server and by the caller’s address. `member`: requests that a member made by the key’s identifier. `event`: events that the requests caused, by type. `object`: events by the object that they are about. `receiver`: deliveries of these events, by the URL of the receiver. `key_receiver`: deliveries that the key authorised, by the URL of the receiver.',
  ),
  name: nullable(
    text('The operation, server, address, member, event type, object or URL. Null if the record does not state it.', {
      maxLength: 4_096,
    }),
  ),
  count: count('The number of requests, events or deliveries.'),
  succeeded: nullable(
    count(
      'The number of requests that succeeded, or of deliveries that the receiver answered with 2xx. Null for events.',
    ),
  ),
  firstAt: dateTime('When the first of them was answered, created or sent.'),
  lastAt: dateTime('When the last of them was answered, created or sent.'),
});
export type ActivityEntry = Static<typeof ActivityEntry>;

export const KeyActivity = namedObject(
  'KeyActivity',
  'A part of the activity of a key. The parts add up: entries of the same kind and name, `requests` and `writesWithoutEvent`.',
  {
    keyId: KeyId,
    since: dateTime('The start of the period.'),
    until: dateTime('The end of the period: when the first part was read.'),
    oldestRecordAt: nullable(
      dateTime('When the oldest stored request of the app in the period arrived. Null if the period has none.'),
    ),
    lostRecords: count(
      'The number of requests of the app in the period without a record. Any of them can be of the key.',
    ),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'The read share of the period; 1 at the end.' }),
    requests: count('The number of requests in the part.'),
    writesWithoutEvent: count(
      'The number of requests in the part that succeeded with a change, and for which no event is stored: the change is not among the objects.',
    ),
    entries: Type.Array(ActivityEntry, { maxItems: 1_000_000, description: 'The entries of the part.' }),
    nextCursor: nullable(cursorSchema('Cursor of the next part; null if the activity is complete.')),
  },
);
export type KeyActivity = Static<typeof KeyActivity>;

/** A group of records, as a statement returns it. */
export interface ActivityGroup {
  kind: ActivityKind;
  name: string | null;
  subject_type: SubjectType | null;
  count: number;
  succeeded: number | null;
  first_ms: number;
  last_ms: number;
}

/** Adds the groups of the statements of a part. */
export class ActivitySum {
  readonly #groups = new Map<string, ActivityGroup>();
  requests = 0;
  writesWithoutEvent = 0;

  add(groups: readonly ActivityGroup[]): void {
    for (const group of groups) {
      const key = `${group.kind} ${group.subject_type} ${group.name}`;
      const sum = this.#groups.get(key);
      if (!sum) {
        this.#groups.set(key, { ...group });
        continue;
      }
      sum.count += group.count;
      if (sum.succeeded !== null) sum.succeeded += group.succeeded ?? 0;
      sum.first_ms = Math.min(sum.first_ms, group.first_ms);
      sum.last_ms = Math.max(sum.last_ms, group.last_ms);
    }
  }

  entries(): ActivityEntry[] {
    return [...this.#groups.values()].map(toEntry);
  }
}

const toEntry = ({ kind, name, subject_type, count, succeeded, first_ms, last_ms }: ActivityGroup): ActivityEntry => ({
  kind,
  name: nameOf(kind, name, subject_type),
  count,
  succeeded,
  firstAt: new Date(first_ms).toISOString(),
  lastAt: new Date(last_ms).toISOString(),
});

function nameOf(kind: ActivityKind, name: string | null, subject: SubjectType | null): string | null {
  if (name === null) return null;
  if (kind === 'server') return toId('srv', name);
  return kind === 'object' && subject !== null ? toId(SUBJECT_PREFIXES[subject], name) : name;
}

const { id: _, serverId, keyId } = exampleRequest;
const ONCE = { firstAt: '2026-11-02T10:15:30.000Z', lastAt: '2026-11-02T10:15:30.000Z' };

export const exampleActivity: KeyActivity = {
  keyId: keyId ?? '',
  since: '2026-10-20T08:00:00.000Z',
  until: '2026-11-02T10:20:00.000Z',
  oldestRecordAt: '2026-10-20T08:00:04.000Z',
  lostRecords: 0,
  progress: 1,
  requests: 1,
  writesWithoutEvent: 0,
  entries: [
    { kind: 'operation', name: 'createTicket', count: 1, succeeded: 1, ...ONCE },
    { kind: 'server', name: serverId, count: 1, succeeded: 1, ...ONCE },
    { kind: 'address', name: '192.0.2.7', count: 1, succeeded: 1, ...ONCE },
    { kind: 'event', name: 'ticket.created', count: 1, succeeded: null, ...ONCE },
    { kind: 'object', name: 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', count: 1, succeeded: null, ...ONCE },
    { kind: 'receiver', name: 'https://example.org/hooks', count: 1, succeeded: 1, ...ONCE },
  ],
  nextCursor: null,
};
