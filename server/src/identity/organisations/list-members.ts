import { organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { allowMemberRead, findPeople } from '../sessions/index.ts';
import { exampleMember, Member, toMember } from './member.ts';
import { listMemberRows } from './member-store.ts';

export const listMembers = operation({
  id: 'listMembers',
  route: 'GET /api/organisations/{organisationId}/members',
  tag: 'Organisations',
  summary: 'List members',
  description: 'Lists the members of the organisation, newest first.',
  access: allowMemberRead('members.read'),
  params: organisationParams,
  query: strictObject(listQuery),
  replies: listReplies('MemberList', Member, 'A page of members.', exampleMember),
  run: ({ actor, tx, paged }) =>
    paged({
      prefix: 'mem',
      load: async (after, limit) => {
        const rows = await listMemberRows(tx, actor.organisationId, after, limit);
        const people = await findPeople(
          tx,
          rows.map((row) => row.person_id),
        );
        return rows.map((row) => ({ row, person: people.get(row.person_id) }));
      },
      toItem: ({ row, person }) => toMember(row, person),
      idOf: ({ row }) => row.member_id,
    }),
});
