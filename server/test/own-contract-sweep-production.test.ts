// The sweep of production with a contract with granting objects.
import { vi } from 'vitest';
import type { StartedEnvironment } from './sweep/sweep-production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});
const { toId } = await import('../src/kit/crypto/ids.ts');
const { uuidOfObject } = await import('../src/production/identifiers/index.ts');
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');
const { SPACES_SCOPES } = await import('./sweep/spaces-model.ts');
const { sweepProduction } = await import('./sweep/sweep-production.fixture.ts');

// No other text of a response contains these numbers.
const [FIRST, SECOND] = ['4800000000001', '4800000000002'] as const;
const NAME = { name: 'Harbour' };

async function start(): Promise<StartedEnvironment> {
  const own = await startOwnProduction();
  const ofSpace = (key: string) => {
    const space = own.upstream.add('space', { id: Number(key), ...NAME });
    return { key, serverId: toId('srv', uuidOfObject(space.resource, key)) };
  };
  const events: Readonly<Record<string, { type: string; data: object }>> = {
    'spaces:read': { type: 'space.renamed', data: { id: Number(FIRST), ...NAME } },
    'tasks:read': { type: 'task.created', data: { id: 1, space_id: Number(FIRST), ...NAME } },
  };
  return {
    production: own.production,
    upstream: {
      scopes: SPACES_SCOPES,
      // A plan is below no space, so no operation on a space needs `plans:read`.
      operations: {
        'spaces:read': { id: 'getSpace', path: '/v1/spaces/{key}', status: 200 },
        'spaces:write': { id: 'renameSpace', path: '/v1/spaces/{key}', status: 200, method: 'PATCH', body: NAME },
        'tasks:read': { id: 'listTasksOfSpace', path: '/v1/spaces/{key}/tasks', status: 200 },
        'tasks:write': { id: 'createTask', path: '/v1/spaces/{key}/tasks', status: 201, body: NAME },
        'events:read': { id: 'listEvents', path: '/v1/events?serverId={serverId}', status: 200 },
      },
      list: { id: 'listSpaces', path: '/v1/spaces', scope: 'spaces:read' },
      eventTypes: Object.fromEntries(Object.entries(events).map(([scope, { type }]) => [scope, type])),
      servers: [ofSpace(FIRST), ofSpace(SECOND)],
      state: (app, { key }, whole, scopes) => own.grant(app, `grantors/${key}`, whole, scopes),
      async report(app, scope) {
        const event = { id: `${scope} of ${app.id}`, grantorId: Number(FIRST), appId: app.id, ...events[scope] };
        const { status, body } = await own.ingest<{ written?: number }>('POST', '/events', event);
        if (body.written !== 1)
          throw new Error(`An event for ${scope} was answered ${status} ${JSON.stringify(body)}.`);
      },
    },
    close: () => own.close(),
  };
}

sweepProduction(start, { oneIn: 20 });
