// The deprecations of the community contract.
import type { DeclaredDeprecation } from '../declaration.ts';

export const deprecations: readonly DeclaredDeprecation[] = [
  {
    id: 'ticket-requester-external-id',
    operations: ['createTicket'],
    where: { in: 'body', pointer: '/requester/externalId' },
    title: 'The field `externalId` of a ticket’s requester',
    replacement:
      'Send `reference` instead. It has the same meaning: the identifier of the person in your own system, where the person is not external. A ticket contains both names until then.',
    announced: '2026-11-21',
    ends: '2027-05-31',
  },
  {
    id: 'ticket-external-id',
    operations: ['listTickets', 'createTicket', 'getTicket'],
    where: { in: 'response', pointer: '/requester/externalId' },
    title: 'The field `externalId` of the requester in a returned ticket',
    replacement:
      'Read `reference` instead. It has the same value. Events keep the field in the released versions of their schemas.',
    announced: '2026-11-27',
    ends: '2027-05-31',
  },
];
