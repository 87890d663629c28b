import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { emitGrantEvents } from '../../tenancy/installations/index.ts';
import { renewWorld } from './renew-world.ts';
import { countWorld, findWorld } from './store.ts';
import { exampleWorld, toWorld, World, WorldReset } from './world.ts';

export const resetWorld = operation({
  id: 'resetWorld',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/world/reset',
  tag: 'World',
  summary: 'Reset the world of an app',
  description:
    'Makes the world anew, at once and as a whole. Equal preset, seed and epoch give the same objects with the same identifiers. Keys, request records and past events stay, and so do the installations of servers that stay; those of servers that vanish end with them, and what waited for their events is cancelled. New servers have authorised the app. Each installation that begins or ends emits `installation.scope_changed`. Tickets and workflow runs are gone.',
  access: managesApp('world.change'),
  params: appParams,
  body: WorldReset,
  examples: { theSameAgain: {}, anotherOne: { preset: 'busy', seed: 'ci', epoch: 0 } },
  replies: { 200: { description: 'The new world.', schema: World, examples: { aWorld: exampleWorld } } },
  problems: ['conflict'],
  async run(context, { params, body }) {
    const { tenant, audit, cancelInFlight } = context;
    const { spec, vanished, ended } = await renewWorld(tenant, body);
    await emitGrantEvents(context, ended);
    audit('world.reset', params.appId, { ...spec, vanishedServers: vanished });
    if (vanished > 0) cancelInFlight({ keyId: null, serverId: null });
    const row = await findWorld(tenant);
    if (!row) throw problem('not_found');
    return { status: 200, body: toWorld(row, await countWorld(tenant)) };
  },
});
