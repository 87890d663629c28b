// The initial tickets of the app in a world. Equal inputs return equal bytes on any machine.
import { CATEGORIES, PRIORITIES } from '../../access/contracts/index.ts';
import { type CharacterSet, createSeededRandom, derivedUuid, HISTORY_ENDS_MS, timeSlotOf } from '../synthetic.ts';
import type { Ticket } from './ticket.ts';
import { TICKET_VOCABULARY } from './ticket-vocabulary.ts';

export type SyntheticTicket = Omit<Ticket, 'id' | 'requester' | 'metadata'> & {
  ticketId: string;
  requester: { name: string };
};

const STATUSES = ['open', 'open', 'pending', 'resolved', 'closed'] as const;
const HALF_TIME_COUNT = 10;

/** Returns `count` tickets of a server, numbered from 1. */
export function syntheticTickets(
  server: { serverId: string; createdAt: string },
  count: number,
  script: CharacterSet,
): SyntheticTicket[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = `${server.serverId}/ticket/${index}`;
    const draw = createSeededRandom(origin);
    const { atMs, spanMs } = timeSlotOf(Date.parse(server.createdAt), HISTORY_ENDS_MS, index + 1, HALF_TIME_COUNT);
    const createdMs = atMs + draw.number(spanMs);
    return {
      ticketId: derivedUuid(origin, createdMs),
      serverId: server.serverId,
      number: index + 1,
      status: draw.pick(STATUSES),
      ...composeTicket(draw, script),
      createdAt: new Date(createdMs).toISOString(),
    };
  });
}

type TicketText = Pick<SyntheticTicket, 'subject' | 'body' | 'category' | 'priority' | 'requester' | 'labels'>;

/** Generates the texts of a ticket with five draws. */
export function composeTicket(draw: ReturnType<typeof createSeededRandom>, script: CharacterSet): TicketText {
  const words = TICKET_VOCABULARY[script];
  const [subject, body] = draw.pick(words.subjects);
  return {
    subject,
    body,
    category: draw.pick(CATEGORIES),
    priority: draw.pick(PRIORITIES),
    requester: { name: draw.pick(words.names) },
    labels: [draw.pick(words.labels)],
  };
}
