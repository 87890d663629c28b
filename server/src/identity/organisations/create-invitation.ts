import { organisationParams } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { memberMay } from '../sessions/index.ts';
import {
  CreatedInvitation,
  exampleInvitation,
  hashOf,
  invitationMessage,
  invitationUrl,
  MAX_INVITATIONS,
  MAX_MAILS,
  NewInvitation,
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
import { requireGrant } from './managing-roles.ts';
import { requireReach } from './member.ts';
import { findOrganisation } from './store.ts';

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'POST',
  path: '/api/organisations/{organisationId}/invitations',
  tag: 'Organisations',
  summary: 'Invite a person',
  description:
    'Sends a link to an address. Who is signed in with that address, verified, accepts it once, within seven days. The mailed link differs from the link in the answer: it proves the address, so that its holder can create the account with it. Without a mail server an operator who invites is shown the mailed link. Inviting an address again voids the link that it had. Nobody invites to a role that may do more than their own. A role that makes production keys requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. An address is mailed ten times a day at most, whoever invites it; the link works without the mail too.',
  access: memberMay('members.invite'),
  params: organisationParams,
  body: NewInvitation,
  examples: { aDeveloper: { email: 'imke@example.org', role: 'developer' } },
  replies: {
    201: {
      description: 'The invitation, this once with its link.',
      schema: CreatedInvitation,
      examples: {
        anInvitation: {
          invitation: exampleInvitation,
          url: 'https://console.example.org/invitation#token=an-example-of-a-token',
          createsAccount: false,
          mail: 'queued',
        },
      },
    },
  },
  problems: ['conflict', 'quota_exceeded', 'second_factor_required', 'access_token_not_allowed'],
  async run(context, { body }) {
    const { services, actor, person, tx, audit } = context;
    const { organisationId } = actor;
    const email = body.email.toLowerCase();
    requireReach(actor.role, body.role);
    await requireGrant(context, body.role);
    if (await isMemberAddress(tx, organisationId, email)) {
      throw problem('conflict', { detail: 'This address is a member already.' });
    }
    if ((await countInvitations(tx, organisationId)) >= MAX_INVITATIONS) {
      const detail = `An organisation has at most ${MAX_INVITATIONS} invitations that are open or of this day.`;
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
      tokenHash: hashOf(token.reveal()),
      inviterId: actor.personId,
      invitedBy: actor.name,
    });
    await insertMailedLink(tx, row.invitation_id, hashOf(mailedToken.reveal()));
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
