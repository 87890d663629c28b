import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { exampleRoadmapItem, RoadmapItem, RoadmapItemId, toRoadmapItem } from './roadmap-item.ts';
import { findRoadmapItem } from './store.ts';

export const getRoadmapItem = operation({
  id: 'getRoadmapItem',
  route: 'GET /v1/roadmap/{roadmapItemId}',
  tag: 'Roadmap',
  summary: 'Get a roadmap item',
  description: 'Returns one roadmap item of a server that has authorised this app with `roadmap:read`.',
  access: allowKeyRead('roadmap:read', { serverParam: true }),
  params: strictObject({ roadmapItemId: RoadmapItemId }),
  replies: ok('The roadmap item.', RoadmapItem, { anItem: exampleRoadmapItem }),
  run(context, { ids: { roadmapItemId } }) {
    return context.page('roadmap', async (tenant) => {
      const { revision, row } = await findRoadmapItem(tenant, roadmapItemId);
      if (!row) throw problem('not_found');
      await requireGrant(tenant, row.server_id, 'roadmap:read');
      return { revision, subjectId: row.server_id, json: JSON.stringify(toRoadmapItem(row)) };
    });
  },
});
