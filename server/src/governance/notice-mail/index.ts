// Mails the notices of planes to the people whom they concern.
export { mailNotices, startNoticeMail } from './mail-notices.job.ts';
