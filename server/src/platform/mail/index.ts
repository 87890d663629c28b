// Mail to people. A message is queued in the transaction that causes it, and is sent by SMTP or kept for the operator.
export type { NewMessage } from './retry-decision.ts';
export { runMail, startMail } from './send-mail.job.ts';
export { findFailingMail, findMailAge, findMessage, listMessages, type MessageRow, queueMail } from './store.ts';
