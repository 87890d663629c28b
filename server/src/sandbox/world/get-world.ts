import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { countWorld, findWorld } from './store.ts';
import { exampleWorld, toWorld, World } from './world.ts';

export const getWorld = operation({
  id: 'getWorld',
  route: 'GET /organisations/{organisationId}/apps/{appId}/world',
  tag: 'World',
  summary: 'Get the world of an app',
  description: 'Returns the inputs of the app’s synthetic world, the number of its objects, and its clock.',
  access: allowAppManagement('world.read'),
  params: appParams,
  replies: ok('The world.', World, { aWorld: exampleWorld }),
  async run({ tenant }) {
    const row = await findWorld(tenant);
    if (!row) throw problem('not_found');
    return { status: 200, body: toWorld(row, await countWorld(tenant)) };
  },
});
