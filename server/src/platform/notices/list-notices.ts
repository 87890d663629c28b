import { allowOrganisationManagement, organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { exampleNotice, Notice, toNotice } from './notice.ts';
import { listNoticeRows } from './store.ts';

export const listNotices = operation({
  id: 'listNotices',
  route: 'GET /organisations/{organisationId}/notices',
  tag: 'Notices',
  summary: 'List notices',
  description:
    'Lists notices to the organisation, newest first. A notice reports one of these cases: a key expires in 7 days, and again in 1 day; a key was reported as leaked; a page in a browser used a key (at most one notice a day for each key and page origin, and five a day for each key); the rule about event scopes will withhold events from an app (once for each app); an app uses a deprecated part of the API, at the announcement and 90, 30 and 7 days before the end; all attempts at an endpoint have failed for 1 day, and again for 3 days; an endpoint works again after such a notice; an endpoint was disabled after 5 such days or because the receiver answered 410; the last valid key of an endpoint expires within 7 days (once for each key); the last attempt of a delivery failed (at most one notice an hour for each endpoint); in production, a server paused or revoked the app; in production, a response of the upstream API did not fit the contract and the app received a 502 (once a day for each app). Owners, admins and the member who generated the key or added the endpoint also receive each notice by mail, except the last kind; `setNoticeMailSettings` changes that. Notices are kept for 90 days. The expiry of a key is not reported if the key was rotated or revoked, or if its whole lifetime is not longer than the 7 days or 1 day.',
  access: allowOrganisationManagement('notices.read'),
  params: organisationParams,
  query: strictObject({
    ...listQuery,
    unread: Type.Optional(Type.Boolean({ description: 'True: only unread notices.', default: false })),
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
