// Notices: what an organisation should know of its keys and endpoints without looking.
import { listNotices } from './list-notices.ts';
import { pullNotices } from './pull-notices.ts';
import { readNotice } from './read-notice.ts';

export const noticeOperations = [listNotices, readNotice];
/** What the Console's own process asks, in nobody's name. */
export const consoleNoticeOperations = [pullNotices];
export { DAYS_AHEAD, type DaysAhead, NAMED_KINDS, UntakenNotice } from './notice.ts';
export { Pulled } from './pull-notices.ts';
export { insertNotice, type NoticedEndpoint, type NoticedKey } from './store.ts';
