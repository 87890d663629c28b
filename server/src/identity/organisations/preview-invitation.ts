import { RoleSchema } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, namedObject, nullable, Type, text } from '../../kit/http/schema.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from '../sessions/index.ts';
import { hashInvitationToken, type InvitationRow, InvitationToken } from './invitation.ts';
import { findInvitationByToken } from './invitation-store.ts';
import { findOrganisation } from './store.ts';

const InvitationPreview = namedObject('InvitationPreview', 'An open invitation, as the holder of its link sees it.', {
  organisation: text("The organisation's name.", { maxLength: 100 }),
  role: RoleSchema,
  invitedBy: text('The e-mail address of the sender.', { maxLength: 320 }),
  expiresAt: dateTime('The time until which the invitation can be accepted.'),
  email: nullable(
    text('The address that the invitation is bound to. Null unless the link is the mailed one.', {
      maxLength: 320,
    }),
  ),
  hasAccount: nullable(
    Type.Boolean({ description: 'True if the address has an account. Null unless the link is the mailed one.' }),
  ),
});

export const previewInvitation = operation({
  id: 'previewInvitation',
  route: 'POST /api/invitations/preview',
  tag: 'Organisations',
  summary: 'Preview an invitation',
  description:
    'Returns the organisation and the role of an open invitation to the holder of its link. The holder of the mailed link, who reads the mail of the address, also learns the address, whether it has an account, and the state of a closed invitation. With the other link, an invitation that is no longer open is not found.',
  access: allowVisitor(),
  body: InvitationToken,
  examples: { aLink: { token: 'an-example-of-a-one-time-token-abc' } },
  replies: ok('The invitation.', InvitationPreview, {
    aMailedLink: {
      organisation: 'Harbour Tools',
      role: 'developer',
      invitedBy: 'jan@example.org',
      expiresAt: '2026-11-09T10:15:30.000Z',
      email: 'imke@example.org',
      hasAccount: false,
    },
  }),
  problems: ['not_found', 'invitation_used', 'invitation_expired', 'invitation_revoked'],
  async run({ services }, { body }) {
    const row = await findInvitationByToken(services.db, hashInvitationToken(body.token));
    if (row?.state !== 'open') throw refusalOf(row);
    const organisation = await findOrganisation(services.db, row.organisation_id);
    if (!organisation) throw problem('not_found');
    const person = row.is_mailed ? await services.identity.findPerson(row.email) : undefined;
    return {
      status: 200,
      body: {
        organisation: organisation.name,
        role: row.role,
        invitedBy: row.invited_by,
        expiresAt: row.expires_at.toISOString(),
        email: row.is_mailed ? row.email : null,
        hasAccount: row.is_mailed ? person !== undefined : null,
      },
      headers: { 'cache-control': 'no-store' },
    };
  },
});

function refusalOf(row: (InvitationRow & { is_mailed: boolean }) | undefined): ProblemError {
  if (!row?.is_mailed) return problem('not_found');
  if (row.state === 'accepted') return problem('invitation_used');
  return problem(row.state === 'expired' ? 'invitation_expired' : 'invitation_revoked');
}
