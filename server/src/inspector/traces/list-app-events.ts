import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { dateTime, strictObject, Type } from '../../kit/http/schema.ts';
import { parseTime } from '../../kit/text/time-span.ts';
import { EventTypeSchema } from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { AppEvent, exampleAppEvent, SubjectId, toAppEvent, uuidOfSubject } from './app-event.ts';
import { listAppEventRows } from './app-event-store.ts';

const idAt = (name: string, time: string | undefined): string | undefined =>
  time === undefined ? undefined : firstUuidAt(parseTime(name, time));

export const listAppEvents = operation({
  id: 'listAppEvents',
  route: 'GET /organisations/{organisationId}/apps/{appId}/events',
  tag: 'Requests',
  summary: 'List the events of an app',
  description:
    'Lists the events of the app, newest first, with their causes and without their payloads. `getTrace` returns the payloads of one event, its deliveries and their attempts. Test events are left out. The filters combine. With two of the filters `type`, `serverId` and `subject`, a page examines a bounded number of events: while `nextCursor` is set, continue to read, even if a page is empty.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject({
    ...listQuery,
    type: Type.Optional(EventTypeSchema),
    serverId: Type.Optional(ServerId),
    subject: Type.Optional(SubjectId),
    since: Type.Optional(dateTime('Only events that Slipway stored at or after this time.')),
    until: Type.Optional(dateTime('Only events that Slipway stored before this time.')),
  }),
  replies: listReplies('AppEventList', AppEvent, 'A page of events.', exampleAppEvent),
  run({ tenant, paged }, { ids: { serverId }, query: { type, subject, since, until } }) {
    const filter = {
      type,
      serverId,
      subjectId: subject === undefined ? undefined : uuidOfSubject(subject),
      from: idAt('since', since),
      before: idAt('until', until),
    };
    return paged({
      prefix: 'evt',
      load: (after, limit) => listAppEventRows(tenant, filter, after, limit),
      toItem: toAppEvent,
      idOf: (row) => row.event_id,
    });
  },
});
