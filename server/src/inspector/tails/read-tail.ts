import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed } from '../../kit/http/schema.ts';
import { filterOf, toRequestRecord } from '../requests/index.ts';
import { follow } from './follow.ts';
import { positionText, TailPage, tailQuery, toPosition } from './tail.ts';

export const readTail = operation({
  id: 'readTail',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/request-tail',
  tag: 'Requests',
  summary: 'Read a tail of requests',
  description: 'Returns the requests that became visible since a position; waits a short time for the first.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed(tailQuery),
  replies: { 200: { description: 'The new requests.', schema: TailPage } },
  async run({ plane, actor, tenant, afterCommit, cursors }, { query }) {
    const { after, ...wish } = query;
    const filter = filterOf(wish);
    const { open, seal } = cursors(wish);
    const sealed = open(after, '/query/after');
    const reader = plane.db.readerOf(actor.organisationId);
    const followed = { reader, appId: tenant.appId, filter };
    // The transaction that loaded the app has ended here, so a waiting reader holds no connection.
    return afterCommit(async () => {
      const from = sealed === undefined ? undefined : toPosition(sealed);
      const { shown, missed, position, isMore } = await follow(followed, from);
      const body: TailPage = {
        data: shown.map(toRequestRecord),
        missed,
        position: seal(positionText(position)),
        isMore,
      };
      return { status: 200, body };
    });
  },
});
