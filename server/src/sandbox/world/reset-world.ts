import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { emitGrantEvents } from '../../tenancy/installations/index.ts';
import { rebuildWorld } from './rebuild-world.ts';
import { countWorld, findWorld } from './store.ts';
import { exampleWorld, toWorld, World, WorldReset } from './world.ts';

export const resetWorld = operation({
  id: 'resetWorld',
  route: 'POST /organisations/{organisationId}/apps/{appId}/world/reset',
  tag: 'World',
  summary: 'Reset the world of an app',
  description:
    'Replaces the complete world in one step. Equal preset, seed and epoch give the same objects with the same identifiers. Keys, request records and past events remain. Installations remain for servers that exist in the new world; installations of other servers end, and pending deliveries of their events are cancelled. New servers have authorised the app. Each installation that begins or ends emits `installation.scope_changed`. Tickets and workflow runs are deleted.',
  access: allowAppManagement('world.change'),
  params: appParams,
  body: WorldReset,
  examples: { theSameAgain: {}, anotherOne: { preset: 'busy', seed: 'ci', epoch: 0 } },
  replies: ok('The new world.', World, { aWorld: exampleWorld }),
  problems: ['conflict'],
  async run(context, { params, body }) {
    const { tenant, audit, cancelInFlight } = context;
    const { spec, vanished, ended } = await rebuildWorld(tenant, body);
    await emitGrantEvents(context, ended);
    audit('world.reset', params.appId, { ...spec, vanishedServers: vanished });
    if (vanished > 0) cancelInFlight({ keyId: null, serverId: null });
    const row = await findWorld(tenant);
    if (!row) throw problem('not_found');
    return { status: 200, body: toWorld(row, await countWorld(tenant)) };
  },
});
