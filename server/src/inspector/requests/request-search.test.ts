// The Request Inspector finds exactly the matching requests in every layout of partitions, and says if it did not look
// at all of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import {
  dayAgo,
  HOUR_MS,
  hourOf,
  makeHours,
  requestUuid,
  type StoredRecord,
  store,
  storeMany,
} from '../../../test/request-search.fixture.ts';
import { runAsRole } from '../../../test/run-as-role.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { compactDay } from './compaction-store.ts';

let sandbox: Sandbox;
let app: TestApp;
let hot: TestApp;
const uuidOf = (one: TestApp): string => fromId('app', one.id) ?? '';
const KEYS = [newUuid(), newUuid()];
const SERVERS = [newUuid(), newUuid()];
const TRACES = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b700f067aa0ba902b7'];
const ANSWERS: [number | null, string | null][] = [
  [200, null],
  [200, null],
  [201, null],
  [403, 'missing_scope'],
  [404, 'not_found'],
  [429, 'rate_limited'],
  [500, 'internal_error'],
  [null, null],
];

/** The hours of a day that have a partition. */
const HOURS = [0, 1, 2, 3];

/** Creates records over three days, two of which are finished, in an order unrelated to their content. */
function makeRecords(): StoredRecord[] {
  const days = [dayAgo(0), dayAgo(2), dayAgo(3)];
  return Array.from({ length: 90 }, (_, at) => {
    const [status = null, problem_code = null] = ANSWERS[(at * 7) % 8] ?? [];
    const atMs = (days[at % 3] ?? 0) + (at % 3 === 0 ? at : (at * 1237 * 977) % (HOURS.length * HOUR_MS));
    return {
      request_id: requestUuid(atMs, at + 1),
      atMs,
      status,
      problem_code,
      operation_id: [null, 'listServers', 'createTicket', 'getTicket'][(at * 5) % 4] ?? null,
      method: at % 4 === 0 ? 'POST' : at % 7 === 0 ? 'M-SEARCH' : 'GET',
      path: ['/v1/servers', '/v1/servers/srv_1/Tickets', '/v1/a%b_c\\d'][at % 3] ?? '',
      key_id: KEYS[(at * 3) % 2] ?? '',
      server_id: at % 5 === 0 ? null : (SERVERS[at % 2] ?? null),
      trace_id: at % 9 === 0 ? (TRACES[at % 2] ?? null) : null,
      duration_us: [800, 999_999, 1_000_000, 2_999_999, 3_000_000, 12_000_000][at % 6] ?? 0,
      simulated: status === null ? 'reset' : at % 11 === 0 ? 'latency=1500' : null,
    };
  }).sort((a, b) => (a.request_id < b.request_id ? 1 : -1));
}
const records = makeRecords();

beforeAll(async () => {
  sandbox = await startSandbox();
  [app, hot] = [await sandbox.newApp(), await sandbox.newApp()];
  for (const days of [3, 2]) await makeHours(sandbox, dayAgo(days), HOURS);
  await makeHours(sandbox, dayAgo(0), [0]);
  await store(sandbox, uuidOf(app), records);
});
afterAll(() => sandbox.close());

type Query = Record<string, string | number | boolean>;
type Page = { data: { id: string }[]; nextCursor: string | null; searchedUntil: string | null };

async function page(of: TestApp, query: Query): Promise<Page> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, body } = await sandbox.manage<Page>('GET', `/apps/${of.id}/requests?${parameters}`);
  expect([query, status]).toEqual([query, 200]);
  return { ...body, data: body.data.map(({ id }) => ({ id })) };
}

async function pages(of: TestApp, query: Query): Promise<Page[]> {
  const all = [await page(of, query)];
  for (let next = all[0]?.nextCursor; next; next = all.at(-1)?.nextCursor)
    all.push(await page(of, { ...query, cursor: next }));
  return all;
}
const idsOf = (all: readonly Page[]): string[] => all.flatMap(({ data }) => data.map(({ id }) => id));

/** Each filter, with a function that states its meaning without SQL. */
const iso = (atMs: number): string => new Date(atMs).toISOString();
const middle = dayAgo(2) + 2 * HOUR_MS;
const FILTERS: [Query, (one: StoredRecord) => boolean][] = [
  [{}, () => true],
  [{ statusClass: 2 }, ({ status }) => status === 200 || status === 201],
  [{ statusClass: 4 }, ({ status }) => status !== null && status >= 400 && status < 500],
  [{ statusClass: 5 }, ({ status }) => status === 500],
  [{ status: 201 }, ({ status }) => status === 201],
  [{ status: 404 }, ({ status }) => status === 404],
  [{ code: 'missing_scope' }, (one) => one.problem_code === 'missing_scope'],
  [{ operationId: 'getTicket' }, (one) => one.operation_id === 'getTicket'],
  // A request without an operation is always refused.
  [{ operationId: 'none' }, ({ operation_id, status }) => operation_id === null && (status ?? 0) >= 400],
  [{ method: 'POST' }, ({ method }) => method === 'POST'],
  [{ method: 'M-SEARCH' }, ({ method }) => method === 'M-SEARCH'],
  [{ keyId: toId('key', KEYS[0] ?? '') }, (one) => one.key_id === KEYS[0]],
  [{ serverId: toId('srv', SERVERS[1] ?? '') }, (one) => one.server_id === SERVERS[1]],
  [{ requestId: toId('req', records[40]?.request_id ?? '') }, (one) => one === records[40]],
  [{ traceId: TRACES[0] ?? '' }, (one) => one.trace_id === TRACES[0]],
  [{ minDurationMs: 1000 }, (one) => one.duration_us >= 1_000_000],
  [{ minDurationMs: 3 * 1000 }, (one) => one.duration_us >= 3_000_000],
  [{ minDurationMs: 11_000 }, (one) => one.duration_us >= 11_000_000],
  [{ simulated: true }, ({ simulated }) => simulated !== null],
  [{ simulated: false }, ({ simulated }) => simulated === null],
  [{ path: 'tickets' }, ({ path }) => path.endsWith('Tickets')],
  [{ path: 'a%b_c\\d' }, ({ path }) => path === '/v1/a%b_c\\d'],
  [{ path: '_' }, ({ path }) => path.includes('_')],
  [{ since: iso(middle) }, ({ atMs }) => atMs >= middle],
  [{ until: iso(middle) }, ({ atMs }) => atMs < middle],
  // Two or more filters together, in every choice of index.
  [{ statusClass: 4, code: 'not_found' }, (one) => one.problem_code === 'not_found'],
  [{ statusClass: 2, code: 'not_found' }, () => false],
  [{ statusClass: 4, status: 500 }, () => false],
  [
    { keyId: toId('key', KEYS[1] ?? ''), statusClass: 4 },
    ({ key_id, status }) => key_id === KEYS[1] && (status ?? 0) >= 400 && status !== 500,
  ],
  [
    { serverId: toId('srv', SERVERS[0] ?? ''), method: 'GET', minDurationMs: 1 },
    ({ server_id, method, duration_us }) => server_id === SERVERS[0] && method === 'GET' && duration_us >= 1000,
  ],
  [
    { operationId: 'getTicket', simulated: true, since: iso(dayAgo(3)), until: iso(dayAgo(1)) },
    ({ operation_id, simulated, atMs }) => operation_id === 'getTicket' && simulated !== null && atMs < dayAgo(1),
  ],
];

async function expectAllFound(): Promise<void> {
  // Three at a time, because each search holds a connection.
  const checkEveryThird = async (first: number): Promise<void> => {
    for (const [query, fits] of FILTERS.filter((_, at) => at % 3 === first)) {
      const found = idsOf(await pages(app, { ...query, limit: 20 }));
      const expected = records.filter(fits).map((one) => toId('req', one.request_id));
      expect([query, found]).toEqual([query, expected]);
    }
  };
  await Promise.all([checkEveryThird(0), checkEveryThird(1), checkEveryThird(2)]);
}

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const partitions = async (): Promise<string[]> =>
  (
    await query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_records'::regclass order by 1",
    )
  ).map(({ name }) => name);
const sealedOnes = async (): Promise<string[]> => (await partitions()).filter((name) => name.includes('_sealed_'));
const contents = () => query('select r::text from request_records r order by app_id, request_id');
async function sealAll(): Promise<void> {
  while (await compactDay(sandbox.maintenance, () => {}));
}

// More than a page reads, with the matching record as the oldest.
const MANY = 21_000;
const rare = { operationId: 'getTicket' };
const rareWithoutFacet = { method: 'POST' };

test('each filter finds exactly the matching requests over all pages in days that are not sealed', expectAllFound);

test('a page that reaches its limit says how far it searched, and the next page continues there', async () => {
  await storeMany(sandbox, uuidOf(hot), dayAgo(2) + HOUR_MS, MANY);
  const [first, second, ...more] = await pages(hot, rareWithoutFacet);
  expect(first).toMatchObject({ data: [], searchedUntil: iso(dayAgo(2) + HOUR_MS + 1000) });
  expect(second).toMatchObject({ nextCursor: null, searchedUntil: null });
  expect([idsOf(second ? [second] : []).length, more]).toEqual([1, []]);
  const ofOperation = await pages(hot, rare);
  expect([ofOperation.length, idsOf(ofOperation)]).toEqual([5, idsOf(second ? [second] : [])]);
  // A search that fills its page immediately reads no further.
  expect(await page(hot, { operationId: 'listServers' })).toMatchObject({ searchedUntil: null });
});

describe('a finished day', () => {
  test('sealing makes one partition of a finished day with every row unchanged, and does not touch today', async () => {
    const before = await contents();
    const today = (await partitions()).filter((name) => !/_\d{8}_/.test(name) || name > hourOf(dayAgo(1)));
    await sealAll();
    expect(await contents()).toEqual(before);
    const sealed = [3, 2].map((days) => hourOf(dayAgo(days)).replace('records_', 'records_sealed_'));
    expect(await partitions()).toEqual([...today, ...sealed]);
    expect(await compactDay(sandbox.maintenance, () => {})).toBe(false);
  });

  test('each filter finds exactly the matching requests in sealed days', expectAllFound);

  test('a search in a sealed day finds rare requests on the first page', async () => {
    const found = await page(hot, rare);
    expect(found).toMatchObject({ data: [expect.anything()], nextCursor: null, searchedUntil: null });
  });

  test('a sealed day accepts and shows records of a node whose clock is late', async () => {
    const late = { ...(records[50] as StoredRecord), request_id: requestUuid(dayAgo(3) + 1, 1_000_000) };
    await store(sandbox, uuidOf(hot), [late]);
    const id = toId('req', late.request_id);
    expect(idsOf(await pages(hot, { requestId: id }))).toEqual([id]);
    expect(idsOf(await pages(app, { requestId: id }))).toEqual([]);
  });

  test('facets show no app the records of another app', async () => {
    const ask = (appId: string) =>
      runAsRole(
        sandbox.database.superuser,
        { role: 'slipway_manager', appId },
        "select find_faceted_requests('{operation getTicket}', uuid_floor('2000-01-01'), uuid_floor('2100-01-01'), 1000)",
      );
    const inSealed = records.filter(({ operation_id, atMs }) => operation_id === 'getTicket' && atMs < dayAgo(1));
    expect((await ask(uuidOf(app))).rows).toHaveLength(inSealed.length);
    expect((await ask(newUuid())).rows).toEqual([]);
    expect((await ask('')).rows).toEqual([]);
  });
});

test('hours are sealed on both sides of a missing hour, whose rows can still be found', async () => {
  await makeHours(sandbox, dayAgo(5), [4, 5, 7]);
  const [one = records[0] as StoredRecord] = records;
  const at = (hour: number) => ({ ...one, request_id: requestUuid(dayAgo(5) + hour * HOUR_MS, hour) });
  const own = await sandbox.newApp();
  await store(sandbox, uuidOf(own), [4, 5, 6, 7].map(at));
  await sealAll();
  expect(
    (await sealedOnes()).filter((name) => name.includes(iso(dayAgo(5)).slice(0, 10).replaceAll('-', ''))),
  ).toHaveLength(2);
  expect(idsOf(await pages(own, {}))).toEqual([7, 6, 5, 4].map((hour) => toId('req', at(hour).request_id)));
});

test('an invalid time is refused, and a range that ends before it begins contains no requests', async () => {
  for (const path of ['requests', 'request-groups', 'request-histogram']) {
    const ask = (query: string) => sandbox.manage('GET', `/apps/${app.id}/${path}?${query}`);
    for (const name of ['since', 'until']) {
      const { status, body } = await ask(`${name}=2026-12-31T23:59:60Z`);
      expect([status, body.errors]).toMatchObject([400, [{ pointer: `/query/${name}` }]]);
    }
    const { status, body } = await ask(`since=${iso(dayAgo(0))}&until=${iso(dayAgo(2))}`);
    expect([status, Object.values(body.data ?? []).filter((one) => one.count !== 0)]).toEqual([200, []]);
  }
});
