import { cursorBinding, organisationParams } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { memberReads } from '../sessions/index.ts';
import { exampleInvitation, Invitation, toInvitation } from './invitation.ts';
import { listInvitationRows } from './invitation-store.ts';

export const listInvitations = operation({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/organisations/{organisationId}/invitations',
  tag: 'Organisations',
  summary: 'List invitations',
  description: 'The invitations of the organisation, newest first, without their links.',
  access: memberReads('members.read'),
  params: organisationParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of invitations.',
      schema: named('InvitationList', listOf(Invitation, 'A page of invitations.')),
      examples: { aPage: { data: [exampleInvitation], nextCursor: null } },
    },
  },
  async run({ services, actor, tx }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listInvitations', query);
    const position = openCursor(query.cursor, binding, services.cursorKey);
    const after = position === undefined ? undefined : fromId('inv', position);
    const rows = await listInvitationRows(tx, actor.organisationId, after, limit + 1);
    const body = toList(rows, limit, toInvitation, (row) =>
      sealCursor(toId('inv', row.invitation_id), binding, services.cursorKey),
    );
    return { status: 200, body };
  },
});
