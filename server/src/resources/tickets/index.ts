// Tickets: created by the app on a server, and read and listed by the app.
import { tickets } from '../../access/contracts/index.ts';
import { getOperation, listOperation } from '../objects/index.ts';
import { createTicket } from './create-ticket.ts';

export const ticketOperations = [listOperation(tickets), createTicket, getOperation(tickets)];
export { countTicketNumbers, deleteTicketNumbers } from './live-store.ts';
export { advanceTicket, answerTicket, closeTicket, openTicket } from './live-tickets.ts';
export { TicketContent } from './ticket.ts';
