// Tickets: created by the app on a server.
import { createTicket } from './create-ticket.ts';

export const ticketOperations = [createTicket];
export { Ticket } from './ticket.ts';
