import { allowAppManagement } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { authoriseEndpoint } from '../dispatch/index.ts';
import { endpointParams } from '../webhooks/index.ts';
import { Drill, exampleDrill, toDrill } from './drill.ts';
import { listDrillRows } from './store.ts';

export const listDrills = operation({
  id: 'listDrills',
  route: 'GET /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills',
  tag: 'Webhooks',
  summary: 'List drills',
  description: 'Lists the latest drills of an endpoint, newest first. The last 20 are kept.',
  access: allowAppManagement('endpoints.read'),
  params: endpointParams,
  query: strictObject(listQuery),
  replies: listReplies('DrillList', Drill, 'A page of drills.', exampleDrill),
  async run({ tenant, paged }, { ids: { endpointId } }) {
    if (!(await authoriseEndpoint(tenant, endpointId))) throw problem('not_found');
    return paged({
      prefix: 'drl',
      load: (after, limit) => listDrillRows(tenant, endpointId, after, limit),
      toItem: toDrill,
      idOf: (row) => row.drill_id,
    });
  },
});
