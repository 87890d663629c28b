// Mail: messages to people, queued in the transaction of what they tell of and sent by SMTP, or kept for the operator.
export type { NewMessage } from './message.ts';
export { type MailOptions, runMail, startMail } from './send-mail.job.ts';
export { findFailing, findMailAge, findMessage, listMessages, type MessageRow, queueMail } from './store.ts';
