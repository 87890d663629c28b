// Tickets: created by the app on a server, and read and listed by the app.
import { tickets } from '../../access/contracts/index.ts';
import { DEPRECATIONS } from '../../platform/deprecations/index.ts';
import { getOperation, listOperation } from '../objects/index.ts';
import { createTicket } from './create-ticket.ts';

const deprecations = [DEPRECATIONS['ticket-external-id']];

export const ticketOperations = [
  listOperation(tickets, deprecations),
  createTicket,
  getOperation(tickets, deprecations),
];
export { countTicketNumbers, deleteTicketNumbers } from './live-store.ts';
export { advanceTicket, answerTicket, closeTicket, openTicket } from './live-tickets.ts';
export { TicketContent } from './ticket.ts';
