// The statements that make waiting retries due, on a long queue: each reads one window by the primary key, and a job moves
// each retry once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt, newUuid } from '../../kit/crypto/ids.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { type DispatchFixture, testWorld } from '../dispatch/dispatch.fixture.ts';
import { countMatching } from './count-matching.ts';
import { countDue, countRetries, makeRetriesDueNow } from './queued-store.ts';
import { firstPosition, type RedeliveryFilter } from './redelivery-filter.ts';

const MANY = 60_000;
/** Every second delivery waits for a retry. The others wait for their first attempt. */
const WAITING = MANY / 2;
const BEGIN_MS = Date.parse('2026-11-02T08:00:00Z');
const AFTER = new Date(BEGIN_MS + MANY + 1);
const FILTER: RedeliveryFilter = {
  endpoint_id: null,
  event_type: null,
  statuses: ['pending'],
  reason: null,
  since: new Date(BEGIN_MS),
  until: null,
};
const START = firstPosition(FILTER).after_delivery_id;

let world: DispatchFixture;
let endpointId: string;
beforeAll(async () => {
  world = await testWorld();
  ({ endpointId } = await world.addEndpoint('http://127.0.0.1:1/hooks', await world.addKey()));
  await insertQueue(world.appId, endpointId);
  // The queues of other apps lie between the rows of this one.
  await insertQueue(newUuid(), newUuid());
  await world.rows('analyze queue');
});
afterAll(() => world.close());

/** Queues a delivery per millisecond. The id of its event is the same. */
const insertQueue = (appId: string, ofEndpoint: string) =>
  world.rows(
    `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, attempt_no, due_at)
     select $1, id, $2, id, gen_random_uuid(), n % 2, clock_timestamp() + interval '1 hour'
     from (select n, (lpad(to_hex($3::bigint + n), 12, '0') || repeat('0', 20))::uuid as id
       from generate_series(1, ${MANY}) n) one`,
    [appId, ofEndpoint, BEGIN_MS],
  );

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a statement under EXPLAIN ANALYZE. Returns how many rows of the queue each index read. */
async function readsOf(ask: (tenant: Tenant) => Promise<unknown>): Promise<Record<string, number>> {
  let statement: Sql | undefined;
  await world.asMember(async (tenant) => {
    const query = async <Row>(asked: Sql): Promise<Row[]> => {
      statement = asked;
      return [];
    };
    await ask({ ...tenant, query });
  });
  const { text = '', values = [] } = statement ?? {};
  const explained = { text: `explain (analyze, format json) ${text}`, values, name: newUuid() };
  const [row] = await world.asMember((tenant) => tenant.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explained));
  const reads: Record<string, number> = {};
  for (const node of nodesOf(row?.['QUERY PLAN'][0]?.Plan as PlanNode)) {
    const name = node['Index Name'] ?? node['Relation Name'];
    if (name === undefined || /^(endpoints|apps)/.test(name) || node['Node Type'] === 'ModifyTable') continue;
    reads[name] = (reads[name] ?? 0) + node['Actual Rows'] * node['Actual Loops'];
  }
  return reads;
}

test('a count and a batch read one window of a long queue by its primary key', async () => {
  expect(await readsOf((tenant) => countRetries(tenant, FILTER, START, AFTER, 2_000))).toEqual({ queue_pkey: 2_000 });
  const sizes = { window: 2_000, batch: 250 };
  const reads = await readsOf((tenant) => makeRetriesDueNow(tenant, FILTER, START, AFTER, sizes));
  // The window, and twice each row of the batch: for its lock and for its update.
  expect(reads).toEqual({ queue_pkey: 2_000 + 250 + 250 });
  // EXPLAIN ANALYZE moved the batch.
  const due = await readsOf((tenant) => countDue(tenant, FILTER, new Date(0), 100));
  expect(due).toEqual({ queue_due: 100 });
});

test('windows of any size count and move each waiting retry of a long queue once', async () => {
  const moveAll = async (window: number, batch: number): Promise<number[]> => {
    const moved: number[] = [];
    for (let after = START; ; ) {
      const found = await world.asMember((tenant) =>
        makeRetriesDueNow(tenant, FILTER, after, AFTER, { window, batch }),
      );
      moved.push(found.moved);
      if (found.last === null) return moved;
      after = found.last;
    }
  };
  await world.rows(`update queue set due_at = clock_timestamp() + interval '1 hour'`);
  const count = (options: { window?: number; forMs?: number } = {}) =>
    world.asMember((tenant) => countMatching(tenant, FILTER, AFTER, options));
  const exact = { total: WAITING, waiting: WAITING, isTotalExact: true };
  expect(await count({ window: 7_000 })).toMatchObject({
    ...exact,
    firstAt: new Date(BEGIN_MS + 1),
    lastAt: new Date(BEGIN_MS + MANY - 1),
  });
  expect(await count({ forMs: 0 })).toMatchObject({ total: 0, isTotalExact: false });
  const moved = await moveAll(1_999, 250);
  expect(Math.max(...moved)).toBe(250);
  expect(moved.reduce((sum, one) => sum + one, 0)).toBe(WAITING);
  expect(await count()).toMatchObject({ total: 0, isTotalExact: true });
  const due = await world.rows<{ app_id: string; count: number }>(
    'select app_id, count(*)::int as count from queue where due_at <= clock_timestamp() group by app_id',
  );
  expect(due).toEqual([{ app_id: world.appId, count: WAITING }]);
  expect(await world.asMember((tenant) => countDue(tenant, FILTER, new Date(0), 1_000))).toBe(1_000);
  const other = { ...FILTER, endpoint_id: newUuid() };
  expect(await world.asMember((tenant) => countDue(tenant, other, new Date(0), 1_000))).toBe(0);
});

test('a retry that a claim holds is passed over', async () => {
  await world.rows(`update queue set due_at = clock_timestamp() + interval '1 hour'`);
  const [first] = await world.rows<{ delivery_id: string }>(
    'select delivery_id from queue where app_id = $1 and attempt_no = 1 order by delivery_id limit 1',
    [world.appId],
  );
  await world.rows('begin');
  await world.rows('select from queue where app_id = $1 and delivery_id = $2 for update', [
    world.appId,
    first?.delivery_id,
  ]);
  const found = await world.asMember((tenant) =>
    makeRetriesDueNow(tenant, FILTER, START, AFTER, { window: 100, batch: 10 }),
  );
  await world.rows('rollback');
  expect(found).toMatchObject({ matched: 10, moved: 9 });
  expect(firstUuidAt(BEGIN_MS) < (found.last ?? '')).toBe(true);
});
