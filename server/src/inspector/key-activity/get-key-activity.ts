import { AppId, allowAppManagement, KeyId, OrganisationId } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { cursorSchema } from '../../kit/http/page.ts';
import { dateTime, strictObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { formatTime, parseTime } from '../../kit/text/time-span.ts';
import { countLostRecords, findOldestRequest, type SourcePosition } from '../requests/index.ts';
import { findKeyCreation } from './activity-store.ts';
import { exampleActivity, KeyActivity } from './key-activity.ts';
import { runActivity } from './run-activity.ts';

export const getKeyActivity = operation({
  id: 'getKeyActivity',
  route: 'GET /organisations/{organisationId}/apps/{appId}/keys/{keyId}/activity',
  tag: 'Requests',
  summary: 'Get the activity of a key',
  description:
    'Returns everything that was done with a key since a time: its requests by operation, server, address and member, the events that they caused with their objects, the receivers of these events, and the receivers of deliveries that the key authorised. Reads for about a second, newest records first, and returns one part: while `nextCursor` is set, send it with the same query to continue, and add up the parts. Records do not state which objects a read returned. Events and deliveries count if they are still stored.',
  access: allowAppManagement('requests.read'),
  params: strictObject({ organisationId: OrganisationId, appId: AppId, keyId: KeyId }),
  query: strictObject({
    since: Type.Optional(
      dateTime(
        'Only requests that arrived, and deliveries that were created, at or after this time. Default: the creation of the key.',
      ),
    ),
    cursor: Type.Optional(cursorSchema('Cursor of the part: the `nextCursor` of the previous part.')),
  }),
  replies: ok('A part of the activity.', KeyActivity, { aKey: exampleActivity }),
  problems: ['not_found'],
  async run({ tenant, cursors }, { params, query, ids: { keyId } }) {
    const createdAtMs = await findKeyCreation(tenant, keyId);
    if (createdAtMs === undefined) throw problem('not_found');
    const { open, seal } = cursors({ ...query, keyId });
    const continued = open(query.cursor);
    const position: SourcePosition =
      continued === undefined
        ? {
            sinceMs: query.since === undefined ? createdAtMs : parseTime('since', query.since),
            untilMs: nowMs(),
            source: undefined,
            before: undefined,
          }
        : JSON.parse(continued); // sealed by this operation
    const { sum, progress } = await runActivity(tenant, keyId, position);
    const oldest = await findOldestRequest(tenant, firstUuidAt(position.sinceMs));
    return {
      status: 200,
      body: {
        keyId: params.keyId,
        since: formatTime(position.sinceMs),
        until: formatTime(position.untilMs),
        oldestRecordAt: oldest === undefined ? null : formatTime(msOfUuid(oldest)),
        lostRecords: await countLostRecords(tenant, new Date(position.sinceMs)),
        progress,
        requests: sum.requests,
        writesWithoutEvent: sum.writesWithoutEvent,
        entries: sum.entries(),
        nextCursor: progress === 1 ? null : seal(JSON.stringify(position)),
      },
    };
  },
});
