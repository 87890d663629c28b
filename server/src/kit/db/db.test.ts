// A connection that dies while idle: the next statement reports it, the process survives, and a pool continues. A pool
// leaves a host that hangs.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
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

describe('a pool whose first host hangs', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const end of ends.splice(0)) await end();
  });

  /** Starts a host that forwards to Postgres until it hangs, and a pool with this host and Postgres itself. */
  async function start(max: number) {
    const postgres = new URL(inject('superuserUrl'));
    const inbound: Socket[] = [];
    let isHanging = false;
    const server = createServer((socket) => {
      inbound.push(socket);
      socket.on('error', () => {});
      if (isHanging) return;
      const outbound = connect(Number(postgres.port), postgres.hostname);
      outbound.on('error', () => {});
      outbound.on('close', () => socket.destroy());
      socket.on('close', () => outbound.destroy());
      socket.pipe(outbound).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // a TCP address
    const url = postgres.href.replace(postgres.host, `127.0.0.1:${port},${postgres.host}`);
    const pool = openPool({ url, max, queryTimeoutMs: 500, connectTimeoutMs: 500 });
    ends.push(async () => {
      server.close();
      for (const socket of inbound) socket.destroy();
      await pool.end();
    });
    return {
      pool,
      connections: () => inbound.length,
      hang(): void {
        isHanging = true;
      },
      hangOpenConnections(): void {
        for (const socket of inbound) socket.unpipe();
      },
    };
  }

  test('leaves it although the caller gave up before the connection failed', async () => {
    const { pool, connections, hang } = await start(1);
    const held = await pool.connect();
    hang();
    const waiting = pool.connect();
    held.release(true);
    await expect(waiting).rejects.toThrow('timeout exceeded when trying to connect');
    await vi.waitFor(() => expect(pool.totalCount).toBe(0));
    const before = connections();
    await pool.query('select');
    expect([before, connections()]).toEqual([2, 2]);
  });

  test('does not return to it when an earlier connection to it fails', async () => {
    const { pool, connections, hang, hangOpenConnections } = await start(2);
    const early = await pool.connect();
    hang();
    const late = await pool.connect();
    late.release();
    early.release();
    hangOpenConnections();
    // Both connections must be confirmed again.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_000);
    await pool.query('select');
    const before = connections();
    const [one, another] = [await pool.connect(), await pool.connect()];
    expect([before, connections()]).toEqual([2, 2]);
    one.release();
    another.release();
  });
});
