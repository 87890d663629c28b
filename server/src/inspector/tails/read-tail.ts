import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { toRequestFilter, toRequestRecord } from '../requests/index.ts';
import { pollTail } from './poll-tail.ts';
import { formatTailCursor, parseTailCursor, TailPage, tailQuery } from './tail.ts';

export const readTail = operation({
  id: 'readTail',
  route: 'GET /organisations/{organisationId}/apps/{appId}/request-tail',
  tag: 'Requests',
  summary: 'Read a tail of requests',
  description: 'Returns the requests that became visible since a position; waits a short time for the first.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  query: strictObject(tailQuery),
  replies: ok('The new requests.', TailPage),
  async run({ plane, actor, tenant, afterCommit, cursors }, { query }) {
    const { after, ...filterQuery } = query;
    const filter = toRequestFilter(filterQuery);
    const { open, seal } = cursors(filterQuery);
    const sealed = open(after, '/query/after');
    const reader = plane.db.readerOf(actor.organisationId);
    const followed = { reader, appId: tenant.appId, filter };
    // The transaction that loaded the app has ended here, so a waiting reader holds no connection.
    return afterCommit(async () => {
      const from = sealed === undefined ? undefined : parseTailCursor(sealed);
      const { shown, missed, position, isMore } = await pollTail(followed, from);
      const body: TailPage = {
        data: shown.map(toRequestRecord),
        missed,
        position: seal(formatTailCursor(position)),
        isMore,
      };
      return { status: 200, body };
    });
  },
});
