// The objects that operators see: public facts of organisations, and the outbox.

import { OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok } from '../../kit/http/operation.ts';
import {
  dateTime,
  idSchema,
  integer,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  strictObject,
  type TSchema,
  Type,
  text,
} from '../../kit/http/schema.ts';
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

const quota = (description: string) => Type.Optional(integer(description, 0, 1_000_000));

export const Quotas = namedObject('Quotas', 'Limits of an organisation. A field that is left out has its default.', {
  apps: quota('Maximum number of apps of the organisation.'),
  keysPerApp: quota('Maximum number of active keys of an app.'),
  endpointsPerApp: quota('Maximum number of webhook endpoints of an app.'),
  requestDays: Type.Optional(
    integer(
      'Number of days for which the requests of the organisation are kept, at most the retention period of the installation.',
      1,
      3650,
    ),
  ),
});

export const OperatedOrganisation = namedObject(
  'OperatedOrganisation',
  'The facts about an organisation that operators may see.',
  {
    id: OrganisationId,
    name: text('Name of the organisation.', { maxLength: 100 }),
    createdAt: dateTime('Time at which the organisation was created.'),
    memberCount: integer('Number of members.', 0, 1_000_000),
    suspendedAt: nullable(dateTime('Time at which the organisation was suspended.')),
    suspendedReason: nullable(text('Why.', { maxLength: 500 })),
    quotas: Quotas,
  },
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

export const MessageState = oneOf(
  ['waiting', 'sent', 'failed'],
  'State of the message: `waiting` until it is sent or has finally failed.',
);
export const MessageId = idSchema('msg', 'Identifier of the message.');

const message = {
  id: MessageId,
  to: text('E-mail address of the recipient.', { maxLength: 320 }),
  subject: text('Subject of the message.', { maxLength: 200 }),
  state: MessageState,
  attempts: integer('Number of attempts to send the message.', 0, 1000),
  lastError: nullable(text('Latest error of the mail server.', { maxLength: 300 })),
  queuedAt: dateTime('Time at which the message was queued.'),
  endedAt: nullable(dateTime('Time at which the message was sent or abandoned.')),
};

export const Message = namedObject('Message', 'A message in the outbox, without its text.', message);

export const MessageWithText = namedObject('MessageWithText', 'A message in the outbox.', {
  ...message,
  text: text('Text of the message. A link in it gives as much access as a password.', { maxLength: 20_000 }),
});

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

/** The query of a list whose caller sends the last identifier for the next page. */
export const pageQuery = <Before extends TSchema>(before: Before) => ({
  limit: Type.Optional(integer('Maximum number of entries.', 1, 100, { default: 25 })),
  before: Type.Optional(before),
});

/** Returns the reply of such a list, which names no next page. */
export const newestReplies = (name: string, item: TSchema, description: string, example: object) =>
  ok(
    description,
    namedSchema(name, strictObject({ data: Type.Array(item, { maxItems: 100, description: 'Newest first.' }) })),
    { one: { data: [example] } },
  );
