// Summaries of requests: groups of problems and histograms, compared with known records.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { HOUR_MS, requestUuid, type StoredRecord, store } from '../../../test/request-search.fixture.ts';
import { openTenant } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { FIRST_UUID, toRequestFilter } from './request-filter.ts';
import { MAX_SUMMED, toSpanFields } from './request-summary.ts';
import { countBuckets, groupProblems } from './summary-store.ts';

let sandbox: Sandbox;
let app: TestApp;
const appId = (): string => fromId('app', app.id) ?? '';
const now = Date.now();
const KEY = newUuid();

const record = (at: number, part: Partial<StoredRecord>): StoredRecord => ({
  request_id: requestUuid(now - at * HOUR_MS, at + 1),
  atMs: now - at * HOUR_MS,
  status: 200,
  problem_code: null,
  operation_id: 'listServers',
  method: 'GET',
  path: '/v1/servers',
  key_id: at % 2 === 0 ? KEY : newUuid(),
  server_id: null,
  trace_id: null,
  duration_us: 800,
  simulated: null,
  ...part,
});
const NOT_FOUND = { status: 404, problem_code: 'not_found' };
const records = [
  ...[2, 3, 5, 8].map((at) => record(at, NOT_FOUND)),
  ...[1, 4].map((at) => record(at, { ...NOT_FOUND, operation_id: null })),
  record(6, { status: 403, problem_code: 'missing_scope', operation_id: 'createTicket' }),
  // None of these is a problem of this day.
  ...[7, 9].map((at) => record(at, {})),
  record(10, { status: null, simulated: 'reset' }),
  record(11, { status: 503, duration_us: 90_000 }),
  record(12, { status: 499 }),
  record(30, NOT_FOUND),
];

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  await store(sandbox, appId(), records);
});
afterAll(() => sandbox.close());

interface Groups {
  data: {
    code: string;
    operationId: string | null;
    count: number;
    firstAt: string;
    lastAt: string;
    sampleId: string;
  }[];
  searchedUntil: string | null;
}
interface Values {
  statuses: number[];
  codes: string[];
  operationIds: string[];
  methods: string[];
  keyIds: string[];
  serverIds: string[];
  searchedUntil: string | null;
}
interface Histogram {
  data: {
    at: string;
    count: number;
    errors: number;
    serverErrors: number;
    unanswered: number;
    durations: { p50Ms: number; p95Ms: number; p99Ms: number } | null;
  }[];
  since: string;
  until: string;
  searchedUntil: string | null;
}
const get = async <Body>(path: string, of = app): Promise<Body> => {
  const { status, body } = await sandbox.manage<Body>('GET', `/apps/${of.id}/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const at = (hours: number): string => new Date(now - hours * HOUR_MS).toISOString();

test('groups count requests with the same problem and operation, with the first, the last and a sample', async () => {
  const { data, searchedUntil } = await get<Groups>('request-groups');
  const group = (code: string, operationId: string | null, count: number, first: number, last: number) => ({
    code,
    operationId,
    count,
    firstAt: at(first),
    lastAt: at(last),
    sampleId: toId('req', requestUuid(now - last * HOUR_MS, last + 1)),
  });
  expect(data).toEqual([
    group('not_found', 'listServers', 4, 8, 2),
    group('not_found', null, 2, 4, 1),
    group('missing_scope', 'createTicket', 1, 6, 6),
  ]);
  expect(searchedUntil).toBeNull();
});

test('the values are those of the requests in the range, and each is named once', async () => {
  const { statuses, codes, operationIds, methods, keyIds, serverIds, searchedUntil } =
    await get<Values>('request-values');
  expect({ statuses, codes, operationIds, methods, serverIds, searchedUntil }).toEqual({
    statuses: [200, 403, 404, 499, 503],
    codes: ['missing_scope', 'not_found'],
    operationIds: ['createTicket', 'listServers', 'none'],
    methods: ['GET'],
    serverIds: [],
    searchedUntil: null,
  });
  expect(keyIds).toContain(toId('key', KEY));
  expect(new Set(keyIds).size).toBe(records.filter(({ key_id }) => key_id !== KEY).length + 1);
  const early = await get<Values>(`request-values?until=${at(9.5)}`);
  expect([early.statuses, early.codes]).toEqual([[404, 499, 503], ['not_found']]);
  expect((await get<Values>('request-values', await sandbox.newApp())).statuses).toEqual([]);
});

test('groups count only requests within the filter and the time range', async () => {
  const counts = async (query: string): Promise<number[]> =>
    (await get<Groups>(`request-groups?${query}`)).data.map(({ count }) => count);
  expect(await counts(`keyId=${toId('key', KEY)}`)).toEqual([2, 1, 1]);
  expect(await counts('code=missing_scope')).toEqual([1]);
  expect(await counts('statusClass=5')).toEqual([]);
  expect(await counts(`since=${at(31)}`)).toEqual([5, 2, 1]);
  expect(await counts(`since=${at(3.5)}&until=${at(1.5)}`)).toEqual([2]);
});

test('a histogram counts every request in its bucket, with errors and requests without a response', async () => {
  const { data, since, until, searchedUntil } = await get<Histogram>(
    `request-histogram?since=${at(12)}&until=${at(0)}&buckets=4`,
  );
  expect([since, until, searchedUntil]).toEqual([at(12), at(0), null]);
  // One of the first three was reset on demand, and one client disconnected.
  expect(data).toMatchObject([
    { at: at(12), count: 3, errors: 1, serverErrors: 1, unanswered: 2 },
    { at: at(9), count: 3, errors: 1, serverErrors: 0, unanswered: 0 },
    { at: at(6), count: 3, errors: 3, serverErrors: 0, unanswered: 0 },
    { at: at(3), count: 3, errors: 3, serverErrors: 0, unanswered: 0 },
  ]);
  const some = await get<Histogram>(
    `request-histogram?since=${at(12)}&until=${at(0)}&buckets=1&statusClass=4&keyId=${toId('key', KEY)}`,
  );
  expect(some.data).toMatchObject([{ at: at(12), count: 5, errors: 4, serverErrors: 0, unanswered: 1 }]);
});

test('a histogram has no buckets for an empty or reversed time range', async () => {
  for (const until of [at(6), at(3)]) {
    const histogram = await get<Histogram>(`request-histogram?since=${at(3)}&until=${until}`);
    expect(histogram).toMatchObject({ data: [], searchedUntil: null });
  }
});

test('a histogram has percentiles of durations, and none for a bucket without requests', async () => {
  const { data } = await get<Histogram>(`request-histogram?since=${at(12)}&until=${at(-3)}&buckets=5`);
  // The middle of each step: from 790 to 825 µs, and from 88.8 to 92.7 ms.
  const [short, long] = [0.807, 90.696];
  expect(data[0]?.durations).toEqual({ p50Ms: short, p95Ms: long, p99Ms: long });
  expect(data[1]?.durations).toEqual({ p50Ms: short, p95Ms: short, p99Ms: short });
  expect(data[4]).toMatchObject({ count: 0, durations: null });
});

test('a call is counted immediately, and in no other app', async () => {
  const [one, other] = [await sandbox.newApp(), await sandbox.newApp()];
  const { token } = await one.key();
  await sandbox.call(`/v1/servers/${one.serverIds[0]}/tickets`, token, json({ subject: 1 }));
  const total = async (of: TestApp): Promise<number> =>
    (await get<Histogram>('request-histogram', of)).data.reduce((sum, { count }) => sum + count, 0);
  expect([await total(one), await total(other)]).toEqual([1, 0]);
  expect((await get<Groups>('request-groups', one)).data).toMatchObject([{ code: 'invalid_request', count: 1 }]);
  expect((await get<Groups>('request-groups', other)).data).toEqual([]);
});

test('a summary counts the newest records within its limit and says how far it looked', async () => {
  const newest = requestUuid(now - 3 * HOUR_MS, 4);
  const summed = await sandbox.plane.db.manager.transaction((tx) =>
    countBuckets(openTenant(tx, appId()), toRequestFilter({}), { by: 'app' }, [FIRST_UUID], 3),
  );
  expect(summed).toEqual({
    examined: 3,
    reached: newest,
    // 800 µs are in the step from 790 to 825.
    buckets: [{ bucket: 1, count: 3, errors: 3, server_errors: 0, unanswered: 0, steps: { 154: 3 } }],
  });
  const grouped = await sandbox.plane.db.manager.transaction((tx) =>
    groupProblems(openTenant(tx, appId()), toRequestFilter({}), { size: 3, most: 1 }),
  );
  expect(grouped).toMatchObject({ examined: 3, reached: newest, groups: [{ count: 2 }] });
  const span = { sinceMs: 0, untilMs: now, filter: toRequestFilter({}) };
  expect(toSpanFields(span, { examined: MAX_SUMMED, reached: newest }).searchedUntil).toBe(at(3));
  expect(toSpanFields(span, { examined: MAX_SUMMED - 1, reached: newest }).searchedUntil).toBeNull();
});
