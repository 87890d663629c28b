// A connection that dies while idle: the next statement reports it, the process survives, and a pool continues.
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { isUnavailable, openDatabase, openPool, withConnection } from './db.ts';
import { sql } from './sql.ts';

/** Ends the connection at the server. Resolves when the client has noticed. */
async function kill(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  const other = new pg.Client({ connectionString: inject('superuserUrl') });
  await other.connect();
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await other.end();
  await ended;
}

test('a single connection that dies between two statements fails the second one', async () => {
  const run = withConnection({ connectionString: inject('superuserUrl') }, async (client) => {
    await kill(client);
    await client.query('select 1');
  });
  await expect(run).rejects.toThrow('is not queryable');
});

test("a pool's connection that dies while a library uses it fails its next query, and is replaced", async () => {
  const limits = { max: 1, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 };
  const pool = openPool({ url: inject('superuserUrl'), ...limits });
  const client = await pool.connect();
  await kill(client);
  expect(isUnavailable(await client.query('select 1').catch((error: unknown) => error))).toBe(true);
  client.release();
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  await pool.end();
});

test('the connections that are kept are open before the first call, which needs no new one', async () => {
  const url = new URL(inject('superuserUrl'));
  url.searchParams.set('application_name', 'kept');
  const db = openDatabase({ url: url.href, max: 3, kept: 2, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 });
  const count = sql`select count(*) as open from pg_stat_activity where application_name = 'kept'`;
  await db.warm();
  expect(await db.query(count)).toEqual([{ open: 2 }]);
  await db.close();
});

test('warm resolves if the database is unavailable', async () => {
  const db = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    max: 1,
    kept: 1,
    queryTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
  });
  await db.warm();
  expect(isUnavailable(await db.query(sql`select 1`).catch((error: unknown) => error))).toBe(true);
  await db.close();
});
