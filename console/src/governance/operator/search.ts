// Search parameters of the outbox.
import type { Message } from '../../kit/api.ts';
import { choiceParam, textParam } from '../../kit/search.ts';

const MESSAGE_STATES = ['waiting', 'sent', 'failed'] as const satisfies readonly Message['state'][];

export interface MessagesSearch {
  /** Undefined: messages in any state. */
  state?: Message['state'];
  /** Message whose drawer is open. */
  message?: string;
}

export function toMessagesSearch(search: Partial<Record<keyof MessagesSearch, unknown>>): MessagesSearch {
  return { ...choiceParam('state', search.state, MESSAGE_STATES), ...textParam('message', search.message) };
}
