import { organisationParams } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { allowMemberChange } from '../sessions/index.ts';
import {
  CreatedInvitation,
  exampleInvitation,
  hashInvitationToken,
  InvitationInput,
  invitationMessage,
  invitationUrl,
  MAX_INVITATIONS,
  MAX_MAILS,
  newInvitationToken,
  toInvitation,
} from './invitation.ts';
import {
  countInvitations,
  countInvitationsTo,
  insertInvitation,
  insertMailedLink,
  isMemberAddress,
  revokeInvitationsTo,
} from './invitation-store.ts';
import { requireRoleGrant } from './managing-roles.ts';
import { requireRoleCoverage } from './member.ts';
import { findOrganisation } from './store.ts';

export const createInvitation = operation({
  id: 'createInvitation',
  route: 'POST /api/organisations/{organisationId}/invitations',
  tag: 'Organisations',
  summary: 'Invite a person',
  description:
    'Sends a link to an address. A person with this verified address can accept it once, within seven days. The mailed link differs from the link in the response: it verifies the address, so its holder can create the account. Without a mail server, an operator who invites receives the mailed link. A new invitation of an address revokes the earlier one. A role with more permissions than your own cannot be given. A role that can create production keys requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. All organisations together mail an address at most ten times a day; beyond that, the link works without a mail.',
  access: allowMemberChange('members.invite'),
  params: organisationParams,
  body: InvitationInput,
  examples: { aDeveloper: { email: 'imke@example.org', role: 'developer' } },
  replies: created('The invitation, with its link only in this response.', CreatedInvitation, {
    anInvitation: {
      invitation: exampleInvitation,
      url: 'https://console.example.org/invitation#token=an-example-of-a-token',
      createsAccount: false,
      mail: 'queued',
    },
  }),
  problems: ['conflict', 'quota_exceeded', 'second_factor_required', 'access_token_not_allowed'],
  async run(context, { body }) {
    const { services, actor, person, tx, audit } = context;
    const { organisationId } = actor;
    const email = body.email.toLowerCase();
    requireRoleCoverage(actor.role, body.role);
    await requireRoleGrant(context, body.role);
    if (await isMemberAddress(tx, organisationId, email)) {
      throw problem('conflict', { detail: 'This address already belongs to a member.' });
    }
    if ((await countInvitations(tx, organisationId)) >= MAX_INVITATIONS) {
      const detail = `An organisation has at most ${MAX_INVITATIONS} invitations that are open or less than a day old.`;
      throw problem('quota_exceeded', { detail });
    }
    const [token, mailedToken] = [newInvitationToken(), newInvitationToken()];
    for (const id of await revokeInvitationsTo(tx, organisationId, email)) {
      audit('invitation.revoke', toId('inv', id), { because: 'invited_again' });
    }
    const row = await insertInvitation(tx, {
      organisationId,
      invitationId: newUuid(),
      email,
      role: body.role,
      tokenHash: hashInvitationToken(token.reveal()),
      inviterId: actor.personId,
      invitedBy: actor.name,
    });
    await insertMailedLink(tx, row.invitation_id, hashInvitationToken(mailedToken.reveal()));
    const name = (await findOrganisation(tx, organisationId))?.name ?? '';
    const invitation = toInvitation(row);
    audit('invitation.create', invitation.id, { email, role: row.role });
    const isMailed = (await countInvitationsTo(tx, email)) <= MAX_MAILS;
    const mailedUrl = invitationUrl(services.consoleUrl, mailedToken);
    if (isMailed) await queueMail(tx, invitationMessage(row, name, mailedUrl));
    // Without a mail server the message stays in the outbox, which operators read. An operator therefore receives the
    // mailed link, which proves the address.
    const isOutbox = !services.sendsMail && (await services.isOperator(person));
    const url = isOutbox ? mailedUrl : invitationUrl(services.consoleUrl, token);
    const mail: CreatedInvitation['mail'] = services.sendsMail
      ? isMailed
        ? 'queued'
        : 'limit_reached'
      : 'no_mail_server';
    return {
      status: 201,
      body: { invitation, url, createsAccount: isOutbox, mail },
      headers: { 'cache-control': 'no-store' },
    };
  },
});
