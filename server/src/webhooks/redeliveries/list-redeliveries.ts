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
  summary: 'List redeliveries',
  description: 'Lists the app’s redeliveries, newest first, with their progress.',
  access: allowAppManagement('deliveries.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies('RedeliveryList', Redelivery, 'A page of redeliveries.', exampleRedelivery),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'rdl',
      load: (after, limit) => listRedeliveryRows(tenant, after, limit),
      toItem: toRedelivery,
      idOf: (row) => row.redelivery_id,
    }),
});
