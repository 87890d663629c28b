// Statements that are sent together, on a real Postgres.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Database, DatabaseTimeout, openDatabase, type Transaction } from './db.ts';
import { openTransaction } from './db-transaction.ts';
import { sql } from './sql.ts';

let db: Database;
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  await client.query('create table transaction_test (n int primary key)');
  db = openDatabase({ url: inject('superuserUrl'), max: 1, queryTimeoutMs: 1_000, connectTimeoutMs: 5_000 });
});
afterEach(() => client.query('truncate transaction_test'));
afterAll(async () => {
  await db.close();
  await client.query('drop table transaction_test');
  await client.end();
});

const insert = (n: number) => sql`insert into transaction_test (n) values (${n}::int)`;
const kept = async (): Promise<number[]> =>
  (await client.query<{ n: number }>('select n from transaction_test order by n')).rows.map(({ n }) => n);
const codeOf = (error: unknown): unknown => (error instanceof pg.DatabaseError ? error.code : error);
const UNIQUE_VIOLATION = '23505';

test('together runs one transaction, whose settings end with it, and returns the rows of the last statement', async () => {
  const setting = sql`select set_config('slipway.app_id', 'here', true)`;
  const read = sql`select current_setting('slipway.app_id', true) as value,
    (select bool_and(xmin::text = pg_current_xact_id()::text) from transaction_test) as is_own`;
  expect(await db.together([setting, insert(1), read])).toEqual([{ value: 'here', is_own: true }]);
  expect(await db.query(read)).toEqual([{ value: '', is_own: false }]);
});

test('together undoes all statements if one fails, and they can be sent again', async () => {
  const later = sql`select 'never parsed before' as words`;
  const failed = await db.together([insert(1), insert(1), insert(2), later]).catch(codeOf);
  expect(failed).toBe(UNIQUE_VIOLATION);
  expect(await kept()).toEqual([]);
  expect(await db.together([insert(3), later])).toEqual([{ words: 'never parsed before' }]);
  expect(await kept()).toEqual([3]);
});

test('together rejects a statement that cannot be parsed, and values that cannot be sent', async () => {
  expect(await db.together([insert(1), sql`select from`, sql`nonsense`]).catch(codeOf)).toBe('42601');
  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  await expect(db.together([insert(1), sql`select ${circular}::jsonb`, insert(2)])).rejects.toThrow(/circular/);
  expect(await kept()).toEqual([]);
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test('queries issued together in a transaction each get their own result', async () => {
  const answers = await db.transaction(async (tx) => {
    tx.send(insert(1));
    const count = sql`select count(*)::int as n from transaction_test`;
    return Promise.all([tx.query(count), tx.query(insert(2)), tx.query(count)]);
  });
  expect(answers).toEqual([[{ n: 1 }], [], [{ n: 2 }]]);
  expect(await kept()).toEqual([1, 2]);
});

test('a transaction takes two round trips: one for its first queries, and one for its last statements and the commit', async () => {
  const trips = vi.spyOn(client, 'query');
  const { tx, commit } = openTransaction(client, pg.types);
  await Promise.all([tx.query(insert(1)), tx.query(insert(2)), tx.query(insert(3))]);
  tx.send(insert(4));
  for (let turn = 0; turn < 10; turn++) await null; // awaits its own functions, like a mutation
  tx.send(insert(5));
  await commit();
  expect(trips).toHaveBeenCalledTimes(2);
  trips.mockRestore();
  expect(await kept()).toEqual([1, 2, 3, 4, 5]);
});

test('statements without a result go with the commit, and their failure fails the transaction', async () => {
  await db.transaction(async (tx) => tx.send(insert(1)));
  expect(await kept()).toEqual([1]);
  const failed = db.transaction(async (tx) => {
    await tx.query(insert(2));
    tx.send(insert(1));
  });
  expect(await failed.catch(codeOf)).toBe(UNIQUE_VIOLATION);
  expect(await kept()).toEqual([1]);
});

describe('statements after a commit', () => {
  const seen = sql`select (select count(*)::int from transaction_test) as n,
    (select bool_or(xmin::text = pg_current_xact_id_if_assigned()::text) from transaction_test) as is_own`;

  test('a statement after the commit goes in the same message, and sees the committed rows in another transaction', async () => {
    const trips = vi.spyOn(client, 'query');
    const { tx, commit } = openTransaction(client, pg.types);
    const first = tx.sendAfterCommit(insert(2));
    const second = tx.sendAfterCommit<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`);
    tx.send(insert(1));
    await commit();
    expect(trips).toHaveBeenCalledTimes(1);
    trips.mockRestore();
    expect(await first).toEqual([]);
    const { rows } = await client.query('select n, xmin::text from transaction_test order by n');
    const [{ xid } = { xid: '' }] = await second;
    expect(rows).toEqual([
      { n: 1, xmin: expect.not.stringMatching(`^${xid}$`) },
      { n: 2, xmin: xid },
    ]);
  });

  test('a statement after the commit also runs if the transaction did nothing', async () => {
    let rows: Promise<unknown[]> | undefined;
    await db.transaction(async (tx) => {
      rows = tx.sendAfterCommit(seen);
    });
    expect(await rows).toEqual([{ n: 0, is_own: null }]);
  });

  test.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('no'))],
    ['fails at the commit', async (tx) => [tx.send(insert(1)), tx.send(insert(1))]],
    ['failed before', (tx) => Promise.all([tx.query(insert(1)), tx.query(insert(1))]).catch(() => {})],
  ])('a statement after the commit does not run if the transaction %s', async (_, run) => {
    const failed = db.transaction(async (tx) => {
      tx.sendAfterCommit(insert(2));
      await run(tx);
    });
    await expect(failed).rejects.toThrow();
    expect(await kept()).toEqual([]);
  });

  test('the failure of a statement after the commit is reported and undoes nothing', async () => {
    let rows: Promise<unknown[]> | undefined;
    const failed = db.transaction(async (tx) => {
      tx.send(insert(1));
      rows = tx.sendAfterCommit(insert(1));
    });
    expect(await failed.catch(codeOf)).toBe(UNIQUE_VIOLATION);
    expect(await rows?.catch(codeOf)).toBe(UNIQUE_VIOLATION);
    expect(await kept()).toEqual([1]);
  });
});

test('a transaction with a failed statement does not commit, even if the failure was ignored', async () => {
  const failed = db.transaction(async (tx) => {
    await tx.query(insert(1));
    await tx.query(insert(1)).catch(() => {});
  });
  expect(await failed.catch(codeOf)).toBe(UNIQUE_VIOLATION);
  expect(await kept()).toEqual([]);
});

test('a transaction that throws leaves no changes, and returns its connection', async () => {
  const failed = db.transaction(async (tx) => {
    await tx.query(insert(1));
    tx.send(insert(2));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await kept()).toEqual([]);
  expect(await db.transaction(async () => 'asked for nothing')).toBe('asked for nothing');
  await db.transaction((tx) => tx.query(insert(3)));
  expect(await kept()).toEqual([3]);
});

test('a statement of several that gets no response in time is a timeout, and its connection is replaced', async () => {
  const pid = sql`select pg_backend_pid() as pid`;
  const [before] = await db.query<{ pid: number }>(pid);
  const late = db.together([insert(1), sql`select pg_sleep(3)`, insert(2)]).catch((error: unknown) => error);
  expect(await late).toBeInstanceOf(DatabaseTimeout);
  const [after] = await db.query<{ pid: number }>(pid);
  expect(after?.pid).not.toBe(before?.pid);
});

test('a commit waits for queries that were not awaited, and their failure fails the transaction', async () => {
  const failed = db.transaction(async (tx) => {
    await tx.query(insert(1));
    void tx.query(insert(1)).catch(() => {});
  });
  expect(await failed.catch(codeOf)).toBe(UNIQUE_VIOLATION);
  expect(await kept()).toEqual([]);
});

test('a transaction that has ended sends nothing more, because its connection belongs to another', async () => {
  let goOn = (): void => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve();
  const failed = db.transaction(async (tx) => {
    late = gate.then(() => tx.query(insert(7))).catch((error: Error) => error.message);
    await tx.query(insert(1));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await db.transaction(async (tx) => {
    await tx.query(insert(2));
    goOn();
    expect(await late).toBe('The transaction has ended.');
  });
  expect(await kept()).toEqual([2]);
});

test('an empty statement can stand among others', async () => {
  expect(await db.together([insert(1), sql``, sql`select 1 as one`])).toEqual([{ one: 1 }]);
});

test('a statement that ended with a timeout is not carried out afterwards', async () => {
  await client.query('create table if not exists transaction_test_other (n int)');
  await client.query('begin');
  await client.query('lock table transaction_test_other in access exclusive mode');
  const late = db.transaction(async (tx) => {
    await tx.query(insert(1));
    tx.send(sql`insert into transaction_test_other values (1)`);
  });
  expect(await late.catch((error: unknown) => error)).toBeInstanceOf(DatabaseTimeout);
  await client.query('commit');
  // When the holder of the lock has ended.
  await client.query('begin; lock table transaction_test in access exclusive mode; commit');
  expect(await kept()).toEqual([]);
  await client.query('drop table transaction_test_other');
});

test('a statement whose result type has changed is prepared again, on another connection', async () => {
  const all = sql`select * from transaction_test`;
  await db.query(all);
  await client.query('alter table transaction_test add column more text');
  const failure = await db.query(all).catch(codeOf);
  expect(failure).toBe('0A000');
  expect(await db.query(all)).toEqual([]);
  await client.query('alter table transaction_test drop column more');
});
