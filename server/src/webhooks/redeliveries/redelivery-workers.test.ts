// The redelivery job without HTTP: concurrent workers, a worker that dies at any statement, windows with few matches,
// and the rate.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { openTenant, type Plane, setOrganisation, type TenantTransaction } from '../../access/authority/index.ts';
import { firstOf, type Transaction } from '../../kit/db/db.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { type DispatchFixture, testWorld } from '../dispatch/dispatch.fixture.ts';
import { countMatching } from './count-matching.ts';
import { listOutcomes } from './list-outcomes.ts';
import { MAX_WAITING, planBatch } from './plan-redelivery.ts';
import { firstPosition, type RedeliveryFilter } from './redelivery-filter.ts';
import { runDueRedeliveries } from './run-redeliveries.job.ts';
import { insertRedelivery, readClock } from './store.ts';

const MANY = 30;
const EVERYTHING: RedeliveryFilter = {
  endpoint_id: null,
  event_type: null,
  statuses: ['failed'],
  reason: null,
  since: new Date(0),
  until: null,
};

let world: DispatchFixture;
let errors: string[] = [];
beforeAll(async () => {
  world = await testWorld();
  await world.addEndpoint('http://127.0.0.1:1/hooks', await world.addKey());
});
afterAll(() => world.close());

beforeEach(async () => {
  errors = [];
  await world.rows('delete from queue');
  await world.rows('delete from deliveries');
  await world.rows('delete from redeliveries');
  await world.emit(MANY);
  await world.rows('delete from queue');
  await world.rows(`update deliveries set status = 'failed', finished_at = now()`);
});

const inApp = async <T>(run: (tenant: TenantTransaction) => Promise<T>): Promise<T> => {
  const [app] = await world.rows<{ organisation_id: string }>('select organisation_id from apps');
  return world.plane.db.manager.transaction((tx) => {
    setOrganisation(tx, app?.organisation_id ?? '');
    return run(openTenant(tx, world.appId));
  });
};
const start = (filter: Partial<RedeliveryFilter> = {}, rate = 1_000) =>
  inApp(async (tenant) => {
    const jobFilter = { ...EVERYTHING, ...filter };
    const job = { rate_per_second: rate, total: MANY, is_total_exact: true, created_by: 'a test' };
    return insertRedelivery(tenant, {
      ...jobFilter,
      ...firstPosition(jobFilter),
      ...job,
      created_at: await readClock(tenant),
    });
  });
const run = (plane: Plane = world.plane, window?: number): Promise<void> =>
  runDueRedeliveries(world.worker, plane, (error) => errors.push(String(error)), window);
const jobs = () =>
  world.rows<{ state: string; done: number }>('select state, done from redeliveries order by redelivery_id');
const dueAtOnce = () => world.rows(`update redeliveries set due_at = now() where state = 'running'`);
const areOver = async (): Promise<boolean> => (await jobs()).every(({ state }) => state === 'finished');
/** Counts how often originals were redelivered, and how many of those deliveries are queued. */
const made = () =>
  world.rows<{ made: number; queued: number }>(
    `select count(n.delivery_id)::int as made, count(q.delivery_id)::int as queued
     from deliveries d left join deliveries n on n.redelivery_of = d.delivery_id
     left join queue q on q.delivery_id = n.delivery_id and q.redelivery_id = n.redelivery_id
     where d.redelivery_of is null group by d.delivery_id, d.redelivered_as
     having max(n.delivery_id::text) is not distinct from d.redelivered_as::text`,
  );
const ONCE = Array.from({ length: MANY }, () => ({ made: 1, queued: 1 }));

test('jobs with the same matches, and workers that race for them, redeliver each delivery once', async () => {
  await start();
  await start();
  // Both find the same deliveries before either can lock them.
  await world.rows('begin');
  await world.rows('select from deliveries for update');
  const first = Promise.all([run(), run()]);
  await untilLocksWaited(world.superuser, 2);
  await world.rows('commit');
  await first;
  while (!(await areOver())) {
    await Promise.all([run(), run(), run(), run()]);
    await dueAtOnce();
  }
  expect(errors.filter((error) => error.includes('deadlock'))).toEqual([]);
  expect(await made()).toEqual(ONCE);
  expect((await jobs()).reduce((sum, { done }) => sum + done, 0)).toBe(MANY);
});

/** Returns the plane of a worker whose connection dies at its n-th statement. */
function planeFailingAt(statement: number): Plane {
  const { manager } = world.plane.db;
  let statementsLeft = statement;
  function dying(tx: Transaction): Transaction {
    async function query<Row>(issued: Sql): Promise<Row[]> {
      if (statementsLeft-- === 0) {
        await world.rows(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'idle in transaction'`,
        );
      }
      return tx.query<Row>(issued);
    }
    return { ...tx, query, first: firstOf(query) };
  }
  const transaction: typeof manager.transaction = (work) => manager.transaction((tx) => work(dying(tx)));
  return { ...world.plane, db: { ...world.plane.db, manager: { ...manager, transaction } } };
}

test('a worker that dies at any statement neither loses nor repeats a delivery', async () => {
  await start({}, 40); // ten per batch
  let deaths = 0;
  for (let at = 1; !(await areOver()); at = (at % 8) + 1) {
    await run(planeFailingAt(at));
    deaths += errors.splice(0).length > 0 ? 1 : 0;
    await dueAtOnce();
  }
  expect(deaths).toBeGreaterThan(2);
  expect(await made()).toEqual(ONCE);
  expect(await jobs()).toEqual([{ state: 'finished', done: MANY }]);
});

test('all matches are found and counted however few a window contains, and a count that takes too long says so', async () => {
  const rare = { ...EVERYTHING, reason: 'rare' };
  await world.rows(`update deliveries set reason = 'rare' where delivery_id in (
    select delivery_id from deliveries order by delivery_id offset 3 limit 2)`);
  const count = (options: { window?: number; forMs?: number }) =>
    inApp(async (tenant) => countMatching(tenant, rare, await readClock(tenant), options));
  expect(await count({ window: 4 })).toMatchObject({ total: 2, isTotalExact: true });
  expect(await count({ window: 1 })).toMatchObject({ total: 2, isTotalExact: true });
  expect(await count({ forMs: 0 })).toMatchObject({ total: 0, isTotalExact: false });
  await start({ reason: 'rare' });
  while (!(await areOver())) await run(world.plane, 4);
  expect(errors).toEqual([]);
  expect(await jobs()).toEqual([{ state: 'finished', done: 2 }]);
});

test('a job matches no delivery that ended after its creation, nor its own', async () => {
  await world.rows(`update deliveries set finished_at = now() + interval '1 hour' where delivery_id in (
    select delivery_id from deliveries limit 5)`);
  await world.rows(`update endpoints set state = 'disabled'`);
  const job = await start();
  while (!(await areOver())) await run();
  await world.rows(`update endpoints set state = 'enabled'`);
  expect(await jobs()).toEqual([{ state: 'finished', done: MANY - 5 }]);
  const outcomes = [{ status: 'skipped', reason: 'endpoint_disabled', count: MANY - 5 }];
  const list = (options: { window?: number; forMs?: number }) =>
    inApp((tenant) => listOutcomes(tenant, job.redelivery_id, options));
  expect(await list({ window: 4 })).toEqual({ outcomes, isExact: true });
  expect(await list({ window: MANY - 5 })).toEqual({ outcomes, isExact: true });
  expect(await list({ forMs: 0 })).toEqual({ outcomes: [], isExact: false });
  expect(await world.rows('select from deliveries where redelivery_of is not null')).toHaveLength(MANY - 5);
});

test('deliveries of one subject to an ordered endpoint become due one after the other', async () => {
  await world.rows('update endpoints set is_ordered = true');
  await world.rows('update events set subject_id = $1', [world.appId]);
  await world.rows(`update events e set sequence = n.at from (
    select event_id, row_number() over (order by event_id) as at from events) n where n.event_id = e.event_id`);
  await start({}, 40);
  while (!(await areOver())) {
    await run();
    await dueAtOnce();
  }
  await world.rows('update endpoints set is_ordered = false');
  const due = (): Promise<{ is_due: boolean }[]> =>
    world.rows(`select due_at < 'infinity' as is_due from queue order by sequence`);
  const oneOf = (many: number) => Array.from({ length: many }, (_, at) => ({ is_due: at === 0 }));
  expect(await due()).toEqual(oneOf(MANY));
  // A delivery that leaves the queue makes the next one due.
  await world.rows(`delete from queue where due_at < 'infinity'`);
  expect(await due()).toEqual(oneOf(MANY - 1));
});

test('a job keeps its average rate in batches and limits its waiting deliveries', () => {
  for (const rate of [1, 3, 40, 100, 999, 1_000]) {
    const { size, inMs } = planBatch(rate, 0);
    expect(size / inMs).toBeCloseTo(rate / 1_000);
    expect(size).toBeLessThanOrEqual(250);
  }
  expect(planBatch(1_000, MAX_WAITING - 1).size).toBe(1);
  expect(planBatch(1_000, MAX_WAITING)).toEqual({ size: 0, inMs: 500 });
});
