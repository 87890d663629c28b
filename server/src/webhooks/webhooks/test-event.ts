// A test event: an example of its type about objects that do not exist, so that no receiver confuses it with a real
// event.
import { fromId, ID_BODY_PATTERN, newUuid, toId } from '../../kit/crypto/ids.ts';
import { EVENT_KINDS, type EventDraft, type EventType, exampleEvent } from '../../resources/events/index.ts';

/** Returns the data of a type in each of its schema versions, from version 1. */
export type ExampleData = (type: EventType) => readonly object[];

const ID_PATTERN = new RegExp(`\\b([a-z]{3})_${ID_BODY_PATTERN}\\b`, 'g');

/** Returns a copy in which each id is replaced by a new one. Equal ids stay equal. */
function withFreshIds<T>(example: T): T {
  const fresh = new Map<string, string>();
  const json = JSON.stringify(example).replaceAll(ID_PATTERN, (id, prefix: string) => {
    const drawn = fresh.get(id) ?? toId(prefix, newUuid());
    fresh.set(id, drawn);
    return drawn;
  });
  return JSON.parse(json);
}

const SUBJECT_WITHOUT_DATA = { server: exampleEvent.serverId, installation: 'ins_01j9z3v8k6e5t8m2n4p6q8r0s3' };

function subjectIdOf(type: EventType, newest: object | undefined): string {
  if (newest !== undefined && 'id' in newest && typeof newest.id === 'string') return newest.id;
  return EVENT_KINDS[type].subject === 'installation' ? SUBJECT_WITHOUT_DATA.installation : SUBJECT_WITHOUT_DATA.server;
}

export function buildTestEvent(type: EventType, exampleData: ExampleData): EventDraft {
  const versions = exampleData(type);
  const { serverId, subjectId, data } = withFreshIds({
    serverId: exampleEvent.serverId,
    subjectId: subjectIdOf(type, versions.at(-1)),
    data: versions,
  });
  const uuidOf = (id: string): string => fromId(id.slice(0, 3), id) ?? newUuid();
  return {
    type,
    serverId: uuidOf(serverId),
    // A new subject: the event is the first of its sequence, as the contract requires, and leaves no gap in another
    // sequence.
    subject: { uuid: uuidOf(subjectId), id: subjectId },
    sequence: 1,
    requestId: null,
    data: data.at(-1) ?? {},
    older: data.slice(0, -1),
  };
}
