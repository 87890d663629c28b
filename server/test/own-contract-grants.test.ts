// A contract of an operator with a resource that grants scopes: each of its objects is an installation of the app, and
// permits access to itself and to the objects below it.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, json } from './app.ts';
import { until } from './harness.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});

interface Item {
  id: number;
  name: string;
  space_id: number;
  code?: string;
}
interface Page {
  data: Item[];
  next: string | null;
}
type State = 'authorised' | 'paused' | 'revoked';
interface Installation {
  serverId: string;
  serverName: string;
  installation: { state: State; scopes: { scope: string; state: State }[] } | null;
}

useOwnContract();
/** The server of each space, by the number of the space. */
let servers: Map<number, string>;
beforeEach(async () => {
  servers = new Map();
  for (const { id } of (await get<Page>('/spaces')).body.data) {
    servers.set(id, `srv_${await uuidOfSpace(id)}`);
  }
});

const get = <T = Item>(path: string): Promise<Answer<T>> => sandbox.call<T>(`/v1${path}`, key.token);
const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer<Item>> =>
  sandbox.call<Item>(`/v1${path}`, key.token, body === undefined ? { method, headers } : { ...json(body), method });
const installations = async (): Promise<Installation[]> =>
  (await sandbox.manage<{ data: Installation[] }>('GET', `/apps/${app.id}/installations`)).body.data;
const set = (space: number, state: State, scope?: string): Promise<Answer<Installation>> =>
  sandbox.manage<Installation>(
    'PUT',
    `/apps/${app.id}/servers/${servers.get(space)}/installation${scope === undefined ? '' : `/scopes/${scope}`}`,
    { state },
  );
/** Returns the part of the identifiers of a space after the prefix: the space and its server have one UUID. */
async function uuidOfSpace(id: number): Promise<string> {
  const found = await sandbox.manage<{ data: { id: string; title: string }[] }>(
    'GET',
    `/apps/${app.id}/world/objects?kind=space`,
  );
  for (const { id: objectId } of found.body.data) {
    const { body } = await sandbox.manage<{ resource: Item }>('GET', `/apps/${app.id}/world/objects/${objectId}`);
    if (body.resource.id === id) return objectId.slice('spc_'.length);
  }
  throw new Error(`There is no space ${id}.`);
}
const idsIn = ({ body }: Answer<Page>): number[] => body.data.map(({ id }) => id).sort((a, b) => a - b);
const outcome = ({ status, body }: Answer<Item>): string => body?.code ?? String(status);

describe('installations', () => {
  test('are listed for each object that grants, with its current name, and for the account', async () => {
    const { data: spaces } = (await get<Page>('/spaces')).body;
    const all = await installations();
    expect(all.map(({ serverName }) => serverName).sort()).toEqual(
      ['Account', ...spaces.map(({ name }) => name)].sort(),
    );
    expect(new Set(all.map(({ installation }) => installation?.scopes.length))).toEqual(new Set([6]));
    expect((await send('PATCH', '/spaces/1', { name: 'Harbour' })).status).toBe(200);
    const renamed = (await installations()).find(({ serverId }) => serverId === servers.get(1));
    expect(renamed?.serverName).toBe('Harbour');
  });

  test('of a paused object refuse its reads and changes, and those below it, and no others', async () => {
    const task = (await get<Page>('/spaces/1/tasks')).body.data[0]?.id;
    const other = (await get<Page>('/spaces/2/tasks')).body.data[0]?.id;
    expect((await set(1, 'paused')).status).toBe(200);
    for (const path of ['/spaces/1', '/spaces/1/tasks', `/tasks/${task}`, `/tasks/${task}/comments`]) {
      expect([path, outcome(await get(path))]).toEqual([path, 'installation_paused']);
    }
    expect(outcome(await send('POST', '/spaces/1/tasks', { name: 'Tea' }))).toBe('installation_paused');
    expect(outcome(await send('POST', '/tasks', { name: 'Tea', space_id: 1 }))).toBe('installation_paused');
    expect(outcome(await send('PATCH', `/tasks/${task}`, { name: 'Tea' }))).toBe('installation_paused');
    expect(outcome(await send('POST', `/tasks/${task}/comments`, {}))).toBe('installation_paused');
    expect(outcome(await send('DELETE', `/tasks/${task}`))).toBe('installation_paused');
    expect((await get('/spaces/2/tasks')).status).toBe(200);
    expect((await send('PATCH', `/tasks/${other}`, { name: 'Tea' })).status).toBe(200);
    expect((await get('/plans')).status).toBe(200);
    await set(1, 'authorised');
    expect((await get(`/tasks/${task}`)).status).toBe(200);
  });

  test('without a scope refuse the operations that need it', async () => {
    await set(1, 'revoked', 'tasks:write');
    expect((await get('/spaces/1/tasks')).status).toBe(200);
    expect(outcome(await send('POST', '/spaces/1/tasks', { name: 'Tea' }))).toBe('installation_revoked');
    expect((await send('POST', '/spaces/2/tasks', { name: 'Tea' })).status).toBe(201);
  });

  test('of the account grant the objects that are below no granting object', async () => {
    const account = (await installations()).find(({ serverName }) => serverName === 'Account');
    servers.set(0, account?.serverId ?? '');
    await set(0, 'revoked');
    expect(outcome(await get('/plans'))).toBe('installation_revoked');
    expect((await get('/spaces/1')).status).toBe(200);
  });
});

describe('lists without a granting object in the path', () => {
  test('contain the objects whose grants permit it, in all pages', async () => {
    expect(idsIn(await get<Page>('/spaces'))).toEqual([1, 2, 3]);
    const own = idsIn(await get<Page>('/spaces/2/tasks'));
    await set(1, 'paused');
    await set(3, 'revoked', 'tasks:read');
    expect(idsIn(await get<Page>('/spaces'))).toEqual([2, 3]);
    expect(idsIn(await get<Page>('/tasks'))).toEqual(own);
    const first = await get<Page>('/tasks?limit=3');
    const second = await get<Page>(`/tasks?limit=3&after=${first.body.next}`);
    expect([...idsIn(first), ...idsIn(second)].sort((a, b) => a - b)).toEqual(own);
    expect(idsIn(await get<Page>('/tasks?space_id=1'))).toEqual([]);
  });
});

test('an action without an object repeats values of the body that fit the response, and is refused like others', async () => {
  const estimate = async (hours: number) => {
    const { status, body } = await send('POST', '/spaces/1/estimate', { hours });
    return { status, ...(body as object as { hours: number; cost: number }) };
  };
  expect(await estimate(7)).toEqual({ status: 200, hours: 7, cost: expect.any(Number) });
  expect((await estimate(70)).hours).toBeLessThanOrEqual(8);
  await set(1, 'paused');
  expect((await estimate(7)).status).toBe(403);
  expect((await send('POST', '/spaces/99/estimate', { hours: 7 })).status).toBe(404);
});

describe('a change of the parent', () => {
  test('cannot move an object below another granting object', async () => {
    const task = (await get<Page>('/spaces/1/tasks')).body.data[0]?.id;
    const moved = await send('PATCH', `/tasks/${task}`, { space_id: 2 });
    expect([moved.status, moved.text]).toEqual([400, expect.stringContaining('/space_id')]);
    expect((await get(`/tasks/${task}`)).body.space_id).toBe(1);
    expect((await send('PATCH', `/tasks/${task}`, { space_id: 1, name: 'Tea' })).status).toBe(200);
  });

  test('cannot name an object of another space in the path', async () => {
    const task = (await get<Page>('/spaces/1/tasks')).body.data[0]?.id;
    await set(1, 'revoked');
    expect(outcome(await send('PUT', `/spaces/2/tasks/${task}`, { name: 'Tea' }))).toBe('conflict');
    expect(outcome(await send('POST', '/tasks', { space_id: 99 }))).toBe('not_found');
  });
});

describe('events', () => {
  interface Event {
    type: string;
    serverId: string;
  }
  const tasksIn = async (): Promise<Event[]> =>
    (await get<{ data: Event[] }>('/events?limit=100')).body.data.filter(({ type }) => type === 'task.created');

  test('name the server of their object, and are withheld while the server does not grant them', async () => {
    for (const space of [1, 2]) await send('POST', `/spaces/${space}/tasks`, { name: 'Tea' });
    const both = await until(async () => {
      const found = await tasksIn();
      return found.length === 2 && found;
    });
    expect(both.map(({ serverId }) => serverId)).toEqual(expect.arrayContaining([servers.get(1), servers.get(2)]));
    await set(1, 'paused', 'events:read');
    expect((await tasksIn()).map(({ serverId }) => serverId)).toEqual([servers.get(2)]);
    await set(2, 'paused', 'tasks:read');
    expect(await tasksIn()).toEqual([]);
  });

  test('are delivered, held and cancelled with the grants of the server of their object', async () => {
    const input = { url: 'https://bridge.example.org/', keyId: key.id, eventTypes: ['task.created'] };
    expect((await sandbox.manage('POST', `/apps/${app.id}/endpoints`, input)).status).toBe(201);
    for (const space of [1, 2, 3]) await send('POST', `/spaces/${space}/tasks`, { name: 'Tea' });
    const statuses = async (): Promise<string[]> => {
      const { body } = await sandbox.manage<{ data: { status: string }[] }>('GET', `/apps/${app.id}/deliveries`);
      return body.data.map(({ status }) => status).sort();
    };
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
    await set(1, 'paused');
    await set(2, 'revoked');
    expect(await statuses()).toEqual(['cancelled', 'held', 'pending']);
  });

  test('are triggered on a named space, also those of the installation', async () => {
    const trigger = (type: string, space: number) =>
      sandbox.manage<{ type: string; serverId: string }>('POST', `/apps/${app.id}/world/events`, {
        type,
        objectId: servers.get(space)?.replace('srv_', 'spc_'),
      });
    for (const type of ['task.created', 'space.renamed', 'ping', 'installation.paused', 'installation.resumed']) {
      const { status, body } = await trigger(type, 2);
      expect([status, body.type, body.serverId]).toEqual([201, type, servers.get(2)]);
    }
  });
});

describe('a triggered event of a resource', () => {
  interface TriggeredEvent {
    data: Item;
    errors?: { pointer: string; detail: string }[];
  }
  const trigger = (type: string, set: object, objectId?: string) =>
    sandbox.manage<TriggeredEvent>('POST', `/apps/${app.id}/world/events`, { type, set, objectId });

  test('has the fields that the trigger sets, and creates or changes its object with them', async () => {
    const made = await trigger('task.created', { name: 'Tea' }, servers.get(2)?.replace('srv_', 'spc_'));
    expect([made.status, made.body.data]).toMatchObject([201, { name: 'Tea', space_id: 2 }]);
    const path = `/tasks/${made.body.data.id}`;
    expect((await get(path)).body.name).toBe('Tea');
    const renamed = await trigger('space.renamed', { name: 'Harbour' }, servers.get(3)?.replace('srv_', 'spc_'));
    expect([renamed.status, renamed.body.data]).toEqual([201, { id: 3, name: 'Harbour' }]);
    expect((await get('/spaces/3')).body.name).toBe('Harbour');
  });

  test('takes no field that the resource lacks or the platform sets, and no value that does not fit its schema', async () => {
    const named = 'is not a field of task.created; the fields are name';
    for (const [set, pointer, detail] of [
      [{ id: 7 }, '/set/id', named],
      [{ space_id: 1 }, '/set/space_id', named],
      [{ subject: 'Tea' }, '/set/subject', named],
      [{ name: '' }, '/set/name', 'must not be empty'],
      [{ name: 5 }, '/set/name', expect.stringContaining('string')],
    ] as const) {
      const { status, body } = await trigger('task.created', set);
      expect([set, status, body.errors]).toEqual([set, 400, [{ pointer, detail }]]);
    }
    expect((await trigger('ping', { name: 'Tea' })).body.errors).toEqual([
      { pointer: '/set/name', detail: 'is not allowed for ping, whose content cannot be set' },
    ]);
  });

  test('has fields in the script of the pages of the Console', async () => {
    const { contractScript } = await import('../src/listeners/contract-script.ts');
    const fields = '"task.created":[{"name":"name","most":120}]';
    expect(contractScript()).toContain(fields);
  });

  test('names an identifier of this contract if the object has another form', async () => {
    const { body } = await trigger('task.created', {}, '7');
    const detail = expect.stringMatching(/^must have the form of spc_/);
    expect(body.errors).toEqual([{ pointer: '/objectId', detail }]);
  });
});

describe('a reset', () => {
  const reset = (preset: string) => sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset });

  test('ends the installations of objects that vanish, and keeps the grants of those that stay', async () => {
    await set(1, 'paused');
    const first = servers.get(1);
    expect((await reset('empty')).status).toBe(200);
    expect((await installations()).map(({ serverName }) => serverName)).toHaveLength(2);
    expect((await installations()).find(({ serverId }) => serverId === first)?.installation?.state).toBe('paused');
    expect(outcome(await get('/spaces/2'))).toBe('not_found');
    await reset('small');
    expect(outcome(await get('/spaces/1'))).toBe('installation_paused');
    expect((await get('/spaces/2/tasks')).status).toBe(200);
  });
});

test('a change with a file has the type that the request prefers, also in the stored response', async () => {
  const print = (accept: string, key: string) =>
    send('POST', '/tasks/1/print', undefined, { accept, 'idempotency-key': key });
  const typeOf = ({ headers }: Answer<Item>) => headers.get('content-type');
  expect(typeOf(await print('image/png', 'one'))).toBe('image/png');
  expect(typeOf(await print('application/pdf', 'one'))).toBe('image/png');
  expect(typeOf(await print('*/*', 'two'))).toBe('application/pdf');
});

describe('an explanation of access', () => {
  interface Explanation {
    isAllowed: boolean;
    code: string | null;
    scope: string;
    rules: { rule: string; scope: string | null; outcome: string }[];
    omittedServers: { serverId: string; scope: string; code: string }[] | null;
  }
  const explain = async (operationId: string, query: string): Promise<Explanation> =>
    (await sandbox.manage<Explanation>('GET', `/apps/${app.id}/access/${operationId}?${query}`)).body;

  test('names the scope that decides of an operation with several scopes', async () => {
    const writer = await app.key(['tasks:write' as never]); // a scope of the contract
    expect(await explain('addComment', `serverId=${servers.get(1)}&keyId=${key.id}`)).toMatchObject({
      isAllowed: true,
    });
    expect(await explain('addComment', `serverId=${servers.get(1)}&keyId=${writer.id}`)).toMatchObject({
      ...{ isAllowed: false, code: 'missing_scope', scope: 'tasks:read' },
    });
    await set(1, 'paused', 'tasks:read');
    expect(await explain('addComment', `serverId=${servers.get(1)}&keyId=${key.id}`)).toMatchObject({
      ...{ isAllowed: false, code: 'installation_paused', scope: 'tasks:read' },
    });
  });

  test('needs all scopes of the key before the grant of any scope, as the operation does', async () => {
    const writer = await app.key(['tasks:write' as never]); // a scope of the contract
    const task = (await get<Page>('/spaces/1/tasks')).body.data[0]?.id;
    await set(1, 'paused', 'tasks:write');
    const comment = (token: string) =>
      sandbox.call<Item>(`/v1/tasks/${task}/comments`, token, { ...json({}), method: 'POST' });
    for (const { id, token } of [writer, key]) {
      const explained = await explain('addComment', `serverId=${servers.get(1)}&keyId=${id}`);
      expect(explained.code).toBe((await comment(token)).body.code);
      const broken = explained.rules.filter(({ outcome }) => outcome === 'broken');
      expect(broken.at(0)?.scope).toBe(explained.scope);
    }
    const { rules } = await explain('addComment', `serverId=${servers.get(1)}&keyId=${key.id}`);
    const paused = rules.filter(
      ({ rule }) => rule === 'scope_not_paused_by_organisation' || rule === 'scope_not_paused',
    );
    expect(new Set(paused.map(({ scope }) => scope))).toEqual(new Set(['tasks:write', 'tasks:read']));
    expect(new Set(rules.map(({ rule, scope }) => `${rule} ${scope}`)).size).toBe(rules.length);
  });

  test('refuses an operation on objects of the account as the operation does, with and without a server', async () => {
    const account = (await installations()).find(({ serverName }) => serverName === 'Account');
    servers.set(0, account?.serverId ?? '');
    for (const state of ['authorised', 'paused', 'revoked'] as const) {
      await set(0, state, 'plans:read');
      const { status, body } = await get('/plans');
      const expected = { serverId: servers.get(0), isAllowed: status === 200, code: body.code ?? null };
      for (const on of ['', `&serverId=${servers.get(0)}`, `&serverId=${servers.get(1)}`]) {
        expect(await explain('listPlans', `keyId=${key.id}${on}`)).toMatchObject({ ...expected, omittedServers: null });
      }
      expect(await explain('listPlans', '')).toMatchObject(expected);
    }
  });

  test('requires a server for a creation whose body names the parent', async () => {
    await set(1, 'paused');
    const path = `/apps/${app.id}/access/addTask?keyId=${key.id}`;
    expect((await sandbox.manage('GET', path)).text).toContain('/query/serverId');
    expect(await explain('addTask', `serverId=${servers.get(1)}`)).toMatchObject({
      code: 'installation_paused',
    });
  });

  test('lists the servers that a list of all objects omits', async () => {
    await set(2, 'paused');
    const { isAllowed, omittedServers } = await explain('listTasks', `keyId=${key.id}`);
    expect([isAllowed, omittedServers?.length]).toEqual([true, 1]);
  });

  test('names the servers that a list with several scopes omits, with the scope that each does not grant', async () => {
    const account = (await installations()).find(({ serverName }) => serverName === 'Account');
    servers.set(0, account?.serverId ?? '');
    await set(0, 'paused');
    await set(1, 'paused', 'spaces:read');
    await set(2, 'revoked', 'tasks:read');
    const omittedBy = async (operationId: string, query = '') => {
      const { omittedServers } = await explain(operationId, `keyId=${key.id}${query}`);
      return omittedServers?.map(({ serverId, scope, code }) => [serverId, scope, code]).toSorted();
    };
    const spacesIn = async (path: string) =>
      [...new Set((await get<Page>(path)).body.data.map((task) => Reflect.get(task, 'space_id')))].toSorted();
    const first = [servers.get(1), 'spaces:read', 'installation_paused'];
    const second = [servers.get(2), 'tasks:read', 'installation_revoked'];
    expect(await omittedBy('listOpenTasks')).toEqual([first, second].toSorted());
    expect(await spacesIn('/open-tasks?limit=100')).toEqual([3]);
    expect(await omittedBy('listTasks')).toEqual([second]);
    expect(await spacesIn('/tasks?limit=100')).toEqual([1, 3]);
    expect(await omittedBy('listOpenTasks', `&serverId=${servers.get(1)}`)).toEqual([first]);
    expect(await omittedBy('listOpenTasks', `&serverId=${servers.get(3)}`)).toEqual([]);
  });
});

describe('a forecast', () => {
  const forecast = async (change: object) =>
    (
      await sandbox.manage<{ requests: { examined: number; refused: number; shortened: number } }>(
        'POST',
        `/apps/${app.id}/access-forecasts`,
        change,
      )
    ).body.requests;

  test('judges each scope of an operation', async () => {
    const task = (await get<Page>('/spaces/1/tasks')).body.data[0]?.id;
    const used = await app.key();
    const grants = { serverIds: [servers.get(1)], scopes: ['spaces:read'], state: 'paused' };
    const before = await forecast({ grants });
    expect((await sandbox.call('/v1/open-tasks', used.token)).status).toBe(200);
    const comment = { ...json({}), method: 'POST' };
    expect((await sandbox.call(`/v1/tasks/${task}/comments`, used.token, comment)).status).toBe(201);
    expect(await forecast({ key: { keyId: used.id, state: 'revoked' } })).toMatchObject({ examined: 2, refused: 2 });
    const { refused, shortened } = await forecast({ grants });
    expect([refused - before.refused, shortened - before.shortened]).toEqual([0, 1]);
  });
});
