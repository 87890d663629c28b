// Tickets: created by the app on a server, and read by it.
import { createTicket } from './create-ticket.ts';
import { getTicket } from './get-ticket.ts';

export const ticketOperations = [createTicket, getTicket];
export { Ticket } from './ticket.ts';
