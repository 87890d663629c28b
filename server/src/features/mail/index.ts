// Mail: messages to people, queued in the transaction of what they tell of.
export type { NewMessage } from './message.ts';
export { queueMail } from './store.ts';
