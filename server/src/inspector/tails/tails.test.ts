// Live tails through all parts: /v1 records, the plane's private listener, the Console's server, a reader.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { until } from '../../../test/harness.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { headersOf, openTail, type TailOptions, type TailReader } from '../../../test/tail-reader.ts';
import { firstUuidAt, fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

let home: TestConsole;
let organisation: TestOrganisation;
let owner: TestVisitor;
let apps: string;
let app: string;
let keyId: string;
let isPlaneGone = false;
let outages = 0;
const open: TailReader[] = [];

beforeAll(async () => {
  home = await startConsole('remote', {
    wrapLink: (link) => async (call) => {
      if (!isPlaneGone) return link(call);
      outages += 1;
      return { status: 503, headers: {}, body: '' };
    },
  });
  organisation = await foundOrganisation(home);
  owner = organisation.owner.visitor;
  apps = `/api/sandbox${organisation.base.replace('/api', '')}/apps`;
  app = (await owner.call<{ id: string }>('POST', apps, { name: 'Bridge' })).body.id;
  const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
  keyId = (await owner.call<{ key: { id: string } }>('POST', `${apps}/${app}/keys`, input)).body.key.id;
});
beforeEach(async () => {
  for (const tail of open.splice(0)) tail.close();
  await until(async () => (await tailOf(owner)).status === 200);
  for (const tail of open.splice(0)) tail.close();
});
afterAll(() => home.close());

async function tailOf(visitor: TestVisitor, query = '', input: TailOptions = {}): Promise<TailReader> {
  const headers = { ...headersOf(visitor), ...input.headers };
  const tail = await openTail(`${home.url}${apps}/${app}/request-tail${query}`, { ...input, headers });
  open.push(tail);
  return tail;
}
async function startTailReader(visitor = owner, query = '', input: TailOptions = {}): Promise<TailReader> {
  const tail = await tailOf(visitor, query, input);
  await tail.begun();
  return tail;
}
/** Makes a request of /v1 with the key's id and returns its identifier. */
async function request(path = '/v1/servers?limit=1'): Promise<string> {
  const call = { keyId, method: 'GET', path };
  return (await owner.call<{ requestId: string }>('POST', `${apps}/${app}/calls`, call)).body.requestId;
}

const INSERT = `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, method, path,
  key_id, response_bytes) select $1, id, now(), 1, 1, 200, 'GET', '/v1/me', $2, 1 from unnest($3::uuid[]) as id`;
const insertInto = (client: { query(text: string, values: unknown[]): Promise<unknown> }, ids: string[]) =>
  client.query(INSERT, [fromId('app', app), fromId('key', keyId), ids]);
const toIds = (uuids: string[]): string[] => uuids.map((uuid) => toId('req', uuid));

describe('requests are shown in a live tail', () => {
  test('a tail shows a request immediately with the fields of the list, as an event stream that is not cached', async () => {
    const tail = await startTailReader();
    const id = await request();
    await until(() => tail.ids().includes(id));
    const listed = await owner.call<{ data: { id: string }[] }>('GET', `${apps}/${app}/requests`);
    expect(tail.events.flatMap(({ data }) => data)).toEqual([listed.body.data.find((one) => one.id === id)]);
    expect(tail.headers['content-type']).toMatch(/^text\/event-stream/);
    expect([tail.headers['cache-control'], tail.headers['x-accel-buffering']]).toEqual(['no-store', 'no']);
  });

  test('a tail shows only requests that match its filter', async () => {
    const [refused, ofKey] = [
      await startTailReader(owner, '?statusClass=4'),
      await startTailReader(owner, `?keyId=${keyId}`),
    ];
    const [good, bad] = [await request(), await request('/v1/nothing')];
    await until(() => ofKey.ids().length === 2 && refused.ids().length === 1);
    expect([refused.ids(), ofKey.ids().sort()]).toEqual([[bad], [good, bad].sort()]);
  });

  test('a tail is open to members who may read, and refused for others', async () => {
    const viewer = await organisation.join('viewer');
    expect((await tailOf(viewer.visitor)).status).toBe(200);
    const stranger = (await home.newPerson()).visitor;
    const answers = [await tailOf(stranger), await tailOf(home.newVisitor())];
    expect(answers.map(({ status, problem }) => [status, problem?.code])).toEqual([
      [404, 'not_found'],
      [401, 'sign_in_required'],
    ]);
    const foreign = await owner.call('GET', `${apps}/${toId('app', newUuid())}/request-tail`);
    expect(foreign.status).toBe(404);
  });
});

describe('a tail shows each request once', () => {
  test('a tail shows a record once that is committed after younger ones and has an older identifier', async () => {
    const tail = await startTailReader();
    const late = [40_000, 100].map((agoMs) => firstUuidAt(Date.now() - agoMs).slice(0, 14) + newUuid().slice(14));
    const { superuser } = home.plane.database;
    await superuser.query('begin');
    await insertInto(superuser, late);
    const younger = [await request(), await request()];
    await until(() => tail.ids().length === 2);
    await superuser.query('commit');
    const last = await request();
    await until(() => tail.ids().length >= 5 && tail.ids().includes(last));
    expect(tail.ids().sort()).toEqual([...toIds(late), ...younger, last].sort());
    expect(tail.missed()).toBe(0);
  });

  test('a tail continues where it broke off, with the position in the header or in the query', async () => {
    const first = await startTailReader();
    const before = await request();
    await until(() => first.ids().includes(before));
    const lastId = first.lastId();
    first.close();
    const meanwhile = [await request(), await request()];
    const again = [
      await startTailReader(owner, '', { headers: { 'last-event-id': lastId } }),
      await startTailReader(owner, `?after=${lastId}`),
    ];
    const after = await request();
    for (const tail of again) {
      await until(() => tail.ids().includes(after));
      expect(tail.ids().sort()).toEqual([...meanwhile, after].sort());
    }
  });

  test('a tail refuses a position that was changed or belongs to another filter or app', async () => {
    const lastId = (await startTailReader()).lastId();
    const changed = `${lastId.slice(0, -1)}${lastId.endsWith('A') ? 'B' : 'A'}`;
    const tries = [`?after=${changed}`, `?after=${lastId}&statusClass=4`, '?after=AAAA'];
    const byQuery = await Promise.all(tries.map((query) => tailOf(owner, query)));
    const byHeader = await tailOf(owner, '', { headers: { 'last-event-id': changed } });
    expect([...byQuery, byHeader].map(({ status, problem }) => [status, problem?.errors])).toEqual([
      ...tries.map(() => [400, [expect.objectContaining({ pointer: '/query/after' })]]),
      [400, [expect.objectContaining({ pointer: '/header/Last-Event-ID' })]],
    ]);
  });
});

test('a slow reader gets the count and the range of the requests that it missed, and no request is unaccounted for', async () => {
  let go = (): void => {};
  const isSlow = new Promise<void>((resolve) => {
    go = resolve;
  });
  const tail = await startTailReader(owner, '', { pace: () => isSlow });
  const { superuser } = home.plane.database;
  // More than the buffers between server and reader can hold.
  for (let batch = 0; batch < 4; batch++) await insertInto(superuser, Array.from({ length: 6_000 }, newUuid));
  go();
  await until(() => tail.ids().length + tail.missed() >= 24_000, 20_000);
  expect(new Set(tail.ids()).size).toBe(tail.ids().length);
  expect(tail.ids().length + tail.missed()).toBe(24_000);
  expect(tail.missed()).toBeGreaterThan(0);
  const [missed] = tail.events.flatMap((event) => event.missed ?? []);
  const { body } = await owner.call<{ data: unknown[] }>(
    'GET',
    `${apps}/${app}/requests?limit=1&since=${missed?.since}&until=${missed?.until}`,
  );
  expect(body.data).toHaveLength(1);
});

describe('the end of a live tail', () => {
  const within = 1_500; // one second, and a reserve for a slow machine

  test.each<[string, (one: Awaited<ReturnType<TestOrganisation['join']>>) => Promise<unknown>]>([
    ['when the person signs out', ({ visitor }) => visitor.call('DELETE', '/api/session')],
    [
      'when they are removed',
      ({ memberId }) => owner.call('POST', `${organisation.base}/members/${memberId}/remove`, { keys: 'keep' }),
    ],
    [
      'when the organisation is suspended',
      () => home.database.superuser.query("update organisations set suspended_reason = 'a test'"),
    ],
  ])('a tail ends %s', async (_, end) => {
    const someone = await organisation.join('viewer');
    const tail = await startTailReader(someone.visitor);
    expect(tail.hasEnded()).toBe(false);
    await end(someone);
    await until(() => tail.hasEnded(), within);
    await home.database.superuser.query('update organisations set suspended_reason = null');
  });

  test('a tail ends when the access token is revoked, and not before', async () => {
    const input = { name: 'A terminal', scope: 'read', expiresInDays: 1 };
    const made = await owner.call<{ accessToken: { id: string }; token: string }>(
      'POST',
      `${organisation.base}/access-tokens`,
      input,
    );
    const nobody = home.newVisitor();
    const tail = await startTailReader(nobody, '', { headers: { authorization: `Bearer ${made.body.token}` } });
    const id = await request();
    await until(() => tail.ids().includes(id));
    await owner.call('DELETE', `${organisation.base}/access-tokens/${made.body.accessToken.id}`);
    await until(() => tail.hasEnded(), within);
  });

  test('a tail stays open while the environment cannot be reached, and continues where it was', async () => {
    const tail = await startTailReader();
    const before = outages;
    isPlaneGone = true;
    await until(() => outages > before);
    const id = newUuid();
    await insertInto(home.plane.database.superuser, [id]);
    isPlaneGone = false;
    await until(() => tail.ids().includes(toId('req', id)));
    expect(tail.hasEnded()).toBe(false);
  });
});

describe('the number of open tails', () => {
  test('an organisation can have 10 open tails, and a closed tail makes room immediately', async () => {
    const tails = await Promise.all(Array.from({ length: 10 }, () => startTailReader()));
    const refused = await tailOf(owner);
    expect([refused.status, refused.problem?.code, refused.problem?.detail]).toEqual([
      409,
      'quota_exceeded',
      'An organisation has at most 10 tails and exports open at the same time. Close one first.',
    ]);
    tails[0]?.close();
    await until(async () => (await tailOf(owner)).status === 200);
  });

  test('HEAD requests and refused requests do not count as open tails', async () => {
    for (let turn = 0; turn < 12; turn++) {
      const head = await fetch(`${home.url}${apps}/${app}/request-tail`, { method: 'HEAD', headers: headersOf(owner) });
      await head.text(); // otherwise the connection stays open
      expect(head.status).toBe(200);
      expect((await tailOf(owner, '?after=AAAA')).status).toBe(400);
    }
    expect((await tailOf(owner)).status).toBe(200);
  });
});
