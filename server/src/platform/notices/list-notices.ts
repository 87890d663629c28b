import { managesOrganisation, organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { closed, Type } from '../../kit/http/schema.ts';
import { exampleNotice, Notice, toNotice } from './notice.ts';
import { listNoticeRows } from './store.ts';

export const listNotices = operation({
  id: 'listNotices',
  method: 'GET',
  path: '/organisations/{organisationId}/notices',
  tag: 'Notices',
  summary: 'List notices',
  description:
    'What the organisation should know of its keys and endpoints, and in production of the platform behind the servers, newest first: keys that expire in 7 days and in one, keys that were reported as leaked, keys that a page in a browser used (at most one a day for each key and origin of a page, and five a day for each key), once for each app that the rule about the scopes of events withholds events from its announced day on, endpoints at which everything has failed for a day and for three, and endpoints that were disabled because it was so for five or because the receiver answered 410; and of each app, once a day, that an answer of the platform to it did not fit the contract, and was a 502. Owners, admins and whoever generated the key or added the endpoint get each but the last by mail too. A notice is kept for 90 days. A key is not told of that was rotated or revoked, or that was not generated for longer than that.',
  access: managesOrganisation('notices.read'),
  params: organisationParams,
  query: closed({
    ...listQuery,
    unread: Type.Optional(Type.Boolean({ description: 'Only those that nobody has read, when true.', default: false })),
  }),
  replies: listReplies('NoticeList', Notice, 'A page of notices.', exampleNotice),
  run: ({ actor, tx, paged }, { query: { unread: isUnread = false } }) =>
    paged({
      prefix: 'ntc',
      load: (after, limit) => listNoticeRows(tx, actor.organisationId, { isUnread, after, limit }),
      toItem: toNotice,
      idOf: (row) => row.notice_id,
    }),
});
