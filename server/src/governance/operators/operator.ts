// The objects that operators see: public facts of organisations, and the outbox.

import { OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, idSchema, moment, named, nullable, oneOf, Type, text } from '../../kit/http/schema.ts';
import type { MessageRow } from '../../platform/mail/index.ts';

export interface OrganisationRow {
  organisation_id: string;
  name: string;
  created_at: Date;
  member_count: number;
  suspended_at: Date | null;
  suspended_reason: string | null;
  quotas: Record<string, number>;
}

const quota = (description: string) => Type.Optional(Type.Integer({ description, minimum: 0, maximum: 1_000_000 }));

export const Quotas = named(
  'Quotas',
  closed(
    {
      apps: quota('Apps of the organisation.'),
      keysPerApp: quota('Active keys of an app.'),
      endpointsPerApp: quota('Webhook endpoints of an app.'),
      requestDays: Type.Optional(
        Type.Integer({
          description: 'For how many days its requests are kept; at most as long as those of everybody.',
          minimum: 1,
          maximum: 3650,
        }),
      ),
    },
    { description: 'How much an organisation may have. What is left out has its default.' },
  ),
);

export const OperatedOrganisation = named(
  'OperatedOrganisation',
  closed(
    {
      id: OrganisationId,
      name: text("The organisation's name.", { maxLength: 100 }),
      createdAt: moment('When it was made.'),
      memberCount: Type.Integer({ description: 'How many people belong to it.', minimum: 0, maximum: 1_000_000 }),
      suspendedAt: nullable(moment('Since when it is suspended.')),
      suspendedReason: nullable(text('Why.', { maxLength: 500 })),
      quotas: Quotas,
    },
    { description: 'An organisation, from outside.' },
  ),
);

export const toOperated = (row: OrganisationRow) => ({
  id: toId('org', row.organisation_id),
  name: row.name,
  createdAt: row.created_at.toISOString(),
  memberCount: row.member_count,
  suspendedAt: row.suspended_at?.toISOString() ?? null,
  suspendedReason: row.suspended_reason,
  quotas: row.quotas,
});

export const exampleOrganisation = {
  id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6',
  name: 'Harbour Tools',
  createdAt: '2026-03-02T09:30:00.000Z',
  memberCount: 4,
  suspendedAt: null,
  suspendedReason: null,
  quotas: { apps: 20 },
};

export const MessageState = oneOf(['waiting', 'sent', 'failed'], 'Whether it has left.');
export const MessageId = idSchema('msg', 'The message.');

const message = {
  id: MessageId,
  to: text('The recipient.', { maxLength: 320 }),
  subject: text('The subject.', { maxLength: 200 }),
  state: MessageState,
  attempts: Type.Integer({ description: 'How often it was tried.', minimum: 0, maximum: 1000 }),
  lastError: nullable(text('What the mail server said last.', { maxLength: 300 })),
  queuedAt: moment('When it was queued.'),
  endedAt: nullable(moment('When it was sent or given up.')),
};

export const Message = named('Message', closed(message, { description: 'A message in the outbox, without its text.' }));

export const MessageWithText = named(
  'MessageWithText',
  closed(
    { ...message, text: text('Its text. A link in it is as good as a password.', { maxLength: 20_000 }) },
    { description: 'A message in the outbox.' },
  ),
);

export const exampleMessage = {
  id: 'msg_01j9z3v8k6e5t8m2n4p6q8r0s7',
  to: 'imke@example.org',
  subject: 'A new password for Slipway',
  state: 'waiting',
  attempts: 0,
  lastError: null,
  queuedAt: '2026-03-02T09:30:00.000Z',
  endedAt: null,
};

export const toMessage = (row: MessageRow) => ({
  id: toId('msg', row.message_id),
  to: row.recipient,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  lastError: row.last_error,
  queuedAt: row.queued_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
});

export function pageQuery(before: ReturnType<typeof idSchema>) {
  return closed({
    limit: Type.Optional(Type.Integer({ description: 'How many at most.', minimum: 1, maximum: 100, default: 25 })),
    before: Type.Optional(before),
  });
}
