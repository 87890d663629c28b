// A primary with a streaming standby: which of the servers a connection uses, and what the checks report.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrateDatabase, requireConnection } from '../server/src/boot/process.ts';
import { check } from '../server/src/commands/check.ts';
import { ConfigError, readConfig } from '../server/src/config/config.ts';
import {
  type Database,
  DatabaseUnavailable,
  openDatabase,
  openPool,
  type Transaction,
  withConnection,
} from '../server/src/kit/db/db.ts';
import { withDatabase } from '../server/src/kit/db/short-lived-database.ts';
import { sql } from '../server/src/kit/db/sql.ts';
import { checkDatabase } from '../server/src/platform/monitoring/index.ts';
import { startOptionDropper } from './drop-options.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { until } from './slipway.ts';

let postgres: ReplicatedPostgres;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  await postgres.primary.query('create role slipway_worker');
  await postgres.primary.query('create table schema_migrations (version int, name text, checksum text)');
});
afterAll(() => postgres.remove());

const LIMITS = { max: 2, queryTimeoutMs: 1_000, connectTimeoutMs: 1_000 };
const PORT = sql`select inet_server_port() as port`;
const bothHosts = (query = ''): string =>
  `postgres://postgres@127.0.0.1:${postgres.standby.port},127.0.0.1:${postgres.primary.port}/postgres${query}`;

async function usingDatabase<T>(url: string, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, ...LIMITS });
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('connections', () => {
  test('a URL with several hosts leads to the primary in any order of the hosts', async () => {
    const port = postgres.primary.port;
    expect(await usingDatabase(bothHosts(), (db) => db.query(PORT))).toEqual([{ port }]);
    expect(await usingDatabase(bothHosts('?target_session_attrs=read-write'), (db) => db.query(PORT))).toEqual([
      { port },
    ]);
    expect(await withDatabase({ url: bothHosts() }, (db) => db.query(PORT))).toEqual([{ port }]);
  });

  test('a pool of a library leads to the primary too', async () => {
    const pool = openPool({ url: bothHosts(), ...LIMITS });
    expect((await pool.query('select inet_server_port() as port')).rows).toEqual([{ port: postgres.primary.port }]);
    await pool.end();
  });

  test('a notification is heard from the primary', async () => {
    const heard = vi.fn();
    await usingDatabase(bothHosts(), async (db) => {
      const stop = await db.listen('standby_test', heard);
      await db.query(sql`select pg_notify('standby_test', 'sent')`);
      await until(() => heard.mock.calls.length > 0);
      await stop();
    });
    expect(heard).toHaveBeenCalledWith('sent');
  });

  test('a standby is refused as an unavailable database', async () => {
    const failure = await failureOf(usingDatabase(postgres.standby.url(), (db) => db.query(PORT)));
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(String(failure)).toContain(`127.0.0.1:${postgres.standby.port} is a standby.`);
  });

  test('a login whose transactions are read-only is refused', async () => {
    await postgres.primary.query('create role reader login');
    await postgres.primary.query('alter role reader set default_transaction_read_only = on');
    const url = postgres.primary.url('postgres', 'reader');
    expect(String(await failureOf(usingDatabase(url, (db) => db.query(PORT))))).toContain('is read-only.');
  });

  test('a lost connection runs its transaction only once, although the URL has another host', async () => {
    const run = vi.fn(async (tx: Transaction) => {
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    const failure = await usingDatabase(bothHosts(), (db) => failureOf(db.transaction(run)));
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('checks', () => {
  const settings = (url: string) => ({ SLIPWAY_CONSOLE_DATABASE_URL: url });

  test('the command check fails on a standby, and names it', async () => {
    const results = await check('console', readConfig(settings(postgres.standby.url())));
    expect(results).toContainEqual({
      level: 'fail',
      what: `The database that SLIPWAY_CONSOLE_DATABASE_URL names cannot be used: 127.0.0.1:${postgres.standby.port} is a standby. Only the primary can be used.`,
    });
    const primary = await check('console', readConfig(settings(postgres.primary.url())));
    expect(primary.filter(({ what }) => what.includes('cannot be used'))).toEqual([]);
  });

  test('the command check warns about an asynchronous standby', async () => {
    const warnings = async (): Promise<string[]> => {
      const results = await check('console', readConfig(settings(postgres.primary.url('postgres', 'observer'))));
      return results.flatMap(({ level, what }) => (level === 'warn' ? [what] : []));
    };
    await postgres.primary.query('create role observer login');
    await postgres.primary.query('grant select on schema_migrations to observer');
    expect(await warnings()).toEqual([
      "The Console's database: Connections that receive the WAL: 1; standbys in synchronous_standby_names: 0. A failover to a standby that is not listed loses answered changes, and revoked keys are valid again.",
    ]);
    await postgres.setSynchronous(true);
    expect(await warnings()).toEqual([]);
    await postgres.setSynchronous(false);
  });

  test('readiness fails on a standby', async () => {
    const ready = (url: string) => usingDatabase(url, async (db) => (await checkDatabase('console', db, 0).run()).isOk);
    expect(await ready(postgres.standby.url())).toBe(false);
    expect(await ready(postgres.primary.url())).toBe(true);
  });

  test('readiness fails when an open connection becomes read-only', async () => {
    await usingDatabase(postgres.primary.url(), async (db) => {
      const { run } = checkDatabase('console', db, 0);
      const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
        await postgres.primary.query(`alter system set default_transaction_read_only = ${value}`);
        await postgres.primary.query('select pg_reload_conf()');
      };
      expect(await run()).toMatchObject({ isOk: true });
      await setReadOnly('on');
      await until(async () => (await run()).detail === 'The database is read-only.');
      await setReadOnly('off');
      await until(async () => (await run()).isOk);
    });
  });

  test('a start behind a pooler that drops the options of connections is refused with a sentence', async () => {
    const pooler = await startOptionDropper(postgres.primary.port);
    const url = `postgres://postgres@127.0.0.1:${pooler.port}/postgres?sslmode=disable`;
    const start = async (role?: string) => {
      const db = openDatabase({ url, ...LIMITS, ...(role && { role }) });
      const failure = await failureOf(requireConnection(db, 'SLIPWAY_SANDBOX_DATABASE_URL'));
      await db.close();
      return failure;
    };
    const sentence = `The database that SLIPWAY_SANDBOX_DATABASE_URL names cannot be used: 127.0.0.1:${pooler.port} dropped the start-up options of the connection, as the pooler PgBouncer does. Connect directly to Postgres.`;
    for (const role of ['slipway_worker', undefined]) {
      const failure = await start(role);
      expect(failure).toBeInstanceOf(ConfigError);
      expect(failure).toHaveProperty('message', sentence);
    }
    // A start migrates first.
    const migrating = await failureOf(migrateDatabase('console', url, 'SLIPWAY_CONSOLE_DATABASE_URL'));
    expect(migrating).toHaveProperty('message', sentence.replace('SANDBOX', 'CONSOLE'));
    pooler.close();
  });

  test('a connection for a piece of work has its own limits, also if the login has others by default', async () => {
    await postgres.primary.query('create role hasty login');
    await postgres.primary.query("alter role hasty set statement_timeout = '1ms'");
    await postgres.primary.query('alter role hasty set synchronous_commit = off');
    const connectionString = postgres.primary.url('postgres', 'hasty');
    const rows = await withConnection({ connectionString }, async (client) => {
      const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit'];
      return (await client.query('select current_setting(name) from unnest($1::text[]) as name', [names])).rows;
    });
    expect(rows.map(({ current_setting }) => current_setting)).toEqual(['0', '1d', 'on']);
  });
});

// Last, because the servers change their roles.
test('after a failover the same pool uses the new primary, while the previous one hangs', async () => {
  const { primary, standby } = postgres;
  await usingDatabase(
    `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    async (db) => {
      expect(await db.query(PORT)).toEqual([{ port: primary.port }]);
      primary.freeze();
      await postgres.promote();
      const [found] = await until(() => db.query<{ port: number }>(PORT).catch(() => undefined));
      expect(found).toEqual({ port: standby.port });
    },
  );
  primary.thaw();
});
