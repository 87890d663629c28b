import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberChange } from '../sessions/index.ts';
import { EndedMembership, endMembership, exampleEnded, KeysChoice } from './end-membership.ts';
import { memberParams, requireRoleCoverage } from './member.ts';
import { findMember } from './member-store.ts';

export const removeMember = operation({
  id: 'removeMember',
  route: 'POST /api/organisations/{organisationId}/members/{memberId}/remove',
  tag: 'Organisations',
  summary: 'Remove a member',
  description:
    "Ends a membership immediately: the next request of each of the member's sessions and tokens finds nothing in the organisation. Invitations of the member are revoked. A member with more permissions than your own cannot be removed, and the last owner stays. The keys that the member created are kept or revoked, as requested.",
  access: allowMemberChange('members.remove'),
  params: memberParams,
  body: KeysChoice,
  examples: { andTheirKeys: { keys: 'revoke' } },
  replies: ok('The membership has ended.', EndedMembership, { ended: exampleEnded }),
  problems: ['conflict'],
  async run(context, { ids, body }) {
    const { actor, tx } = context;
    const row = await findMember(tx, actor.organisationId, ids.memberId);
    if (!row) throw problem('not_found');
    requireRoleCoverage(actor.role, row.role);
    return endMembership(context, row, body.keys);
  },
});
