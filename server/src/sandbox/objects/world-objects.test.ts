// The objects of an app's sandbox data over HTTP: lists by kind and server, one object as /v1 returns it, and the
// boundaries of the app and the organisation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { ROLES } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { OBJECT_KINDS, type ObjectKind, type WorldObject, type WorldObjectDetail } from './world-object.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { token: string };
/** The newest object of each kind. */
const newest: Partial<Record<ObjectKind, WorldObject>> = {};

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
  for (const type of ['workflow_run.started', 'workflow_run.started', 'ticket.created']) await trigger(type);
  for (const kind of OBJECT_KINDS) Object.assign(newest, { [kind]: (await all(kind))[0] });
});
afterAll(() => sandbox.close());

interface Page {
  data: WorldObject[];
  nextCursor: string | null;
}
const list = (query: string, of = app, as = {}) =>
  sandbox.manage<Page>('GET', `/apps/${of.id}/world/objects?${query}`, undefined, as);
const get = (id: string, of = app, as = {}) =>
  sandbox.manage<WorldObjectDetail>('GET', `/apps/${of.id}/world/objects/${id}`, undefined, as);
const all = async (kind: ObjectKind, of = app) => (await list(`kind=${kind}&limit=100`, of)).body.data;
const idOf = (kind: ObjectKind): string => newest[kind]?.id ?? '';
const trigger = (type: string, objectId?: string, of = app) =>
  sandbox.manage<{ subject: { id: string } }>('POST', `/apps/${of.id}/world/events`, {
    type,
    ...(objectId !== undefined && { objectId }),
  });
/** The organisation of a stranger, who owns it. */
const stranger = { organisationId: newUuid() };

describe.each(OBJECT_KINDS)('objects of the kind %s', (kind) => {
  test('are all listed, newest first, and only those of the given server', async () => {
    const { counts } = (await sandbox.manage<{ counts: Record<string, number> }>('GET', `/apps/${app.id}/world`)).body;
    const name = `${kind.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}s`;
    const objects = await all(kind);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects).toHaveLength(counts[name] ?? -1);
    const ids = objects.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    for (const serverId of app.serverIds) {
      const onServer = (await list(`kind=${kind}&limit=100&serverId=${serverId}`)).body.data;
      expect(onServer).toEqual(objects.filter((one) => one.serverId === serverId));
    }
  });

  test('fill pages of any size without a gap or a repetition', async () => {
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body }: { status: number; body: Page } = await list(
        `kind=${kind}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect([status, body.data.length <= 3]).toEqual([200, true]);
      walked.push(...body.data.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(walked).toEqual((await all(kind)).map(({ id }) => id));
  });

  test('are returned as /v1 returns them, by the operation that the object names', async () => {
    const { body } = await get(idOf(kind));
    expect(body).toMatchObject({ ...newest[kind], kind, title: expect.stringMatching(/./) });
    const { status, body: answer } = await sandbox.call<{ data?: { id: string }[] }>(body.path, key.token);
    expect(status).toBe(200);
    expect(answer.data?.find(({ id }) => id === idOf(kind)) ?? answer).toEqual(body.resource);
    const records = await sandbox.manage<{ data: object[] }>('GET', `/apps/${app.id}/requests?limit=1`);
    expect(records.body.data).toMatchObject([{ operationId: body.operationId }]);
  });

  test('are not found through another app of the organisation, nor through another organisation', async () => {
    const sibling = await sandbox.newApp();
    expect((await all(kind, sibling)).map(({ id }) => id)).not.toContain(idOf(kind));
    const foreign = await sandbox.newApp(stranger.organisationId);
    const answers = [
      await get(idOf(kind), sibling),
      await get(idOf(kind), app, stranger),
      await get(idOf(kind), foreign, stranger),
      await get(idOf(kind), foreign),
    ];
    expect(answers.map(({ status, body }) => [status, Reflect.get(body, 'code')])).toEqual(
      answers.map(() => [404, 'not_found']),
    );
  });

  test('are visible on a server that has revoked the installation, which /v1 refuses', async () => {
    const other = await sandbox.newApp();
    const { token } = await other.key();
    for (const type of ['workflow_run.started', 'ticket.created']) await trigger(type, undefined, other);
    const [one] = await all(kind, other);
    const { path } = (await get(one?.id ?? '', other)).body;
    expect((await sandbox.call(path, token)).status).toBe(200);
    const revoke = await sandbox.manage('PUT', `/apps/${other.id}/servers/${one?.serverId}/installation`, {
      state: 'revoked',
    });
    expect(revoke.status).toBe(200);
    expect((await sandbox.call(path, token)).status).toBeGreaterThanOrEqual(403);
    expect((await get(one?.id ?? '', other)).status).toBe(200);
    const onServer = (await list(`kind=${kind}&serverId=${one?.serverId}`, other)).body.data;
    expect(onServer.map(({ id }) => id)).toContain(one?.id);
  });
});

describe('the access to objects', () => {
  test.each(ROLES)('a member in the role %s reads the list and an object', async (role) => {
    expect([(await list('', app, { role })).status, (await get(idOf('ticket'), app, { role })).status]).toEqual([
      200, 200,
    ]);
  });

  test('a list is not found for another organisation, and the server of another app has no objects', async () => {
    expect((await list('', app, stranger)).status).toBe(404);
    const other = await sandbox.newApp();
    for (const kind of OBJECT_KINDS) {
      expect([kind, (await list(`kind=${kind}&serverId=${app.serverIds[0]}`, other)).body.data]).toEqual([kind, []]);
    }
  });

  test('a cursor continues the list of its app, kind and server only', async () => {
    const other = await sandbox.newApp();
    const server = `kind=publication&serverId=${app.serverIds[0]}`;
    const cursor = (await list('kind=publication&limit=1')).body.nextCursor;
    const ofServer = (await list(`${server}&limit=1`)).body.nextCursor;
    expect((await list(`kind=publication&cursor=${cursor}`)).status).toBe(200);
    expect((await list(`${server}&cursor=${ofServer}`)).status).toBe(200);
    const wrong = [
      await list(`kind=ticket&cursor=${cursor}`),
      await list(`${server}&cursor=${cursor}`),
      await list(`kind=publication&serverId=${app.serverIds[1]}&cursor=${ofServer}`),
      await list(`kind=publication&cursor=${cursor}`, other),
      await sandbox.manage('GET', `/apps/${app.id}/events?cursor=${cursor}`),
    ];
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 400));
  });
});

test('a list without a kind is the list of servers, also for its cursors', async () => {
  const omitted = (await list('limit=1')).body;
  const stated = (await list('kind=server&limit=1')).body;
  expect(omitted.data).toEqual(stated.data);
  const next = [
    await list(`kind=server&limit=1&cursor=${omitted.nextCursor}`),
    await list(`limit=1&cursor=${stated.nextCursor}`),
  ];
  const [, second] = (await all('server')).map(({ id }) => id);
  expect(next.map(({ status, body }) => [status, body.data.map(({ id }) => id)])).toEqual([
    [200, [second]],
    [200, [second]],
  ]);
});

describe('the inputs of objects', () => {
  test.each([
    ['an unknown kind', 'kind=key', '/query/kind'],
    ['a kind in another case', 'kind=Ticket', '/query/kind'],
    ['an empty page', 'limit=0', '/query/limit'],
    ['a page of more than 100', 'limit=101', '/query/limit'],
    ['the identifier of another kind as the server', 'serverId=tkt_01j9z3v8k6e5t8m2n4p6q8r0s4', '/query/serverId'],
    ['an unknown filter', 'title=a', '/query/title'],
    ['a forged cursor', 'cursor=AAAAAAAAAAAAAAAAAAAA', '/query/cursor'],
  ])('%s is refused with its pointer', async (_, query, pointer) => {
    const { status, body } = await sandbox.manage('GET', `/apps/${app.id}/world/objects?${query}`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer })]]);
  });

  test.each([
    ['of a key', () => toId('key', newUuid())],
    ['of an installation', () => toId('ins', newUuid())],
    ['in capital letters', () => idOf('ticket').toUpperCase()],
    ['with an additional character', () => `${idOf('ticket')}0`],
    ['of a uuid', () => fromId('tkt', idOf('ticket')) ?? ''],
    ['that overflows a uuid', () => 'tkt_zzzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('the identifier %s is not found', async (_, id) => {
    expect((await get(id())).status).toBe(404);
  });

  test('an object is not found under the prefix of another kind, nor with an unknown identifier', async () => {
    const uuid = fromId('pub', idOf('publication')) ?? '';
    for (const prefix of ['srv', 'rmi', 'tkt', 'wfl', 'wfr']) {
      expect([prefix, (await get(toId(prefix, uuid))).status]).toEqual([prefix, 404]);
    }
    for (const prefix of ['srv', 'pub', 'rmi', 'tkt', 'wfl', 'wfr']) {
      expect([prefix, (await get(toId(prefix, newUuid()))).status]).toEqual([prefix, 404]);
    }
  });
});

describe('the changes of objects', () => {
  test('a new ticket is the newest, and its event names the request that created it', async () => {
    const tickets = `/v1/servers/${app.serverIds[0]}/tickets`;
    const made = await sandbox.call<{ id: string }>(tickets, key.token, json({ subject: 'Hello', body: 'A test.' }));
    const { id } = made.body;
    expect((await list('kind=ticket&limit=1')).body.data).toMatchObject([{ id, title: 'Hello', status: 'open' }]);
    const events = await sandbox.manage<{ data: object[] }>('GET', `/apps/${app.id}/events?subject=${id}`);
    expect(events.body.data).toMatchObject([{ type: 'ticket.created', requestId: made.headers.get('request-id') }]);
  });

  test('a trigger changes the object that the list names, and a run has the name of its workflow', async () => {
    const ticket = (await trigger('ticket.created')).body.subject.id;
    await trigger('ticket.closed', ticket);
    expect((await get(ticket)).body).toMatchObject({ status: 'closed', resource: { status: 'closed' } });
    const workflow = (await all('workflow')).find(({ status }) => status === 'enabled');
    const run = (await trigger('workflow_run.failed', workflow?.id)).body.subject.id;
    expect((await get(run)).body).toMatchObject({
      title: workflow?.title,
      serverId: workflow?.serverId,
      status: 'failed',
    });
  });

  test('a reset removes the objects from the list and under their identifiers', async () => {
    const other = await sandbox.newApp();
    const before = await Promise.all(OBJECT_KINDS.map(async (kind) => (await all(kind, other))[0]?.id));
    expect((await sandbox.manage('POST', `/apps/${other.id}/world/reset`, { preset: 'empty' })).status).toBe(200);
    for (const kind of OBJECT_KINDS) {
      expect([kind, (await list(`kind=${kind}`, other)).body]).toEqual([kind, { data: [], nextCursor: null }]);
    }
    for (const id of before) if (id !== undefined) expect([id, (await get(id, other)).status]).toEqual([id, 404]);
    expect(before.filter((id) => id !== undefined).length).toBeGreaterThanOrEqual(4);
  });
});
