// Tickets: created by the app on a server, and read and listed by the app.
import { createTicket } from './create-ticket.ts';
import { getTicket } from './get-ticket.ts';
import { listTickets } from './list-tickets.ts';

export const ticketOperations = [listTickets, createTicket, getTicket];
export { replaceTickets } from './live-store.ts';
export { advanceTicket, answerTicket, closeTicket, openTicket } from './live-tickets.ts';
export { findTicket } from './store.ts';
export { type SyntheticTicket, syntheticTickets } from './synthetic-tickets.ts';
export { exampleTicket, Ticket, TicketContent, toTicket } from './ticket.ts';
export { exampleTicketCreated, TicketCreatedDataV1, TicketCreatedDataV2, toTicketCreatedV1 } from './ticket-created.ts';
