// Mails the notices of planes to the people concerned.
export { mailNotices, startNoticeMail } from './mail-notices.job.ts';
