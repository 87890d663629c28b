// Mails the notices of planes to the members of the organisation, as each member chose.
import { getNoticeMailSettings } from './get-notice-mail-settings.ts';
import { setNoticeMailSettings } from './set-notice-mail-settings.ts';

export const noticeMailOperations = [getNoticeMailSettings, setNoticeMailSettings];
export { announceNotice } from './announce-notice.ts';
export { mailNotices, startNoticeMail } from './mail-notices.job.ts';
