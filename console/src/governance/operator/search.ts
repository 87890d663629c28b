// Search parameters of the outbox.
import type { Message } from '../../kit/api.ts';
import { oneOf, textOf } from '../../kit/search.ts';

export const MESSAGE_STATES = ['waiting', 'sent', 'failed'] as const satisfies readonly Message['state'][];

export interface MessagesSearch {
  /** Undefined: messages in any state. */
  state?: Message['state'];
  /** Message whose drawer is open. */
  message?: string;
}

export function toMessagesSearch(search: Partial<Record<keyof MessagesSearch, unknown>>): MessagesSearch {
  return { ...oneOf('state', search.state, MESSAGE_STATES), ...textOf('message', search.message) };
}
