import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { exampleSettings, NoticeMailSettings } from './settings.ts';
import { upsertSettings } from './store.ts';

export const setNoticeMailSettings = operation({
  id: 'setNoticeMailSettings',
  route: 'PUT /api/organisations/{organisationId}/notice-mail-settings',
  tag: 'Notices',
  summary: 'Set your mail settings for notices',
  description:
    'Sets how you receive the notices of the organisation by mail, for every environment. The settings apply to later notices. With `never`, waiting mails about notices are dropped. The Console lists every notice, regardless of these settings.',
  access: allowMemberChange('notices.follow'),
  params: organisationParams,
  body: NoticeMailSettings,
  examples: { daily: exampleSettings },
  replies: ok('The settings.', NoticeMailSettings, { daily: exampleSettings }),
  async run({ actor, tx, audit }, { body }) {
    await upsertSettings(tx, actor.organisationId, actor.personId, body);
    audit('notice_mail_settings.set', actor.personId, body);
    return { status: 200, body };
  },
});
