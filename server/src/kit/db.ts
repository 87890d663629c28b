// A pool of connections that play one database role, and transactions on it. Every failure to reach the database
// is one error, DatabaseUnavailable, which a request answers with 503.
import pg from 'pg';
import { runBatch } from './db-batch.ts';
import { openTransaction, type Queryable, rowsOf, type Transaction } from './db-transaction.ts';
import type { Sql } from './sql.ts';

export type { Queryable, Transaction } from './db-transaction.ts';

export interface Database extends Queryable {
  /** One round trip and one transaction: the rows of the last statement. */
  together<Row>(statements: readonly Sql[]): Promise<Row[]>;
  /** Queries that are asked for at once, before one of them is awaited, go out together. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A connection of its own for LISTEN; closes itself with the pool. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>>;
  /** Opens the connections that are kept, so that no first call waits for one. Never rejects: the next query tells. */
  warm(): Promise<void>;
  /** For monitoring: of its pool, now. */
  use(): PoolUse;
  close(): Promise<void>;
}

export interface PoolUse {
  max: number;
  inUse: number;
  idle: number;
  /** Callers without a connection yet. */
  waiting: number;
}

export interface DatabaseOptions {
  url: string;
  /** The role that every connection plays (SET ROLE by start-up option); the URL's own role when left out. */
  role?: string;
  max: number;
  /** How many connections stay open while idle; none when left out. */
  kept?: number;
  queryTimeoutMs: number;
  /** For a free connection, be it a new one: a busy machine may take some hundred milliseconds to make one. */
  connectTimeoutMs: number;
  /** 'off' only for request records: they survive the process's death, not the last fraction of a host's. */
  synchronousCommit?: 'on' | 'off';
  /** How long a transaction may do nothing before Postgres ends it; half a minute when left out. */
  idleInTransactionMs?: number;
  /** Plans each statement once, not again for the values of each call: on a hot path that takes longer than to run it. */
  plansOnce?: boolean;
  /** Told of connections that die while idle: the next query opens a new one. */
  onError?: (error: Error) => void;
}

export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database could not do this: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** It can be reached, as far as we know, but did not answer this in time. */
export class DatabaseTimeout extends DatabaseUnavailable {}

/** Of what must be confirmed: not in time is as good as not at all. */
export function refuseUnconfirmed(error: unknown): never {
  throw error instanceof DatabaseTimeout ? new DatabaseUnavailable(error) : error;
}

const isTimeout = (error: Error): boolean =>
  ('code' in error && error.code === '57014') || error.message === 'Query read timeout';

// SQLSTATE classes 08 (connection), 57P (shutdown, starting up), 53 (no resources), 25006 (a standby), 57014 (timeout), and
// what only had bad luck with others: 40001, 40P01 (deadlock).
const UNAVAILABLE_STATE = /^(08...|57P0.|53...|25006|57014|40001|40P01)$/;
const UNAVAILABLE_MESSAGE = /timeout|terminated|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|socket|not queryable/i;

export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^[0-9A-Z]{5}$/.test(code) && error instanceof pg.DatabaseError) return UNAVAILABLE_STATE.test(code);
  return UNAVAILABLE_MESSAGE.test(`${code} ${error.message}`);
}

/** With others, and Postgres has said that it is taken back: it may be tried again. */
export function hadBadLuck(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return cause instanceof pg.DatabaseError && /^(40001|40P01)$/.test(cause.code ?? '');
}

// Prepared here, and since then another thing or gone there: 0A000 (a cached plan must not change its result), 26000.
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(0A000|26000)$/.test(error.code ?? '');

const INT8_OID = 20;
const types: pg.CustomTypesConfig = {
  // Counters and revisions stay far below 2^53.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

// The server gives up first: what it ends it also rolls back, whereas what we stop waiting for it would still commit.
const SERVER_SHARE = 0.9;

// A plan that is kept must not be one for a table that was small when it was made: by an index, always. Each of these
// statements has one that leads to its app or key, and so has each row of a join: a hash of a table that was small once is none.
const PLANS_ONCE = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

function startupOptions(options: DatabaseOptions): string {
  const settings = {
    role: options.role,
    synchronous_commit: options.synchronousCommit,
    timezone: 'UTC',
    // What is asked here is answered sooner than it is compiled: with a scan that is off a plan looks dear enough for that, up to
    // version 17, and erasing an app's few rows took seconds on a busy machine.
    jit: 'off',
    ...(options.plansOnce && PLANS_ONCE),
  };
  return [
    ...Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`-c ${name}=${value}`])),
    `-c idle_in_transaction_session_timeout=${options.idleInTransactionMs ?? 30_000}`,
    `-c statement_timeout=${Math.floor(options.queryTimeoutMs * SERVER_SHARE)}`,
  ].join(' ');
}

function clientConfig(options: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: options.url,
    options: startupOptions(options),
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.queryTimeoutMs,
    keepAlive: true,
    types,
  };
}

// A connection whose transaction cannot be ended is as good as gone.
function refuseUnended(failure: unknown): never {
  throw new DatabaseUnavailable(failure);
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);

  async function reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable || !isUnavailable(error)) throw error;
      throw error instanceof Error && isTimeout(error) ? new DatabaseTimeout(error) : new DatabaseUnavailable(error);
    }
  }

  async function onConnection<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await run(client);
    } catch (error) {
      // A connection that no longer answers is thrown away, and Postgres rolls back what it held.
      isBroken = isUnavailable(error) || isStale(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async function together(statements: readonly Sql[]): Promise<unknown[] | undefined> {
    return (await onConnection((client) => runBatch(client, statements, types))).at(-1);
  }

  async function inTransaction<T>(client: pg.PoolClient, run: (tx: Transaction) => Promise<T>): Promise<T> {
    const { tx, commit, rollback } = openTransaction(client, types);
    try {
      const result = await run(tx);
      await commit();
      return result;
    } catch (error) {
      if (!isUnavailable(error)) await rollback().catch(refuseUnended);
      throw error;
    }
  }

  return {
    query: async <Row>(statement: Sql) => rowsOf<Row>(await reach(() => together([statement]))),
    together: async <Row>(statements: readonly Sql[]) => rowsOf<Row>(await reach(() => together(statements))),
    transaction: (run) => reach(() => onConnection((client) => inTransaction(client, run))),
    listen: (channel, onNotice) => reach(() => listen(options, channel, onNotice)),
    warm: async () => {
      const opened = await Promise.allSettled(Array.from({ length: options.kept ?? 0 }, () => pool.connect()));
      for (const one of opened) if (one.status === 'fulfilled') one.value.release();
    },
    use: () => poolUse(pool),
    close: () => pool.end(),
  };
}

/** A plain pool, for a library that brings its own SQL. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const { max, kept: min = 0 } = options;
  const pool = new pg.Pool({ ...clientConfig(options), max, min, idleTimeoutMillis: 60_000 });
  pool.on('error', options.onError ?? (() => {}));
  // The pool listens to idle connections only. One that dies while it is out tells whoever has it by their next query;
  // without a listener of its own it would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function poolUse({ options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { max: options.max, inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** One connection, for as long as `run` takes. Its death is told by the query that meets it. */
export async function withConnection<T>(config: pg.ClientConfig, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function listen(
  options: DatabaseOptions,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<() => Promise<void>> {
  const client = new pg.Client(clientConfig(options));
  client.on('error', options.onError ?? (() => {}));
  client.on('notification', (notice) => onNotice(notice.payload ?? ''));
  await client.connect();
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return () => client.end();
}
