import { cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { judgeEndpoint } from '../dispatch/index.ts';
import { endpointParams } from '../webhooks/index.ts';
import { Drill, exampleDrill, toDrill } from './drill.ts';
import { listDrillRows } from './store.ts';

export const listDrills = operation({
  id: 'listDrills',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills',
  tag: 'Webhooks',
  summary: 'List drills',
  description: 'The latest drills of an endpoint, newest first; 20 are kept.',
  access: managesApp('endpoints.read'),
  params: endpointParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of drills.',
      schema: named('DrillList', listOf(Drill, 'A page of drills.')),
      examples: { aPage: { data: [exampleDrill], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { ids: { endpointId }, query }) {
    if (!(await judgeEndpoint(tenant, endpointId))) throw problem('not_found');
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listDrills', { ...query, endpointId });
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('drl', position);
    const rows = await listDrillRows(tenant, endpointId, after, limit + 1);
    const body = toList(rows, limit, toDrill, (row) => sealCursor(toId('drl', row.drill_id), binding, plane.cursorKey));
    return { status: 200, body };
  },
});
