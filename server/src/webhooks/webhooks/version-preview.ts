// Shows the changes that a newer schema version would make to an endpoint's own events.
import { integer, namedObject, type Static, Type, text } from '../../kit/http/schema.ts';
import { Event, type EventType, EventTypeSchema, exampleEvent } from '../../resources/events/index.ts';
import { compareJson } from './json-difference.ts';

const version = (description: string) => integer(description, 1, 1000);
const MAX_POINTERS = 1_000;
const pointers = (description: string) =>
  Type.Array(text('A JSON Pointer (RFC 6901).', { maxLength: 4_000 }), { maxItems: MAX_POINTERS, description });

const PreviewedEvent = namedObject(
  'PreviewedEvent',
  'An event in the pinned version and in a newer version, with the difference.',
  {
    type: EventTypeSchema,
    pinnedVersion: version('The version to which the endpoint is pinned.'),
    schemaVersion: version('The newer version.'),
    pinned: Event,
    newer: Event,
    added: pointers('Values that only the newer version has.'),
    removed: pointers('Values that only the pinned version has.'),
    changed: pointers('Values that differ between the versions.'),
  },
);

export const SchemaVersionPreview = namedObject(
  'SchemaVersionPreview',
  'The changes that a newer schema version would make.',
  { data: Type.Array(PreviewedEvent, { maxItems: 10, description: 'The events, newest first.' }) },
);

/** A type with the version to which an endpoint is pinned, and a newer one. */
export interface NewerVersion {
  type: EventType;
  pinned: number;
  newer: number;
}

export interface RecentEventRow extends NewerVersion {
  pinned_body: string;
  newer_body: string;
}

export function toPreviewedEvent(row: RecentEventRow): Static<typeof PreviewedEvent> {
  const [pinned, newer] = [JSON.parse(row.pinned_body), JSON.parse(row.newer_body)];
  const { added, removed, changed } = compareJson(pinned, newer);
  return {
    type: row.type,
    pinnedVersion: row.pinned,
    schemaVersion: row.newer,
    pinned,
    newer,
    added: added.slice(0, MAX_POINTERS),
    removed: removed.slice(0, MAX_POINTERS),
    changed: changed.slice(0, MAX_POINTERS),
  };
}

const inVersion = (schemaVersion: number, data: object) => ({
  ...exampleEvent,
  type: 'ticket.created',
  schemaVersion,
  subject: { type: 'ticket', id: 'tkt_01j9z3v8k6e5t8m2n4p6q8r0s4' },
  data,
});

export const examplePreview = {
  data: [
    {
      type: 'ticket.created',
      pinnedVersion: 1,
      schemaVersion: 2,
      pinned: inVersion(1, { body: 'The lamp is out.' }),
      newer: inVersion(2, { bodyMarkdown: 'The lamp is out.' }),
      added: ['/data/bodyMarkdown'],
      removed: ['/data/body'],
      changed: ['/schemaVersion'],
    },
  ],
};
