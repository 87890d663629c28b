import { organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { allowMemberRead } from '../sessions/index.ts';
import { exampleInvitation, Invitation, toInvitation } from './invitation.ts';
import { listInvitationRows } from './invitation-store.ts';

export const listInvitations = operation({
  id: 'listInvitations',
  route: 'GET /api/organisations/{organisationId}/invitations',
  tag: 'Organisations',
  summary: 'List invitations',
  description: 'Lists the invitations of the organisation, newest first, without their links.',
  access: allowMemberRead('members.read'),
  params: organisationParams,
  query: strictObject(listQuery),
  replies: listReplies('InvitationList', Invitation, 'A page of invitations.', exampleInvitation),
  run: ({ actor, tx, paged }) =>
    paged({
      prefix: 'inv',
      load: (after, limit) => listInvitationRows(tx, actor.organisationId, after, limit),
      toItem: toInvitation,
      idOf: (row) => row.invitation_id,
    }),
});
