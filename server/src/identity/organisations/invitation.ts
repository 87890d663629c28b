// An invitation: a link, sent to one address, which makes its holder a member once.
import { createHash, randomBytes } from 'node:crypto';
import { OrganisationId, type Role, RoleSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { utcMinute } from '../../kit/text/utc-minute.ts';
import type { NewMessage } from '../../platform/mail/index.ts';
import type { PersonRow } from '../sessions/index.ts';

const InvitationId = idSchema('inv', "The invitation's identifier.");
export const invitationParams = strictObject({ organisationId: OrganisationId, invitationId: InvitationId });

export const LIFE_DAYS = 7;
/**
 * Invitations that are open or less than a day old. The limit bounds the mails that an organisation can send to other
 * people.
 */
export const MAX_INVITATIONS = 100;
/**
 * Mails to one address within a day. The limit covers all organisations, because a person can create any number of
 * organisations.
 */
export const MAX_MAILS = 10;

const email = Type.String({
  description: 'The address that the invitation is bound to.',
  minLength: 5,
  maxLength: 254,
  pattern: "^[A-Za-z0-9_+'-]+(\\.[A-Za-z0-9_+'-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,}$",
  examples: ['imke@example.org'],
});

export const InvitationInput = namedObject('InvitationInput', 'The address and the role of an invitation.', {
  email,
  role: RoleSchema,
});

export const Invitation = namedObject('Invitation', 'An invitation to an organisation, without its link.', {
  id: InvitationId,
  email: text('The address that the invitation is bound to.', { maxLength: 320 }),
  role: RoleSchema,
  state: oneOf(['open', 'accepted', 'expired', 'revoked'], 'Only an open invitation can be accepted.'),
  invitedBy: text('The e-mail address of the sender.', { maxLength: 320 }),
  createdAt: dateTime('When the invitation was sent.'),
  expiresAt: dateTime('The time until which the invitation can be accepted.'),
});
export type Invitation = Static<typeof Invitation>;

export const CreatedInvitation = namedObject('CreatedInvitation', 'A new invitation with its link.', {
  invitation: Invitation,
  url: text('The link, shown only in this response, for the case that no mail arrives.', { maxLength: 2_300 }),
  createsAccount: Type.Boolean({
    description:
      'True if `url` is the mailed link, which verifies the address: its holder can create the account of the address. Only an operator receives the mailed link, and only without a mail server.',
  }),
  mail: oneOf(
    ['queued', 'no_mail_server', 'limit_reached'],
    `The state of the mail with the link. \`no_mail_server\`: the operator has configured no mail server, and finds the message in the outbox. \`limit_reached\`: the address was mailed ${MAX_MAILS} times within a day.`,
  ),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export interface InvitationRow {
  invitation_id: string;
  organisation_id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  state: Invitation['state'];
}

export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: toId('inv', row.invitation_id),
    email: row.email,
    role: row.role,
    state: row.state,
    invitedBy: row.invited_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

export const exampleInvitation: Invitation = {
  id: 'inv_01j9z3v8k6e5t8m2n4p6q8r0sd',
  email: 'imke@example.org',
  role: 'developer',
  state: 'open',
  invitedBy: 'jan@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  expiresAt: '2026-11-09T10:15:30.000Z',
};

const TOKEN_BYTES = 32;

export function newInvitationToken(): Secret {
  return secret(randomBytes(TOKEN_BYTES).toString('base64url'));
}

/** Returns the stored form of a token: 256 random bits need no salt and no slow hash. */
export function hashInvitationToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the link. The token follows the #, which browsers do not send, so no log contains it. */
export function invitationUrl(consoleUrl: string, token: Secret): string {
  return `${consoleUrl}/invitation#token=${token.reveal()}`;
}

export function invitationMessage(row: InvitationRow, organisation: string, url: string): NewMessage {
  return {
    to: row.email,
    subject: `An invitation to ${organisation}`,
    text: [
      `${row.invited_by} invites you to the organisation "${organisation}" on Slipway, with the role ${row.role}.`,
      '',
      `To accept the invitation, open this link. If this address (${row.email}) has no account yet, you can create the account there:`,
      url,
      '',
      `The link works once, until ${utcMinute(row.expires_at)}. If you do not know the sender, ignore this message.`,
    ].join('\n'),
  };
}

export const InvitationToken = namedObject('InvitationToken', "The token of an invitation's link.", {
  token: text('The part of the link after `#token=`.', { minLength: 16, maxLength: 200 }),
});

/**
 * Returns the reason why this person may not accept the invitation, or undefined. Only the addressee learns the state
 * of an invitation. Another person learns no more than from a guessed token, except that an open invitation is reported
 * as addressed to another account, which is the likely cause.
 */
export function refuseAcceptance(
  row: InvitationRow | undefined,
  person: PersonRow | undefined,
): ProblemError | undefined {
  if (!row || !person) return problem('not_found');
  const isAddressee = person.is_verified && person.email.toLowerCase() === row.email;
  if (!isAddressee) return problem(row.state === 'open' ? 'invitation_not_yours' : 'not_found');
  if (row.state === 'accepted') return problem('invitation_used');
  if (row.state === 'expired') return problem('invitation_expired');
  return row.state === 'revoked' ? problem('invitation_revoked') : undefined;
}
