import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleRedelivery, Redelivery, toRedelivery } from './redelivery.ts';
import { listRedeliveryRows } from './store.ts';

export const listRedeliveries = operation({
  id: 'listRedeliveries',
  route: 'GET /organisations/{organisationId}/apps/{appId}/redeliveries',
  tag: 'Webhooks',
  summary: 'List redelivery jobs',
  description: 'Lists the redelivery jobs of the app, newest first, with their progress.',
  access: allowAppManagement('deliveries.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies('RedeliveryList', Redelivery, 'A page of redelivery jobs.', exampleRedelivery),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'rdl',
      load: (after, limit) => listRedeliveryRows(tenant, after, limit),
      toItem: toRedelivery,
      idOf: (row) => row.redelivery_id,
    }),
});
