// What the outbox shows, as it stands in the address.
import type { Message } from '../../kit/api.ts';
import { oneOf, textOf } from '../../kit/search.ts';

export const MESSAGE_STATES = ['waiting', 'sent', 'failed'] as const satisfies readonly Message['state'][];

export interface MessagesSearch {
  /** Absent: messages of any state. */
  state?: Message['state'];
  /** The message whose drawer is open. */
  message?: string;
}

export function toMessagesSearch(search: Partial<Record<keyof MessagesSearch, unknown>>): MessagesSearch {
  return { ...oneOf('state', search.state, MESSAGE_STATES), ...textOf('message', search.message) };
}
