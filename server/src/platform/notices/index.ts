// Notices: facts about keys and endpoints that an organisation should learn without looking.
import { listNotices } from './list-notices.ts';
import { pullNotices } from './pull-notices.ts';
import { readNotice } from './read-notice.ts';

export const noticeOperations = [listNotices, readNotice];
/** Operations for the Console's own process, which acts for no member. */
export const consoleNoticeOperations = [pullNotices];
export {
  ANNOUNCED_KINDS,
  DAYS_AHEAD,
  type DaysAhead,
  type DeprecationNotice,
  type Notice,
  NoticeId,
  type NoticeMessage,
  PendingNotice,
  SENT_KINDS,
  type SentKind,
} from './notice.ts';
export { PULL_LIMIT } from './pull-notices.ts';
export { insertNotice, type NoticedEndpoint, type NoticedKey } from './store.ts';
