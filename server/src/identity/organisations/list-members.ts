import { cursorBinding, organisationParams } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { findPeople, memberReads } from '../sessions/index.ts';
import { exampleMember, Member, toMember } from './member.ts';
import { listMemberRows } from './member-store.ts';

export const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/api/organisations/{organisationId}/members',
  tag: 'Organisations',
  summary: 'List members',
  description: 'The members of the organisation, newest first.',
  access: memberReads('members.read'),
  params: organisationParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of members.',
      schema: named('MemberList', listOf(Member, 'A page of members.')),
      examples: { aPage: { data: [exampleMember], nextCursor: null } },
    },
  },
  async run({ services, actor, tx }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listMembers', query);
    const position = openCursor(query.cursor, binding, services.cursorKey);
    const after = position === undefined ? undefined : fromId('mem', position);
    const rows = await listMemberRows(tx, actor.organisationId, after, limit + 1);
    const people = await findPeople(
      tx,
      rows.map((row) => row.person_id),
    );
    const body = toList(
      rows,
      limit,
      (row) => toMember(row, people.get(row.person_id)),
      (row) => sealCursor(toId('mem', row.member_id), binding, services.cursorKey),
    );
    return { status: 200, body };
  },
});
