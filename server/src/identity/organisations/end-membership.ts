// Ends a membership, after a removal or by the member. One transaction ends the membership, and then each environment
// is asked to revoke the member's keys, if requested. In this order (docs/decisions/0022), a former member creates no
// further keys, and an unreachable environment does not delay the end of the membership.

import { requireAction } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { integer, namedObject, nullable, oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import {
  type ConsoleOrganisationContext,
  findPeople,
  listEarlierEmails,
  type PlaneResponse,
} from '../sessions/index.ts';
import { type MemberRow, requireRemainingOwner } from './member.ts';
import { countOwners, deleteMember, forgetAppointmentMails } from './member-store.ts';
import { revokeExceedingInvitations } from './revoke-exceeding-invitations.ts';

export const KeysChoice = namedObject('KeysChoice', 'The choice for the keys of a leaving member.', {
  keys: oneOf(['keep', 'revoke'], 'The keys that this member created, in every environment: keep or revoke them.'),
});

export const EndedMembership = namedObject(
  'EndedMembership',
  'The results for the keys. The membership has ended in any case.',
  {
    keys: Type.Array(
      strictObject({
        environment: oneOf(['sandbox', 'production'], 'The environment.'),
        outcome: oneOf(
          ['revoked', 'not_reached'],
          'The result. `not_reached`: the environment did not respond, and the keys may still work; `revokeKeysMadeBy` revokes them later.',
        ),
        count: nullable(integer('The number of keys that were active.', 0, 1_000_000)),
      }),
      { maxItems: 2, description: 'One item for each environment if keys were to be revoked; otherwise empty.' },
    ),
  },
);

export const exampleEnded = { keys: [{ environment: 'sandbox', outcome: 'revoked', count: 2 }] };

export async function endMembership(
  context: ConsoleOrganisationContext,
  row: MemberRow,
  keys: 'keep' | 'revoke',
): Promise<Reply> {
  const { services, actor, tx, audit, afterCommit } = context;
  const { organisationId } = actor;
  if (keys === 'revoke') requireAction(actor.role, 'keys.revoke');
  requireRemainingOwner(row, await countOwners(tx, organisationId));
  const email = (await findPeople(tx, [row.person_id])).get(row.person_id)?.email;
  await revokeExceedingInvitations(context, row.person_id);
  await deleteMember(tx, organisationId, row.member_id);
  if (actor.role === 'owner' && row.person_id !== actor.personId)
    await forgetAppointmentMails(tx, organisationId, row.person_id);
  const action = row.person_id === actor.personId ? 'member.leave' : 'member.remove';
  audit(action, toId('mem', row.member_id), { email, role: row.role, keys });
  if (keys === 'keep' || email === undefined) return { status: 200, body: { keys: [] } };
  const path = `/organisations/${toId('org', organisationId)}/keys/revoke`;
  const earlier = await listEarlierEmails(tx, row.person_id);
  // An environment of the previous release refuses the field, so it is sent only if needed.
  const ofEarlier = earlier.map(({ email: createdBy, until }) => ({ createdBy, until: until.toISOString() }));
  const body = { createdBy: email, ...(earlier.length > 0 && { earlier: ofEarlier }) };
  return afterCommit(async () => {
    const answers = await services.askPlanes(actor, { method: 'POST', path, body });
    return { status: 200, body: { keys: answers.map(toOutcome) } };
  });
}

function toOutcome({ environment, status, body }: PlaneResponse) {
  if (status !== 200) return { environment, outcome: 'not_reached', count: null };
  const { revoked } = JSON.parse(body) as { revoked: number }; // the answer of revokeKeysMadeBy
  return { environment, outcome: 'revoked', count: revoked };
}
