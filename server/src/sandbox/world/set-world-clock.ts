import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { resetInProgress } from './rebuild-world.ts';
import { countWorld, findWorld, isBeingReset, lockWorld, updateSpeed } from './store.ts';
import { exampleWorld, SPEEDS, toWorld, World, WorldClockSetting } from './world.ts';

export const setWorldClock = operation({
  id: 'setWorldClock',
  route: 'PUT /organisations/{organisationId}/apps/{appId}/world/clock',
  tag: 'World',
  summary: "Set the world's clock",
  description:
    'Sets how fast tickets are answered, publications appear and roadmap items move. A faster clock returns to `1x` after one hour.',
  access: allowAppManagement('world.change'),
  params: appParams,
  body: WorldClockSetting,
  examples: { anHourAMinute: { speed: '60x' } },
  replies: ok('The world.', World, { aWorld: exampleWorld }),
  problems: ['conflict'],
  async run({ tenant, audit }, { params, body }) {
    if (await isBeingReset(tenant)) throw resetInProgress();
    const world = await lockWorld(tenant);
    if (!world) throw problem('not_found');
    await updateSpeed(tenant, world, SPEEDS[body.speed]);
    audit('world.clock', params.appId, { speed: body.speed });
    const row = (await findWorld(tenant)) ?? world;
    return { status: 200, body: toWorld(row, await countWorld(tenant)) };
  },
});
