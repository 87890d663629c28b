// The limits of the objects of a contract of an operator, and paths that leave out a level of resources.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import { advanceDueObjects } from '../src/resources/operations/index.ts';
import { type Answer, json } from './app.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/archive', import.meta.url).pathname;
});

interface Body {
  id: string;
  boxId: string;
  roomId: string;
  text: string;
  owner: string;
  status: string;
  createdAt: string;
  code: string;
  detail?: string;
  errors?: { pointer: string; detail: string }[];
}
interface Page {
  data: Body[];
  next: string | null;
}

useOwnContract();
let appId: string;
beforeEach(async () => {
  appId = fromId('app', app.id) ?? '';
});

const get = <T = Body>(path: string): Promise<Answer<T>> => sandbox.call<T>(`/v1${path}`, key.token);
const send = (method: string, path: string, body: unknown): Promise<Answer<Body>> =>
  sandbox.call<Body>(`/v1${path}`, key.token, { ...json(body), method });
const remove = (path: string) => sandbox.call<Body>(`/v1${path}`, key.token, { method: 'DELETE' });
const trigger = (type: string, objectId?: string) =>
  sandbox.manage<Body & { type: string; data: Body }>('POST', `/apps/${app.id}/world/events`, {
    type,
    ...(objectId !== undefined && { objectId }),
  });
const makeRoom = async (): Promise<string> => (await send('POST', '/rooms', { name: 'Cellar' })).body.id;
const makeBox = async (room: string, name = 'Letters'): Promise<string> =>
  (await send('POST', `/rooms/${room}/boxes`, { name })).body.id;

/** Inserts objects without requests. */
async function insertMany(kind: 'box' | 'paper', parent: string, count: number, characters = 1): Promise<void> {
  const parentId = fromId(parent.slice(0, 3), parent);
  await sandbox.database.superuser.query(
    `insert into objects (app_id, object_id, kind, key, server_id, parent_id, state, data, hidden, is_writable, created_at)
     select $1, made.id, $2, left($2, 3) || '_01' || left(md5(made.id::text), 24), p.server_id, p.object_id, null,
       p.data || jsonb_build_object('name', 'x', 'text', repeat('x', $5::int), 'owner', 'x', 'status', 'draft',
         'createdAt', '2025-06-01T10:00:00Z', 'boxId', $6::text), '{}', true, now()
     from objects p, lateral (select gen_random_uuid() as id from generate_series(1, $4::int)) made
     where p.app_id = $1 and p.object_id = $3`,
    [appId, kind, parentId, count, characters, parent],
  );
}
const countOf = async (kind: string): Promise<number> => {
  const text = 'select count(*)::int as count from objects where app_id = $1 and kind = $2';
  return (await sandbox.database.superuser.query<{ count: number }>(text, [appId, kind])).rows[0]?.count ?? 0;
};

describe('the size of an object', () => {
  test('is at most 64 KiB in a creation, in a change and with hidden fields', async () => {
    const box = await makeBox(await makeRoom());
    const create = (text: string) => send('POST', `/boxes/${box}/papers`, { text });
    const mistake = { pointer: '', detail: 'must make an object of at most 65536 bytes as JSON' };
    const refused = await create('x'.repeat(65_536));
    expect([refused.status, refused.body.errors]).toEqual([400, [mistake]]);
    expect((await create('hidden')).body.errors).toEqual([mistake]);
    const { id } = (await create('x'.repeat(65_000))).body;
    expect((await send('PATCH', `/papers/${id}`, { text: '\u{1F375}'.repeat(16_384) })).body.errors).toEqual([mistake]);
    expect((await send('PATCH', `/papers/${id}`, { text: 'x'.repeat(65_100) })).status).toBe(200);
  });
});

describe('the size of a page', () => {
  test('ends a page with a cursor early, and the next page continues', async () => {
    const room = await makeRoom();
    await insertMany('paper', await makeBox(room), 90, 60_000);
    const ids: string[] = [];
    const sizes: number[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: Answer<Page> = await get<Page>(`/rooms/${room}/papers?limit=80${after && `&after=${after}`}`);
      ids.push(...page.body.data.map(({ id }) => id));
      sizes.push(page.text.length);
      after = page.body.next;
    }
    expect(new Set(ids).size).toBe(90);
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024 + 65_536);
  });

  test('ends a list without paging early', async () => {
    await insertMany('paper', await makeBox(await makeRoom()), 90, 60_000);
    expect((await get<Body[]>('/papers')).body).toHaveLength(35);
  });

  test('refuses a numbered page with more objects than fit, and serves the default number', async () => {
    await insertMany('paper', await makeBox(await makeRoom()), 90, 60_000);
    expect((await get('/paper-pages?size=80')).body.errors).toEqual([
      {
        pointer: '/query/size',
        detail: 'must be at most 35 for these objects, because a page has at most 2097152 bytes',
      },
    ]);
    const sizes = await Promise.all(
      [1, 2, 3, 4].map(async (page) => (await get<Body[]>(`/paper-pages?page=${page}`)).body.length),
    );
    expect(sizes).toEqual([25, 25, 25, 15]);
  });
});

describe('the number of objects of a resource', () => {
  test('is at most 20,000 in an app, also for concurrent creations', async () => {
    const box = await makeBox(await makeRoom());
    await insertMany('paper', box, 19_997);
    const create = () => send('POST', `/boxes/${box}/papers`, { text: 'Tea' });
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    expect((await create()).body).toMatchObject({
      code: 'quota_exceeded',
      detail: 'An app has at most 20000 papers. Delete one first.',
    });
    expect((await trigger('paper.added')).body.detail).toBe('An app has at most 20000 papers. Delete one first.');
    expect(await countOf('paper')).toBe(20_000);
    expect((await makeBox(await makeRoom())).slice(0, 4)).toBe('box_');
  });
});

describe('a deletion', () => {
  test('of an object with 20,000 objects below it deletes all of them', async () => {
    const room = await makeRoom();
    await insertMany('box', room, 10_000);
    // The plan of the deletion follows from 10,000 objects of one parent.
    await sandbox.database.superuser.query('analyze objects');
    await insertMany('paper', await makeBox(room), 9_999);
    expect((await remove(`/rooms/${room}`)).status).toBe(204);
    expect([await countOf('box'), await countOf('paper')]).toEqual([0, 0]);
  });

  test('of an object with more objects below it is refused and deletes nothing, also as a trigger', async () => {
    const room = await makeRoom();
    await insertMany('box', room, 10_000);
    await insertMany('paper', await makeBox(room), 10_000);
    const detail = 'The room has more than 20000 objects below it. Delete some of them first.';
    expect((await remove(`/rooms/${room}`)).body).toMatchObject({ code: 'conflict', detail });
    expect((await trigger('room.removed', room)).body).toMatchObject({ code: 'conflict', detail });
    expect([await countOf('room'), await countOf('box'), await countOf('paper')]).toEqual([1, 10_001, 10_000]);
  });
});

describe('a path that leaves out a level', () => {
  test('leads to the objects below its object, and to no others', async () => {
    const [room, other] = [await makeRoom(), await makeRoom()];
    const { id, roomId } = (await send('POST', `/boxes/${await makeBox(room)}/papers`, { text: 'Tea' })).body;
    expect(roomId).toBe(room);
    expect((await get(`/rooms/${room}/papers/${id}`)).status).toBe(200);
    expect((await get(`/rooms/${other}/papers/${id}`)).status).toBe(404);
    const idsIn = async (one: string) => (await get<Page>(`/rooms/${one}/papers`)).body.data.map((paper) => paper.id);
    expect([await idsIn(room), await idsIn(other)]).toEqual([[id], []]);
  });

  test('creates an object in the parent that the body names, below the object of the path', async () => {
    const [room, other] = [await makeRoom(), await makeRoom()];
    const boxId = await makeBox(room);
    const create = (one: string, body: object) => send('POST', `/rooms/${one}/papers`, { text: 'Tea', ...body });
    expect((await create(room, { boxId })).body).toMatchObject({ boxId, roomId: room });
    const mistake = { pointer: '/boxId', detail: 'must be the identifier of a box below the room in the path' };
    expect((await create(other, { boxId })).body.errors).toEqual([mistake]);
    expect((await create(room, {})).body.errors).toEqual([mistake]);
  });
});

describe('fields that the server sets', () => {
  const create = async (path: string, body: object) =>
    (await send('POST', `/boxes/${await makeBox(await makeRoom())}/${path}`, { text: 'Tea', ...body })).body;
  const OLD = '2001-01-01T00:00:00.000Z';

  test('are not those of a body that does not declare them', async () => {
    const foreign = toId('box', newUuid());
    const made = await create('papers', { status: 'filed', createdAt: OLD, owner: 'Eve', boxId: foreign });
    expect(made).toMatchObject({ text: 'Tea', status: 'draft' });
    expect([made.createdAt === OLD, made.owner === 'Eve', made.boxId === foreign]).toEqual([false, false, false]);
    const change = { text: 'Milk', status: 'filed', createdAt: OLD, owner: 'Eve' };
    const changed = (await send('PATCH', `/papers/${made.id}`, change)).body;
    expect(changed).toEqual({ ...made, text: 'Milk' });
  });

  test('are those of a body that declares them', async () => {
    expect((await create('filed-papers', { status: 'filed' })).status).toBe('filed');
  });
});

describe('handlers', () => {
  test.each([
    ['long', true],
    ['infinite', true],
    ['past', true],
    ['none', false],
    ['word', false],
  ])('a delay that is %s is limited', async (text, isDue) => {
    const made = await send('POST', `/boxes/${await makeBox(await makeRoom())}/papers`, { text });
    expect(made.status).toBe(201);
    const { rows } = await sandbox.database.superuser.query<{ days: number | null }>(
      "select extract(epoch from due_at - now())::float8 / 86400 as days from objects where app_id = $1 and kind = 'paper'",
      [appId],
    );
    const days = rows[0]?.days ?? null;
    expect(days !== null).toBe(isDue);
    expect(days ?? 0).toBeLessThanOrEqual(365);
    const failed = (error: unknown): void => {
      throw error;
    };
    await advanceDueObjects(sandbox.worker, sandbox.plane, failed);
  });

  test('a triggered creation asks the handler', async () => {
    const room = await makeRoom();
    const locked = await makeBox(room, 'Locked');
    expect((await trigger('paper.added', locked)).body).toMatchObject({
      code: 'conflict',
      detail: 'The box is locked.',
    });
    const made = await trigger('paper.added', await makeBox(room, 'Stamped'));
    expect([made.status, made.body.type, made.body.data.owner]).toEqual([201, 'paper.added', 'Stamp']);
    expect(await countOf('paper')).toBe(1);
  });
});
