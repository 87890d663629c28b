import { organisationParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberChange } from '../sessions/index.ts';
import { EndedMembership, endMembership, exampleEnded, KeysChoice } from './end-membership.ts';
import { findMemberOfPerson } from './member-store.ts';

export const leaveOrganisation = operation({
  id: 'leaveOrganisation',
  route: 'POST /api/organisations/{organisationId}/leave',
  tag: 'Organisations',
  summary: 'Leave an organisation',
  description:
    'Ends your own membership, as `removeMember` does. The last owner cannot leave. To revoke the keys that you made, your role must allow `keys.revoke`.',
  access: allowMemberChange('organisation.leave'),
  params: organisationParams,
  body: KeysChoice,
  examples: { withoutTheKeys: { keys: 'keep' } },
  replies: ok('The membership has ended.', EndedMembership, { left: exampleEnded }),
  problems: ['conflict'],
  async run(context, { body }) {
    const { actor, tx } = context;
    const row = await findMemberOfPerson(tx, actor.organisationId, actor.personId);
    if (!row) throw problem('not_found');
    return endMembership(context, row, body.keys);
  },
});
