// Production with a contract whose spaces grant scopes: the grant that decides follows from the path, the body, or the
// objects that the upstream API returns.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from './app.ts';
import type { OwnProduction } from './own-contract-production.fixture.ts';
import type { LiveApp } from './production.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/spaces', import.meta.url).pathname;
});
const { json } = await import('./app.ts');
const { startOwnProduction } = await import('./own-contract-production.fixture.ts');

interface Body {
  id: number;
  name: string;
  space_id: number;
  code?: string;
  data: { id: number; name: string; space_id: number }[];
  next: string | null;
}

let own: OwnProduction;
let app: LiveApp;
let token: string;
beforeAll(async () => {
  own = await startOwnProduction();
  const { upstream } = own;
  for (const space of [1, 2, 3]) {
    const parent = upstream.add('space', { id: space, name: `Space ${space}` });
    for (const number of [1, 2, 3]) {
      const task = upstream.add('task', { id: space * 10 + number, name: `Task ${number}` }, parent);
      upstream.add('comment', { id: space * 100 + number, name: 'Tea' }, task);
      upstream.add('attachment', { id: space * 100 + number, name: 'Photo' }, task);
    }
  }
  upstream.add('plan', { id: 1, name: 'Basic' });
});
afterAll(async () => {
  await own.close();
  expect(own.production.errors).toEqual([]);
});
beforeEach(async () => {
  own.upstream.change = undefined;
  app = await own.production.newApp();
  token = (await app.key()).token;
  for (const target of ['account', 'grantors/1', 'grantors/2']) expect((await own.grant(app, target)).status).toBe(200);
});

const get = (path: string): Promise<Answer<Body>> => own.production.call<Body>(`/v1${path}`, token);
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const init = body === undefined ? { method, headers } : { ...json(body), method };
  return own.production.call<Body>(`/v1${path}`, token, { ...init, headers: { ...init.headers, ...headers } });
};
const outcome = ({ status, body }: Answer<Body>): string => body?.code ?? String(status);
const idsIn = ({ body }: Answer<Body>): number[] => body.data.map(({ id }) => id).sort((a, b) => a - b);
const sent = (): string[] => own.upstream.requests.map(({ method, path }) => `${method} ${path}`);
/** Runs a call, and returns its outcome with the requests that it caused. */
async function traced(call: () => Promise<Answer<Body>>): Promise<[string, string[]]> {
  const before = own.upstream.requests.length;
  return [outcome(await call()), sent().slice(before)];
}

describe('reads', () => {
  test('return objects whose granting object the path, the object or an object above it names', async () => {
    expect((await get('/spaces/1')).body).toEqual({ id: 1, name: 'Space 1' });
    expect((await get('/tasks/21')).body).toEqual({ id: 21, space_id: 2, name: 'Task 1' });
    expect(idsIn(await get('/spaces/2/tasks'))).toEqual([21, 22, 23]);
    expect(await traced(() => get('/tasks/21/comments'))).toEqual([
      '200',
      ['GET /v1/tasks/21', 'GET /v1/tasks/21/comments'],
    ]);
    expect(idsIn(await get('/plans'))).toEqual([1]);
  });

  test('return an object two levels below its granting object, after the object between them was read', async () => {
    expect(await traced(() => get('/attachments/202'))).toEqual([
      '200',
      ['GET /v1/attachments/202', 'GET /v1/tasks/22'],
    ]);
    expect(outcome(await get('/attachments/302'))).toBe('not_found');
    // The object between them must be the one that the response names.
    own.upstream.change = (answer, { path }) =>
      path === '/v1/tasks/32' ? { ...answer, body: { id: 12, space_id: 1, name: 'Tea' } } : undefined;
    expect(outcome(await get('/attachments/302'))).toBe('upstream_invalid');
    expect(outcome(await get('/tasks/32/comments'))).toBe('upstream_invalid');
  });

  test('need the grants of all scopes of their operation', async () => {
    expect(idsIn(await get('/open-tasks'))).toEqual([11, 12, 13, 21, 22, 23]);
    expect(outcome(await get('/tasks/11/checks/lid'))).toBe('200');
    await own.grant(app, 'grantors/1', 'authorised', { 'spaces:read': 'paused' });
    expect(idsIn(await get('/open-tasks'))).toEqual([21, 22, 23]);
    expect(await traced(() => get('/tasks/11/checks/lid'))).toEqual(['installation_paused', ['GET /v1/tasks/11']]);
  });

  test('have a token with the server whose grant was checked, and none of the headers of the caller', async () => {
    const secrets = { 'x-secret': 'SECRET', cookie: 'SECRET', 'accept-language': 'SECRET', 'if-match': '"SECRET"' };
    expect((await own.production.call('/v1/spaces/1/tasks', token, { headers: secrets })).status).toBe(200);
    const sentRequest = own.upstream.requests.at(-1);
    expect(JSON.stringify(sentRequest)).not.toContain('SECRET');
    const { body } = await own.manage<{ data: { serverId: string; serverName: string }[] }>(
      app,
      'GET',
      '/installations',
    );
    const space = body.data.find(({ serverName }) => serverName === 'grantors/1');
    expect(sentRequest?.claims.server).toBe(space?.serverId);
  });

  test('send no part of a path that the upstream API could resolve to another path', async () => {
    const before = sent().length;
    for (const part of ['%2e%2e', '%2e'])
      expect([part, await own.statusOfRaw(`/v1/tasks/11/checks/${part}`, token)]).toEqual([part, 404]);
    expect(sent().length).toBe(before);
  });

  test('of an object without a grant are not found, and are not sent if the path names it', async () => {
    expect(await traced(() => get('/spaces/3'))).toEqual(['not_found', []]);
    expect(await traced(() => get('/spaces/3/tasks'))).toEqual(['not_found', []]);
    expect(await traced(() => get('/tasks/31'))).toEqual(['not_found', ['GET /v1/tasks/31']]);
    expect(await traced(() => get('/tasks/31/comments'))).toEqual(['not_found', ['GET /v1/tasks/31']]);
    expect(outcome(await get('/tasks/99'))).toBe('not_found');
  });

  test('follow each state of a grant', async () => {
    await own.grant(app, 'grantors/1', 'paused');
    for (const path of ['/spaces/1', '/spaces/1/tasks', '/tasks/11', '/tasks/11/comments'])
      expect([path, outcome(await get(path))]).toEqual([path, 'installation_paused']);
    expect(outcome(await get('/tasks/21'))).toBe('200');
    await own.grant(app, 'account', 'revoked');
    expect(outcome(await get('/plans'))).toBe('installation_revoked');
    await own.grant(app, 'grantors/1', 'authorised', { 'tasks:read': 'revoked' });
    expect(outcome(await get('/spaces/1'))).toBe('200');
    expect(outcome(await get('/tasks/11'))).toBe('installation_revoked');
  });

  test('of all objects contain those whose grants permit it, in all pages', async () => {
    expect(idsIn(await get('/spaces'))).toEqual([1, 2]);
    expect(idsIn(await get('/tasks'))).toEqual([11, 12, 13, 21, 22, 23]);
    await own.grant(app, 'grantors/1', 'authorised', { 'tasks:read': 'paused' });
    const found: number[] = [];
    let next: string | null = '';
    for (let page = 0; next !== null && page < 9; page += 1) {
      const answer: Answer<Body> = await get(`/tasks?limit=2${next === '' ? '' : `&after=${next}`}`);
      expect(answer.status).toBe(200);
      found.push(...idsIn(answer));
      next = answer.body.next;
    }
    expect(found.sort()).toEqual([21, 22, 23]);
    const cursor = (await get('/spaces/2/tasks?limit=1')).body.next;
    expect(outcome(await get(`/spaces/2/tasks?limit=1&after=${cursor}`))).toBe('200');
    expect(outcome(await get(`/spaces/1/tasks?limit=1&after=${cursor}`))).toBe('installation_paused');
    await own.grant(app, 'grantors/1');
    expect(outcome(await get(`/spaces/1/tasks?limit=1&after=${cursor}`))).toBe('invalid_request');
    expect(outcome(await get(`/tasks?after=${cursor}`))).toBe('invalid_request');
    const filtered = (await get('/tasks?space_id=2&limit=1')).body.next;
    expect(outcome(await get(`/tasks?space_id=2&limit=1&after=${filtered}`))).toBe('200');
    expect(outcome(await get(`/tasks?space_id=1&limit=1&after=${filtered}`))).toBe('invalid_request');
  });

  test('are refused if the response has an object of another request or another space', async () => {
    const other = (fields: object) => {
      own.upstream.change = (answer) => ({ ...answer, body: { id: 11, space_id: 1, name: 'Tea', ...fields } });
    };
    other({});
    expect(outcome(await get('/tasks/11'))).toBe('200');
    for (const fields of [{ id: 12 }, { id: '11' }, { space_id: 'x' }, { secret: 'x' }, { name: 7 }]) {
      other(fields);
      expect([fields, outcome(await get('/tasks/11'))]).toEqual([fields, 'upstream_invalid']);
    }
    other({ space_id: 3 });
    expect(outcome(await get('/tasks/11'))).toBe('not_found');
    own.upstream.change = (answer) => ({
      ...answer,
      body: {
        data: [
          { id: 11, space_id: 1, name: 'Tea' },
          { id: 31, space_id: 3, name: 'Tea' },
        ],
        next: null,
      },
    });
    expect(outcome(await get('/spaces/1/tasks'))).toBe('upstream_invalid');
    expect(idsIn(await get('/tasks'))).toEqual([11]);
  });

  test('have a record with the operation, the key and the installation', async () => {
    const { headers } = await get('/tasks/11');
    const id = headers.get('request-id') ?? '';
    const { body } = await own.manage<{ operationId: string; status: number; serverId: string }>(
      app,
      'GET',
      `/requests/${id}`,
    );
    const installations = await own.manage<{ data: { serverId: string; serverName: string }[] }>(
      app,
      'GET',
      '/installations',
    );
    const space = installations.body.data.find(({ serverName }) => serverName === 'grantors/1');
    expect(body).toMatchObject({ operationId: 'getTask', status: 200 });
    expect(JSON.stringify(body)).toContain(space?.serverId);
  });
});

describe('changes', () => {
  test('are sent once with the declared method, and answered with the declared status and location', async () => {
    const made = await send('POST', '/spaces/1/tasks', { name: 'Kettle' });
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), space_id: 1, name: 'Kettle' }]);
    const { id } = made.body;
    expect(made.headers.get('location')).toBe(`http://production.test/v1/tasks/${id}`);
    expect((await send('PATCH', `/tasks/${id}`, { name: 'Pot' })).body.name).toBe('Pot');
    expect((await send('PUT', '/spaces/1/tasks/77', { name: 'Cup' })).body).toEqual({
      id: 77,
      space_id: 1,
      name: 'Cup',
    });
    expect((await send('POST', '/tasks', { name: 'Jar', space_id: 2 })).body.space_id).toBe(2);
    expect((await send('POST', `/tasks/${id}/comments`, { name: 'Good' })).status).toBe(201);
    const deleted = await send('DELETE', `/tasks/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(outcome(await get(`/tasks/${id}`))).toBe('not_found');
    expect((await send('POST', '/spaces/1/estimate', { hours: 2 })).status).toBe(200);
    expect(own.upstream.requests.at(-1)?.claims).toMatchObject({ sub: app.id, environment: 'production' });
  });

  test('without a grant of each scope are refused, and only reads are sent', async () => {
    await own.grant(app, 'grantors/1', 'authorised', { 'tasks:write': 'paused' });
    await own.grant(app, 'grantors/2', 'authorised', { 'tasks:read': 'revoked' });
    const before = own.upstream.requests.length;
    expect(outcome(await send('POST', '/spaces/1/tasks', { name: 'Tea' }))).toBe('installation_paused');
    expect(outcome(await send('PATCH', '/tasks/11', { name: 'Tea' }))).toBe('installation_paused');
    expect(outcome(await send('DELETE', '/tasks/11'))).toBe('installation_paused');
    expect(outcome(await send('POST', '/tasks', { name: 'Tea', space_id: 3 }))).toBe('not_found');
    expect(outcome(await send('POST', '/spaces/3/estimate', { hours: 2 }))).toBe('not_found');
    // addComment needs two scopes.
    expect(outcome(await send('POST', '/tasks/21/comments', { name: 'Tea' }))).toBe('installation_revoked');
    const methods = own.upstream.requests.slice(before).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  test('cannot move an object to another space, or name another object than the path', async () => {
    await own.grant(app, 'grantors/2', 'revoked');
    const before = own.upstream.requests.length;
    for (const space of [2, 3, 99])
      expect(outcome(await send('PATCH', '/tasks/11', { space_id: space }))).toBe('invalid_request');
    expect(own.upstream.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    expect((await send('PATCH', '/tasks/11', { space_id: 1, name: 'Task 1' })).status).toBe(200);
  });

  test('cannot move an object below a parent without a grant, and do not show if that parent exists', async () => {
    expect((await send('PATCH', '/attachments/101', { task_id: 12 })).body).toMatchObject({ id: 101, task_id: 12 });
    for (const parent of [31, 99])
      expect([parent, outcome(await send('PATCH', '/attachments/101', { task_id: parent }))]).toEqual([
        parent,
        'invalid_request',
      ]);
    expect((await send('PATCH', '/attachments/101', { task_id: 11 })).status).toBe(200);
    expect((await send('POST', '/attachments', { task_id: 21, name: 'Map' })).status).toBe(201);
    expect(outcome(await send('POST', '/attachments', { task_id: 31, name: 'Map' }))).toBe('not_found');
    // A response about another task of the same space does not fit the body.
    own.upstream.change = (answer, { method }) =>
      method === 'GET' ? undefined : { ...answer, body: { ...Object(answer.body), task_id: 22 } };
    expect(outcome(await send('POST', '/attachments', { task_id: 21, name: 'Map' }))).toBe('upstream_invalid');
  });

  test('of which the response concerns another object or space are refused', async () => {
    const answer = (fields: object) => {
      own.upstream.change = (given, { method }) =>
        method === 'GET' ? undefined : { ...given, body: { id: 11, space_id: 1, name: 'Tea', ...fields } };
    };
    answer({});
    expect(outcome(await send('PATCH', '/tasks/11', { name: 'Tea' }))).toBe('200');
    for (const fields of [{ id: 12 }, { space_id: 3 }, { more: 1 }]) {
      answer(fields);
      expect([fields, outcome(await send('PATCH', '/tasks/11', { name: 'Tea' }))]).toEqual([
        fields,
        'upstream_invalid',
      ]);
    }
  });

  test('with an Idempotency-Key are carried out once', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await send('POST', '/spaces/1/tasks', { name: 'Once' }, key);
    const before = own.upstream.requests.length;
    const second = await send('POST', '/spaces/1/tasks', { name: 'Once' }, key);
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(own.upstream.requests.length).toBe(before);
    expect(outcome(await send('POST', '/spaces/1/tasks', { name: 'Other' }, key))).toBe('idempotency_key_reused');
    const task = first.body.id;
    const deletion = { 'idempotency-key': 'gone' };
    expect((await send('DELETE', `/tasks/${task}`, undefined, deletion)).status).toBe(204);
    expect((await send('PATCH', '/tasks/12', { name: 'Task 2' }, { 'idempotency-key': 'p' })).status).toBe(200);
    expect(
      (await send('PATCH', '/tasks/12', { name: 'Task 2' }, { 'idempotency-key': 'p' })).headers.get(
        'idempotent-replayed',
      ),
    ).toBe('true');
  });

  test('with an Idempotency-Key have their stored response, also after the object has gone at the upstream API', async () => {
    const key = { 'idempotency-key': 'kept' };
    const { id } = (await send('POST', '/spaces/1/tasks', { name: 'Pan' })).body;
    const first = await send('PATCH', `/tasks/${id}`, { name: 'Lid' }, key);
    const stored = own.upstream.objects.findIndex((one) => one.key === String(id));
    own.upstream.objects.splice(stored, 1);
    const second = await send('PATCH', `/tasks/${id}`, { name: 'Lid' }, key);
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true']);
    expect(outcome(await send('PATCH', `/tasks/${id}`, { name: 'Pot' }, key))).toBe('not_found');
  });

  test('that the upstream API refuses have its pointers and none of its texts', async () => {
    own.upstream.change = (_answer, { method }) =>
      method === 'GET'
        ? undefined
        : { status: 422, body: { detail: 'SECRET', errors: [{ pointer: '/name', detail: 'SECRET' }] } };
    const answer = await send('PATCH', '/tasks/11', { name: 'Tea' });
    expect([answer.status, outcome(answer)]).toEqual([400, 'invalid_request']);
    expect(answer.text).toContain('/name');
    expect(answer.text).not.toContain('SECRET');
    own.upstream.change = (_answer, { method }) => (method === 'GET' ? undefined : { status: 409, body: {} });
    expect(outcome(await send('PATCH', '/tasks/11', { name: 'Tea' }))).toBe('conflict');
  });
});

describe('reports', () => {
  const report = (body: object) =>
    own.ingest<{ written: number; known: number; code: string }>('POST', '/events', body);
  const task = { id: 21, space_id: 2, name: 'Tea' };

  test('of events reach the apps that the granting object permits, once, with the identifiers of the upstream API', async () => {
    const other = await own.production.newApp();
    await own.grant(other, 'grantors/1');
    await own.grant(app, 'grantors/9');
    const event = { id: 'e1', type: 'space.renamed', grantorId: 9, data: { id: 9, name: 'Harbour' } };
    expect((await report(event)).body).toMatchObject({ written: 1, known: 0 });
    expect((await report(event)).body).toMatchObject({ written: 0, known: 1 });
    const made = { id: 'e2', type: 'task.created', grantorId: 9, appId: app.id, data: { ...task, space_id: 9 } };
    expect((await report(made)).body).toMatchObject({ written: 1 });
    expect((await report({ ...made, id: 'e3', type: 'task.changed' })).body).toMatchObject({ written: 1 });
    const plan = { id: 'e4', type: 'plan.changed', appId: app.id, data: { id: 1, name: 'Basic' } };
    expect((await report(plan)).body).toMatchObject({ written: 1 });
    // An object of another kind with the same identifier is another subject.
    const same = { id: 'e5', type: 'task.changed', grantorId: 9, appId: app.id };
    expect((await report({ ...same, data: { id: 9, space_id: 9, name: 'Tea' } })).body).toMatchObject({ written: 1 });
    const events = await own.events(token, 5);
    expect(events.map(({ type, subject, sequence }) => [type, subject.id, sequence]).sort()).toEqual([
      ['plan.changed', '1', 1],
      ['space.renamed', '9', 1],
      ['task.changed', '21', 2],
      ['task.changed', '9', 1],
      ['task.created', '21', 1],
    ]);
    const { data } = (
      await own.manage<{ data: { serverId: string; serverName: string }[] }>(app, 'GET', '/installations')
    ).body;
    const nameOf = new Map(data.map(({ serverId, serverName }) => [serverId, serverName]));
    expect(events.map(({ type, serverId }) => `${type} ${nameOf.get(serverId)}`).sort()).toEqual([
      'plan.changed account',
      'space.renamed grantors/9',
      'task.changed grantors/9',
      'task.changed grantors/9',
      'task.created grantors/9',
    ]);
  });

  test.each([
    ['without the object that grants', { type: 'task.created', data: task }],
    ['of another granting object', { type: 'task.created', grantorId: 1, data: task }],
    ['of another object than the granting one', { type: 'space.renamed', grantorId: 1, data: { id: 2, name: 'Tea' } }],
    ['with a granting object for the account', { type: 'plan.changed', grantorId: 1, data: { id: 1, name: 'Tea' } }],
    ['without an identifier', { type: 'task.created', grantorId: 2, data: { space_id: 2, name: 'Tea' } }],
    ['with data that does not fit', { type: 'task.created', grantorId: 2, data: { ...task, more: 1 } }],
    [
      'with the server of the default contract',
      { type: 'task.created', serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2', data: task },
    ],
  ])('%s are refused', async (_what, event) => {
    const answer = await report({ id: 'refused', appId: app.id, ...event });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  test('of events of made objects name the app', async () => {
    expect((await report({ id: 'e', type: 'task.created', grantorId: 2, data: task })).body.code).toBe(
      'invalid_request',
    );
  });

  test('of access to the server of the default contract do not exist', async () => {
    expect((await own.grant(app, 'servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2')).status).toBe(404);
    expect((await own.grant(app, 'grantors/01')).status).toBe(404);
  });
});
