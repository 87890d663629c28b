import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { memberMay } from '../sessions/index.ts';
import { EndedMembership, endMembership, exampleEnded, KeysChoice } from './end-membership.ts';
import { memberParams, requireReach } from './member.ts';
import { findMember } from './member-store.ts';

export const removeMember = operation({
  id: 'removeMember',
  method: 'POST',
  path: '/api/organisations/{organisationId}/members/{memberId}/remove',
  tag: 'Organisations',
  summary: 'Remove a member',
  description:
    'Ends a membership at once: the next request of any of their sessions and tokens finds nothing here. What they sent out in invitations is void. Nobody removes a member who may do more than they; the last owner stays. The keys that they made go on or end, as you choose.',
  access: memberMay('members.remove'),
  params: memberParams,
  body: KeysChoice,
  examples: { andTheirKeys: { keys: 'revoke' } },
  replies: {
    200: { description: 'The membership has ended.', schema: EndedMembership, examples: { ended: exampleEnded } },
  },
  problems: ['conflict'],
  async run(context, { ids, body }) {
    const { actor, tx } = context;
    const row = await findMember(tx, actor.organisationId, ids.memberId);
    if (!row) throw problem('not_found');
    requireReach(actor.role, row.role);
    return endMembership(context, row, body.keys);
  },
});
