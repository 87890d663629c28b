// One transaction for several parts, on a real Postgres.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type Database, DatabaseUnavailable, openDatabase } from './db.ts';
import { defineItemLock, defineItemRead, defineItemWrite } from './item-statement-store.ts';
import {
  type FinishableTransaction,
  groupByStatement,
  runPartAlone,
  runSharedTransaction,
  type SharedTransaction,
  type TransactionPart,
  WouldBlockError,
} from './shared-transaction.ts';
import { type Sql, sql } from './sql.ts';

let db: Database;
let client: pg.Client;
const sent: string[] = [];
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  await client.query('create table shared_test (app_id uuid, n int, primary key (app_id, n))');
  db = openDatabase({ url: inject('superuserUrl'), max: 2, queryTimeoutMs: 1_000, connectTimeoutMs: 5_000 });
});
afterEach(async () => {
  sent.length = 0;
  await client.query('truncate shared_test');
});
afterAll(async () => {
  await db.close();
  await client.query('drop table shared_test');
  await client.end();
});

const noted = (name: string, statement: (rows: Sql) => Sql) => (rows: Sql) => {
  sent.push(name);
  return statement(rows);
};
const N = sql`n int`;
const INSERT = defineItemWrite<{ n: number }, { n: number; xid: string }>(
  N,
  noted(
    'insert',
    (rows) => sql`
    with asked as materialized (select * from ${rows}),
    made as (insert into shared_test select app_id, n from asked returning app_id, n, xmin::text as xid)
    select nth, made.* from made join asked using (app_id, n)`,
  ),
);
const COUNT = defineItemRead<{ n: number }, { count: number }>(
  N,
  noted(
    'count',
    (rows) => sql`
    select nth, (select count(*)::int from shared_test t where t.app_id = item.app_id) as count from ${rows}`,
  ),
);
const NOTE = defineItemWrite<{ n: number }>(
  N,
  noted('note', (rows) => sql`insert into shared_test select app_id, n from ${rows}`),
);

const FIRST = sql`select set_config('slipway.app_ids', '', true)`;
const app = (digit: number): string => `00000000-0000-7000-8000-00000000000${digit}`;
const share = <T>(...works: ((shared: FinishableTransaction) => Promise<T>)[]) =>
  runSharedTransaction(
    db,
    FIRST,
    works.map((work, index): TransactionPart<T> => ({ appId: app(index), work })),
  );
const kept = async (): Promise<number[]> =>
  (await client.query<{ n: number }>('select n from shared_test order by n')).rows.map(({ n }) => n);

test('equal statements that parts ask for together are sent as one in one transaction, and each part gets its own rows', async () => {
  const work = (n: number) => async (shared: SharedTransaction) => {
    const [before] = await shared.each(COUNT, { n });
    const [made] = await shared.each(INSERT, { n });
    shared.sendEach(NOTE, [{ n: n + 100 }, { n: n + 200 }]);
    return { before: before?.count, n: made?.n, xid: made?.xid };
  };
  const outcomes = await share(work(1), work(2), work(3));
  const values = outcomes.map((outcome) =>
    typeof outcome === 'object' && 'value' in outcome ? outcome.value : outcome,
  );
  expect(values).toEqual([1, 2, 3].map((n) => ({ before: 0, n, xid: expect.any(String) })));
  expect(new Set(values.map((value) => (value as { xid: string }).xid)).size).toBe(1);
  expect(sent).toEqual(['count', 'insert', 'note']);
  expect(await kept()).toEqual([1, 2, 3, 101, 102, 103, 201, 202, 203]);
});

test('a part gets the rows of all its items of a statement that is sent with the commit', async () => {
  const work =
    (...items: number[]) =>
    async (shared: FinishableTransaction) => ({
      rows: shared.sendForRows(
        INSERT,
        items.map((n) => ({ n })),
      ),
    });
  const outcomes = await share(work(3, 1), work(2), work());
  const found = outcomes.map(async (outcome) =>
    typeof outcome === 'object' && 'value' in outcome ? (await outcome.value.rows).map(({ n }) => n) : outcome,
  );
  expect(await Promise.all(found)).toEqual([[3, 1], [2], []]);
  expect(sent).toEqual(['insert']);
});

test('an item that names another app still belongs to its own app', async () => {
  const item = { n: 1, app_id: app(9), nth: 7 };
  await share(async (shared) => shared.each(INSERT, item));
  expect((await client.query('select app_id from shared_test')).rows).toEqual([{ app_id: app(0) }]);
});

test('a part that fails before it wrote fails alone', async () => {
  const refused = new Error('refused');
  const outcomes = await share(
    (shared) => shared.each(INSERT, { n: 1 }),
    async (shared) => {
      await shared.each(COUNT, { n: 2 });
      throw refused;
    },
    async () => {
      throw new WouldBlockError();
    },
  );
  expect(outcomes).toEqual([{ value: [expect.objectContaining({ n: 1 })] }, { error: refused }, 'again']);
  expect(await kept()).toEqual([1]);
});

test('a part that fails after it wrote undoes the transaction, and each part is to try again', async () => {
  const failing = async (shared: SharedTransaction) => {
    await shared.each(INSERT, { n: 2 });
    throw new Error('too late');
  };
  expect(await share((shared) => shared.each(INSERT, { n: 1 }), failing)).toEqual(['again', 'again']);
  const noting = async (shared: SharedTransaction) => {
    shared.sendEach(NOTE, [{ n: 2 }]);
    throw new Error('too late');
  };
  expect(await share((shared) => shared.each(INSERT, { n: 1 }), noting)).toEqual(['again', 'again']);
  expect(await kept()).toEqual([]);
});

test('an error of Postgres for one part undoes the transaction, immediately and at the commit', async () => {
  await client.query('insert into shared_test values ($1, 2)', [app(1)]);
  const outcomes = await share(
    (shared) => shared.each(INSERT, { n: 1 }),
    (shared) => shared.each(INSERT, { n: 2 }),
  );
  expect(outcomes).toEqual(['again', 'again']);
  const late = await share(
    async (shared) => shared.sendEach(NOTE, [{ n: 1 }]),
    async (shared) => shared.sendEach(NOTE, [{ n: 2 }]),
  );
  expect(late).toEqual(['again', 'again']);
  expect(await kept()).toEqual([2]);
});

test('no part tries again after the connection is lost, because the commit is uncertain', async () => {
  const cut = async (shared: SharedTransaction) => {
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%shared_test%' and pid <> pg_backend_pid()",
    );
    return shared.each(COUNT, { n: 1 });
  };
  const outcome = share<unknown>(
    (shared) => shared.each(INSERT, { n: 1 }),
    async (shared) => {
      await shared.each(COUNT, { n: 1 });
      return cut(shared);
    },
  );
  await expect(outcome).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await kept()).toEqual([]);
});

test('each part’s statements keep their order, however many the other parts ask for', () => {
  const lists = ['abc', 'bc', 'abbd', 'ca'].map((list) => [...list].map((statement) => ({ statement })));
  const order = groupByStatement(lists).map((asks) => asks.map(({ statement }) => statement).join(''));
  // The fourth part asks for a after its c, and the third one twice for b.
  expect(order).toEqual(['aa', 'bbb', 'b', 'd', 'ccc', 'a']);
});

test('the last statements of parts go with the commit, including those sent after them, and their rows come after it', async () => {
  const finish = (n: number) => async (shared: FinishableTransaction) => {
    await shared.each(COUNT, { n });
    const rows = shared.finish(INSERT, { n });
    shared.sendEach(NOTE, [{ n: n + 100 }]);
    return [(await rows)[0]?.n, (await kept()).length];
  };
  const refused = async (shared: FinishableTransaction) => {
    await shared.each(COUNT, { n: 3 });
    throw new Error('refused');
  };
  const outcomes = await share<unknown>(finish(1), refused, finish(2));
  expect(outcomes).toEqual([{ value: [1, 4] }, { error: new Error('refused') }, { value: [2, 4] }]);
  expect(sent).toEqual(['count', 'insert', 'note']);
});

test('an error of Postgres for a last statement undoes the transaction', async () => {
  await client.query('insert into shared_test values ($1, 2)', [app(1)]);
  const finish = (n: number) => (shared: FinishableTransaction) => shared.finish(INSERT, { n });
  expect(await share(finish(1), finish(2))).toEqual(['again', 'again']);
  expect(await kept()).toEqual([2]);
});

test('a part that runs alone rejects with its error, and keeps nothing', async () => {
  await client.query('insert into shared_test values ($1, 2)', [app(0)]);
  const own = <T>(work: TransactionPart<T>['work']): Promise<T> => runPartAlone(db, FIRST, { appId: app(0), work });
  await expect(own((shared) => shared.finish(INSERT, { n: 2 }))).rejects.toMatchObject({ code: '23505' });
  const late = new Error('too late');
  const failing = own(async (shared) => {
    await shared.each(INSERT, { n: 1 });
    throw late;
  });
  await expect(failing).rejects.toBe(late);
  expect(await kept()).toEqual([2]);
  expect(await own((shared) => shared.finish(INSERT, { n: 1 }))).toEqual([expect.objectContaining({ n: 1 })]);
});

test('equal reads of one app share one row and its result, but equal locks and equal reads of two apps do not', async () => {
  const columns = sql`n int`;
  const placed = (rows: Sql): Sql =>
    sql`select nth, n, row_number() over (order by nth)::int as place, (count(*) over ())::int as of_rows from ${rows}`;
  const READ = defineItemRead<{ n: number }, { place: number; of_rows: number }>(columns, placed);
  const LOCK = defineItemLock<{ n: number }, { place: number; of_rows: number }>(columns, placed);
  const work = (n: number) => async (shared: SharedTransaction) => {
    const [[read], [lock]] = await Promise.all([shared.each(READ, { n }), shared.each(LOCK, { n })]);
    return [read?.place, read?.of_rows, lock?.place, lock?.of_rows];
  };
  const parts = [
    [0, 1],
    [0, 2],
    [0, 1],
    [1, 1],
  ].map(([of = 0, n = 0]): TransactionPart<unknown> => ({ appId: app(of), work: work(n) }));
  const outcomes = await runSharedTransaction(db, FIRST, parts);
  expect(outcomes).toEqual([
    { value: [1, 3, 1, 4] },
    { value: [2, 3, 2, 4] },
    { value: [1, 3, 3, 4] },
    { value: [3, 3, 4, 4] },
  ]);
});
