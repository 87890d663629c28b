// Errors of the driver on a real Postgres: only these count as a lost database, and a conflict runs again.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Database, DatabaseTimeout, DatabaseUnavailable, openDatabase, openPool, type Transaction } from './db.ts';
import { sql } from './sql.ts';

const LIMITS = { queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 };
let db: Database;
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  await client.query('create table conflict_test (id int primary key, n int not null default 0)');
  db = openDatabase({ url: inject('superuserUrl'), max: 2, ...LIMITS });
});
afterEach(() => client.query('truncate conflict_test'));
afterAll(async () => {
  await db.close();
  await client.query('drop table conflict_test');
  await client.end();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const pidOf = async (tx: Transaction): Promise<unknown> =>
  (await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;

describe('error that the work of a transaction throws', () => {
  const TEXTS = ['Contract terminated.', 'socket', 'timeout', 'ECONNRESET', 'Connection terminated unexpectedly'];
  test.each(
    TEXTS,
  )('an error thrown by a transaction stays itself and costs no connection, with the text "%s"', async (text) => {
    const error = new Error(text);
    const one = openDatabase({ url: inject('superuserUrl'), max: 1, ...LIMITS });
    let before: unknown;
    const failed = one.transaction(async (tx) => {
      before = await pidOf(tx);
      throw error;
    });
    expect(await failureOf(failed)).toBe(error);
    expect(await one.transaction(pidOf)).toBe(before);
    await one.close();
  });

  test('an error that Postgres raises with a text of ours stays itself', async () => {
    const raise = sql`do $$ begin raise exception 'Contract terminated: socket timeout'; end $$`;
    expect(await failureOf(db.query(raise))).toMatchObject({ code: 'P0001' });
  });
});

test('a connection that ends during a query is a lost database', async () => {
  const end = sql`select pg_terminate_backend(pg_backend_pid())`;
  expect(await failureOf(db.query(end))).toBeInstanceOf(DatabaseUnavailable);
  const inside = db.transaction(async (tx) => {
    await tx.query(sql`select 1`);
    await tx.query(end);
  });
  expect(await failureOf(inside)).toBeInstanceOf(DatabaseUnavailable);
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test('a host without an address, a full pool and a late statement are a lost database', async () => {
  const failures = async (url: string, limits: object): Promise<unknown[]> => {
    const away = openDatabase({ url, max: 1, ...LIMITS, ...limits });
    const sleep = () => failureOf(away.query(sql`select pg_sleep(1)`));
    const both = await Promise.all([sleep(), sleep()]);
    await away.close();
    return both.flatMap((one) => (one instanceof Error ? [one.constructor] : []));
  };
  const nowhere = await failures('postgres://nobody@nowhere.invalid/none', {});
  expect(nowhere).toEqual([DatabaseUnavailable, DatabaseUnavailable]);
  expect(await failures(inject('superuserUrl'), { connectTimeoutMs: 500 })).toEqual([DatabaseUnavailable]);
  expect(await failures(inject('superuserUrl'), { queryTimeoutMs: 300 })).toContain(DatabaseTimeout);
});

test("a library's pool raises a lost database as DatabaseUnavailable", async () => {
  const pool = openPool({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1, ...LIMITS });
  expect(await failureOf(pool.connect())).toBeInstanceOf(DatabaseUnavailable);
  await pool.end();
});

describe('conflict', () => {
  const add = (id: number) => sql`update conflict_test set n = n + 1 where id = ${id}::int`;
  /**
   * Runs two transactions that lock two rows in opposite order. `meet` resolves when both have locked their first row.
   */
  async function deadlock(options: { isOnce?: boolean } = {}): Promise<{ runs: number; failures: unknown[] }> {
    await client.query('insert into conflict_test values (1), (2)');
    let runs = 0;
    let held = 0;
    let meet = (): void => {};
    const bothHold = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const take = (first: number, second: number) =>
      db.transaction(async (tx) => {
        runs += 1;
        await tx.query(add(first));
        held += 1;
        if (held === 2) meet();
        await bothHold;
        await tx.query(add(second));
      }, options);
    const outcomes = await Promise.allSettled([take(1, 2), take(2, 1)]);
    return { runs, failures: outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])) };
  }
  const counts = async () => (await client.query('select n from conflict_test order by id')).rows.map(({ n }) => n);

  test('a conflict between two transactions runs the victim again, and both are committed', async () => {
    const { runs, failures } = await deadlock();
    expect(failures).toEqual([]);
    // On a busy machine the victim can return before the other transaction wakes up, and both conflict once more.
    expect(runs).toBeGreaterThan(2);
    expect(await counts()).toEqual([2, 2]);
  });

  test('a conflict fails a transaction that may run only once', async () => {
    const { runs, failures } = await deadlock({ isOnce: true });
    expect(runs).toBe(2);
    expect(failures).toEqual([expect.any(DatabaseUnavailable)]);
    expect(await counts()).toEqual([1, 1]);
  });

  test('a conflict that recurs fails after three runs, and keeps the connection', async () => {
    const run = vi.fn(async (tx: Transaction) => {
      await tx.query(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    const one = openDatabase({ url: inject('superuserUrl'), max: 1, ...LIMITS });
    const before = await one.transaction(pidOf);
    expect(await failureOf(one.transaction(run))).toBeInstanceOf(DatabaseUnavailable);
    expect(run).toHaveBeenCalledTimes(3);
    expect(await one.transaction(pidOf)).toBe(before);
    await one.close();
  });

  test('a conflict of a statement after the commit runs nothing again, because the commit is valid', async () => {
    const run = vi.fn(async (tx: Transaction) => {
      await tx.query(sql`insert into conflict_test values (1)`);
      void tx.sendAfterCommit(sql`do $$ begin raise exception 'late' using errcode = '40P01'; end $$`);
    });
    expect(await failureOf(db.transaction(run))).toBeInstanceOf(DatabaseUnavailable);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await counts()).toEqual([0]);
  });
});
