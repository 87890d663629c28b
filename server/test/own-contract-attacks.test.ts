// Hostile requests to the operations of a contract of an operator, and handlers that fail.
import { describe, expect, test, vi } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { fileOfType } from '../src/resources/operations/declared-file.ts';
import { advanceDueObjects } from '../src/resources/operations/index.ts';
import { type Answer, json } from './app.ts';
import { app, key, sandbox, useOwnContract } from './own-contract.fixture.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('contracts/library', import.meta.url).pathname;
});

interface Body {
  id: number;
  slug: string;
  label: string;
  mark: string;
  attempts?: number;
  code: string;
  errors?: { pointer: string; detail: string }[];
}

useOwnContract();

const get = (path: string): Promise<Answer<Body>> => sandbox.call<Body>(`/v1${path}`, key.token);
const send = (method: string, path: string, body: unknown): Promise<Answer<Body>> =>
  sandbox.call<Body>(`/v1${path}`, key.token, { ...json(body), method });
const trigger = (type: string) =>
  sandbox.manage<Body & { data: Body }>('POST', `/apps/${app.id}/world/events`, { type });

describe('identifiers that are counted', () => {
  const create = (body: object = {}) => send('POST', '/shelves', { label: 'Tea', ...body });

  test('continue after an identifier in a body or a path', async () => {
    expect((await create()).body.id).toBe(3);
    expect((await create({ id: 4 })).status).toBe(201);
    expect((await create()).body.id).toBe(5);
    expect((await send('PUT', '/shelves/9', { label: 'Tea' })).body.id).toBe(9);
    expect((await create()).body.id).toBe(10);
    expect((await create({ id: 1 })).status).toBe(409);
    expect((await create()).body.id).toBe(11);
  });

  test('continue if clients give and count identifiers at the same time', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => create({ id: 20 + index })),
      ...Array.from({ length: 8 }, () => create()),
    ]);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect((await create()).status).toBe(201);
  });

  test('continue below the highest identifier that clients read exactly', async () => {
    expect((await create({ id: Number.MAX_SAFE_INTEGER })).status).toBe(201);
    expect((await create()).body.id).toBe(3);
  });

  test('have one form in a path', async () => {
    for (const id of ['07', '-0', '%207', '9007199254740992', '7.0', '1e3'])
      expect([id, (await send('PUT', `/shelves/${id}`, { label: 'Tea' })).status]).toEqual([id, 404]);
  });

  test.each([
    ['an object with its own toString', { toString: 1, valueOf: 1 }],
    ['a list', [7]],
    ['a text with a space', ' 7'],
    ['an empty text', ''],
    ['a fraction', 1.5],
    ['a negative number', -1],
    ['true', true],
    ['a number that is not exact', 2 ** 60],
  ])('are refused as %s', async (_what, id) => {
    const refused = await create({ id });
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/id']);
  });

  test('are not used by a trigger if another object has the next one', async () => {
    await create({ id: 3 });
    const appId = fromId('app', app.id);
    const { superuser } = sandbox.database;
    await superuser.query('update object_numbers set last_number = 2 where app_id = $1', [appId]);
    expect((await trigger('shelf.added')).status).toBe(409);
    const events = await superuser.query("select from events where app_id = $1 and type = 'shelf.added'", [appId]);
    expect(events.rowCount).toBe(1);
  });
});

describe('identifiers that clients name', () => {
  const create = (body: object) => send('POST', '/notes', { label: 'Tea', ...body });

  test.each([
    '.',
    '..',
    'a/b',
    'a?b',
    '',
    'x'.repeat(201),
    '\u{1F375}'.repeat(126),
  ])('are refused as %j', async (slug) => {
    expect((await create({ slug })).status).toBe(400);
  });

  test('have up to 500 bytes', async () => {
    const slug = '\u{1F375}'.repeat(125);
    const created = await create({ slug });
    expect(created.status).toBe(201);
    const location = new URL(created.headers.get('location') ?? '').pathname.replace('/v1', '');
    expect((await get(location)).body.slug).toBe(slug);
    expect((await create({ slug: `${slug}x` })).status).toBe(400);
  });

  test('are created once by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ slug: 'same' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

test('a creation with an existing identifier undoes no other creation', async () => {
  const handled: string[] = [];
  Reflect.set(globalThis, 'handledNotes', handled);
  const bodies = Array.from({ length: 24 }, (_, index) =>
    index % 2 === 0 ? { slug: 'taken', label: 'Tea' } : { label: `Note ${index}` },
  );
  const answers = await Promise.all(bodies.map((body) => send('POST', '/notes', body)));
  Reflect.deleteProperty(globalThis, 'handledNotes');
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(13);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  expect(handled.filter((label) => label.startsWith('Note'))).toHaveLength(12);
});

describe('reads', () => {
  test('without content have the declared status', async () => {
    const checked = await get('/shelves/1/check');
    expect([checked.status, checked.text]).toEqual([204, '']);
    expect((await get('/shelves/99/check')).status).toBe(404);
  });

  test('of a value have the declared status', async () => {
    const counted = await get('/shelves/1/count');
    expect(counted.status).toBe(203);
    expect(Number(counted.text)).toBeGreaterThan(0);
    expect(counted.headers.get('content-type')).toBe('application/vnd.count+json');
  });
});

describe('values', () => {
  test('of a hidden field cannot be given to an object that accepts further fields', async () => {
    const created = await send('POST', '/notes', { slug: 'open', label: 'Tea', attempts: 9, colour: 'red' });
    expect(created.body).toEqual({ slug: 'open', label: 'Tea', colour: 'red' });
  });

  test('that no search finds are those of the example', async () => {
    expect((await send('POST', '/shelves', { label: 'Tea' })).body.mark).toBe('aaxy');
    expect((await trigger('shelf.added')).body.data.mark).toBe('aaxy');
  });
});

test('a repeated request for a file gets the same bytes', async () => {
  const print = () =>
    sandbox.call('/v1/shelves/1/print', key.token, { method: 'POST', headers: { 'idempotency-key': 'once' } });
  const answers = [await print(), await print()];
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    answers.map(() => [200, fileOfType('application/pdf').toString()]),
  );
  expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(['application/pdf', 'application/pdf']);
  expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
});

test('a created file has the type that the request accepts', async () => {
  const draw = (accept: string) =>
    sandbox.call('/v1/shelves/1/drawing', key.token, { method: 'POST', headers: { accept } });
  for (const type of ['image/png', 'image/gif']) {
    const { status, headers } = await draw(type);
    expect([status, headers.get('content-type')]).toEqual([201, type]);
  }
});

test('a deletion also deletes objects below that no request changes', async () => {
  const pages = async () => (await sandbox.call<Body[]>('/v1/pages', key.token)).body.map(({ id }) => id);
  expect((await pages()).toSorted()).toEqual([1, 2]);
  expect((await sandbox.call('/v1/shelves/1', key.token, { method: 'DELETE' })).status).toBe(204);
  expect(await pages()).toEqual([2]);
});

test('a due object whose handler fails is postponed, and delays no other object', async () => {
  for (const label of ['Throws', 'Long', 'Fine']) await send('POST', '/notes', { slug: label, label });
  const errors: unknown[] = [];
  const advance = () => advanceDueObjects(sandbox.worker, sandbox.plane, (error) => void errors.push(error));
  await advance();
  expect(errors.map((error) => (error instanceof Error ? error.message : ''))).toEqual([
    'The note throws.',
    expect.stringMatching(/^onDue of Note returned a value that the schema refuses: \/label /),
  ]);
  await advance();
  expect(errors).toHaveLength(2);
  const labels = await Promise.all(
    ['Throws', 'Long', 'Fine'].map(async (slug) => (await get(`/notes/${slug}`)).body.label),
  );
  expect(labels).toEqual(['Throws', 'Long', 'Done']);
  const { rows } = await sandbox.database.superuser.query<{ isDue: boolean }>(
    "select due_at > now() + interval '30 s' as \"isDue\" from objects where kind = 'note' and due_at is not null",
  );
  expect(rows).toEqual([{ isDue: true }, { isDue: true }]);
});
