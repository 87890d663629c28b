// The data of `ticket.created` in its schema versions. The newest version is derived from the ticket, and each older
// version from the next newer one. The content of a released version never changes, even if the ticket's schema
// changes.
import { describedObject, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { exampleTicket, Ticket } from './ticket.ts';

const { body, requester: _requester, ...unchanged } = Ticket.properties;
const personName = text('The name.', { minLength: 1, maxLength: 100 });
const identifier = text('The identifier in your system.', { minLength: 1, maxLength: 200 });

export const TicketCreatedDataV1 = namedObject('TicketCreatedDataV1', 'A ticket at its creation.', {
  ...unchanged,
  body,
  requester: nullable(describedObject('The requester.', { name: personName, externalId: Type.Optional(identifier) })),
});
type V1 = Static<typeof TicketCreatedDataV1>;

export const TicketCreatedDataV2 = namedObject(
  'TicketCreatedDataV2',
  'A ticket at its creation. `body` is called `bodyMarkdown`, as in publications, and the requester’s `externalId` is called `reference`.',
  {
    ...unchanged,
    bodyMarkdown: body,
    requester: nullable(describedObject('The requester.', { name: personName, reference: Type.Optional(identifier) })),
  },
);
type V2 = Static<typeof TicketCreatedDataV2>;

export function toTicketCreated({ body, requester, ...rest }: Ticket): V2 {
  const reference = requester?.reference;
  return {
    ...rest,
    bodyMarkdown: body,
    requester: requester && { name: requester.name, ...(reference !== undefined && { reference }) },
  };
}

/** Returns the data for endpoints that are pinned to version 1. */
export function toTicketCreatedV1({ bodyMarkdown, requester, ...rest }: V2): V1 {
  const externalId = requester?.reference;
  return {
    ...rest,
    body: bodyMarkdown,
    requester: requester && { name: requester.name, ...(externalId !== undefined && { externalId }) },
  };
}

/** Returns the data of an event of this type, in its newest version and in the older ones. */
export function ticketEventData(type: string, ticket: Ticket): { data: object; older: readonly object[] } {
  if (type !== 'ticket.created') return { data: ticket, older: [] };
  const data = toTicketCreated(ticket);
  return { data, older: [toTicketCreatedV1(data)] };
}

export const exampleTicketCreated: V2 = toTicketCreated(exampleTicket);
