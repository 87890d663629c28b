import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { linkOfFirst, listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';
import { exampleRoadmapItem, RoadmapItem, toRoadmapItem } from './roadmap-item.ts';
import { listRoadmapItemRows } from './store.ts';

export const listRoadmap = operation({
  id: 'listRoadmap',
  route: 'GET /v1/servers/{serverId}/roadmap',
  tag: 'Roadmap',
  summary: 'List the roadmap of a server',
  description:
    'Lists the roadmap of a server that has authorised this app with `roadmap:read`, newest item first. `position` is the place of an item on the board.',
  access: allowKeyRead('roadmap:read', { serverParam: true }),
  params: strictObject({ serverId: ServerId }),
  query: strictObject(listQuery),
  replies: listReplies('RoadmapItemList', RoadmapItem, 'A page of roadmap items.', exampleRoadmapItem, {
    headers: ['Link'],
    links: { anItem: linkOfFirst('getRoadmapItem', 'roadmapItemId', 'An item of the page.') },
  }),
  run: (context, { ids: { serverId } }) =>
    listPage(context, {
      collection: 'roadmap',
      prefix: 'rmi',
      idOf: (row) => row.roadmap_item_id,
      toItem: toRoadmapItem,
      granted: { serverId, scope: 'roadmap:read' },
      load: (tenant, after, limit) => listRoadmapItemRows(tenant, serverId, after, limit),
    }),
});
