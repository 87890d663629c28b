import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleDestination, NoticeDestination, toDestination } from './destination.ts';
import { listDestinations } from './store.ts';

export const listNoticeDestinations = operation({
  id: 'listNoticeDestinations',
  route: 'GET /api/organisations/{organisationId}/notice-destinations',
  tag: 'Notices',
  summary: 'List destinations of notices',
  description:
    'Lists the destinations that receive the notices of the organisation, newest first, with the result of the latest attempt and without their addresses and secrets.',
  access: allowMemberRead('endpoints.read'),
  params: organisationParams,
  query: strictObject(listQuery),
  replies: listReplies('NoticeDestinationList', NoticeDestination, 'A page of destinations.', exampleDestination),
  run: ({ actor, tx, paged }) =>
    paged({
      prefix: 'nds',
      load: (after, limit) => listDestinations(tx, actor.organisationId, after, limit),
      toItem: toDestination,
      idOf: (row) => row.destination_id,
    }),
});
