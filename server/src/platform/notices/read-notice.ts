import { allowOrganisationManagement, OrganisationId } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleNotice, Notice, NoticeId, toNotice } from './notice.ts';
import { markRead } from './store.ts';

export const readNotice = operation({
  id: 'readNotice',
  route: 'POST /organisations/{organisationId}/notices/{noticeId}/read',
  tag: 'Notices',
  summary: 'Mark a notice as read',
  description: 'Marks a notice as read for the whole organisation. The notice keeps the name of its first reader.',
  access: allowOrganisationManagement('notices.change'),
  params: strictObject({ organisationId: OrganisationId, noticeId: NoticeId }),
  replies: ok('The notice after the change.', Notice, {
    aNotice: { ...exampleNotice, readAt: '2026-11-25T12:00:00.000Z', readBy: 'imke@example.org' },
  }),
  async run({ actor, tx, audit }, { ids, params }) {
    const row = await markRead(tx, actor.organisationId, ids.noticeId, actor.name);
    if (!row) throw problem('not_found');
    audit('notice.read', params.noticeId, { kid: row.kid, kind: row.kind }, { appId: row.app_id });
    return { status: 200, body: toNotice(row) };
  },
});
