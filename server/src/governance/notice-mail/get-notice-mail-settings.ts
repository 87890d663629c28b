import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { exampleSettings, NoticeMailSettings } from './settings.ts';
import { findSettings } from './store.ts';

export const getNoticeMailSettings = operation({
  id: 'getNoticeMailSettings',
  route: 'GET /api/organisations/{organisationId}/notice-mail-settings',
  tag: 'Notices',
  summary: 'Get your mail settings for notices',
  description: 'Returns how you receive the notices of the organisation by mail, for every environment.',
  access: allowMemberRead('notices.read'),
  params: organisationParams,
  replies: ok('The settings.', NoticeMailSettings, { daily: exampleSettings }),
  async run({ actor, tx }) {
    const row = await findSettings(tx, actor.organisationId, actor.personId);
    return { status: 200, body: { timing: row?.timing ?? null, mutedKinds: row?.muted_kinds ?? [] } };
  },
});
