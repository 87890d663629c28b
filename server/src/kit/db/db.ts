// A pool of connections with one database role, and transactions on it. Every failure to reach the database is one
// error, DatabaseUnavailable, which a request answers with 503.
import pg from 'pg';
import { runBatch } from './db-batch.ts';
import { DatabaseUnavailable, fromDriver, isConflict, isStale, isUnavailable, refuseFromDriver } from './db-errors.ts';
import {
  firstOf,
  noteLostClient,
  openTransaction,
  type Queryable,
  rowsOf,
  type Transaction,
} from './db-transaction.ts';
import {
  type ConnectionSettings,
  connectToPrimary,
  type DatabaseConfig,
  DatabaseHosts,
  isConfirmed,
  isOutdated,
  requirePrimary,
} from './primary.ts';
import type { Sql } from './sql.ts';

export {
  DatabaseTimeout,
  DatabaseUnavailable,
  isConflict,
  isUnavailable,
  isUniqueViolation,
  rethrowAsUnavailable,
} from './db-errors.ts';
export { firstOf, type Queryable, type Transaction } from './db-transaction.ts';

export interface Database extends Queryable {
  /** Runs the statements in one round trip and one transaction. Returns the rows of the last one. */
  together<Row>(statements: readonly Sql[]): Promise<Row[]>;
  /**
   * Runs a transaction. Queries that are issued together, before one of them is awaited, are sent together. After a
   * deadlock or a serialization failure `run` is called again, at most `TRIES` times in all. So it must change nothing
   * outside the transaction that a second call would repeat.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Opens a connection for LISTEN. Returns a function that closes it. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Opens the connections that are kept, so that no first call waits for one. Never rejects: the next query reports the
   * failure.
   */
  warm(): Promise<void>;
  /** Returns the current use of the pool, for monitoring. */
  use(): PoolUse;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** Calls `run` only once, because it sends something that cannot be undone. */
  isOnce?: boolean;
}

export interface PoolUse {
  max: number;
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

export interface DatabaseOptions {
  /** May name several hosts. Only a writable primary is used. */
  url: string;
  /** The role of every connection (SET ROLE by start-up option); the URL's own role if absent. */
  role?: string;
  max: number;
  /** Number of connections that stay open while idle; none if absent. */
  kept?: number;
  queryTimeoutMs: number;
  /**
   * Milliseconds to wait for a free or new connection. A busy machine may need some hundred milliseconds to open one.
   */
  connectTimeoutMs: number;
  /**
   * 'off' only for request records. Such records survive the death of the process, but a crash of the host can lose the
   * last fraction of a second.
   */
  synchronousCommit?: 'on' | 'off';
  /** Milliseconds after which Postgres ends an idle transaction; half a minute if absent. */
  idleInTransactionMs?: number;
  /**
   * Plans each statement once, not again for the values of each call. On a hot path, planning takes longer than
   * running.
   */
  plansOnce?: boolean;
  /** Receives errors of connections that die while idle. The next query opens a new one. */
  onError?: (error: Error) => void;
}

const INT8_OID = 20;
const types: pg.CustomTypesConfig = {
  // Counters and revisions stay far below 2^53.
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

// The server times out first, because it rolls back what it ends. A statement that only the client gives up would still
// commit.
const SERVER_SHARE = 0.9;

// A kept plan must also suit tables that were small when it was made, so it always uses an index. Each of these
// statements has an index that leads to its owner, also for each row of a join. A hash of a table that was small
// once is no such index.
const PLANS_ONCE = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const settingsOf = (options: DatabaseOptions): ConnectionSettings => ({
  role: options.role,
  statementTimeoutMs: Math.floor(options.queryTimeoutMs * SERVER_SHARE),
  idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
});

function startupOptions(
  { role, statementTimeoutMs, idleInTransactionMs }: ConnectionSettings,
  others: Record<string, string> = {},
): string {
  const settings = {
    role,
    // Also where the server has a weaker default: an answered change must survive a failover.
    synchronous_commit: 'on',
    ...others,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    statement_timeout: statementTimeoutMs,
  };
  return Object.entries(settings)
    .flatMap(([name, value]) => (value === undefined ? [] : [`-c ${name}=${value}`]))
    .join(' ');
}

function clientConfig(options: DatabaseOptions): DatabaseConfig {
  const { synchronousCommit } = options;
  return {
    connectionString: options.url,
    options: startupOptions(settingsOf(options), {
      ...(synchronousCommit && { synchronous_commit: synchronousCommit }),
      timezone: 'UTC',
      // The statements finish sooner than they would be compiled. Up to version 17, disabled scans make a plan look
      // expensive enough to be compiled. Deleting an owner's few rows then took seconds on a busy machine.
      jit: 'off',
      ...(options.plansOnce && PLANS_ONCE),
    }),
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.queryTimeoutMs,
    keepAlive: true,
    types,
  };
}

/** Maximum number of tries of a transaction that fails with a deadlock or a serialization failure each time. */
const TRIES = 3;

// A connection whose transaction cannot be ended counts as lost.
function throwConnectionLost(failure: unknown): never {
  throw new DatabaseUnavailable(failure);
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);

  async function onConnection<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await run(client);
    } catch (error) {
      // A connection that no longer responds is discarded, and Postgres rolls its transaction back.
      isBroken = (isUnavailable(error) && !isConflict(error)) || isStale(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async function together(statements: readonly Sql[]): Promise<unknown[] | undefined> {
    const run = () => onConnection((client) => runBatch(client, statements, types));
    return (await retryConflicts(run, TRIES)).at(-1);
  }

  async function inTransaction<T>(client: pg.PoolClient, run: (tx: Transaction) => Promise<T>): Promise<T> {
    const { tx, commit, rollback } = openTransaction(client, types);
    try {
      const result = await run(tx);
      await commit();
      return result;
    } catch (error) {
      if (!isUnavailable(error) || isConflict(error)) await rollback().catch(throwConnectionLost);
      throw error;
    }
  }

  const query = async <Row>(statement: Sql): Promise<Row[]> => rowsOf<Row>(await together([statement]));
  return {
    query,
    first: firstOf(query),
    together: async <Row>(statements: readonly Sql[]) => rowsOf<Row>(await together(statements)),
    transaction: (run, { isOnce = false } = {}) =>
      retryConflicts(() => onConnection((client) => inTransaction(client, run)), isOnce ? 1 : TRIES),
    listen: (channel, onNotification) => listen(options, channel, onNotification).catch(refuseFromDriver),
    warm: async () => {
      const opened = await Promise.allSettled(Array.from({ length: options.kept ?? 0 }, () => pool.connect()));
      for (const one of opened) if (one.status === 'fulfilled') one.value.release();
    },
    use: () => poolUse(pool),
    close: () => pool.end(),
  };
}

/** Repeats a transaction that Postgres rolled back because of another one, which has continued meanwhile. */
async function retryConflicts<T>(run: () => Promise<T>, tries: number): Promise<T> {
  for (let triesLeft = tries - 1; ; triesLeft--) {
    try {
      return await run();
    } catch (error) {
      if (triesLeft === 0 || !isConflict(error)) throw error;
    }
  }
}

/** Receives the failure of a connection attempt, or null. */
type ConnectCallback = (error: Error | null) => void;

/** Opens a plain pool for a library with its own SQL. Failures of its driver become `DatabaseUnavailable` too. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const { max, kept: min = 0 } = options;
  const settings = settingsOf(options);
  const hosts = new DatabaseHosts(options.url);
  const urls = new WeakMap<pg.ClientBase, string>();
  // The pool constructs its clients itself, so the client chooses its host. It also reports that its connection fails:
  // the caller for which the pool opened the connection may have given up before.
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const { url } = hosts;
      super({ ...config, connectionString: url });
      urls.set(this, url);
      const connect = this.connect.bind(this) as (done: ConnectCallback) => void; // the overload that the pool calls
      this.connect = ((done: ConnectCallback) =>
        connect((error) => {
          if (error) hosts.leave(url, error);
          done(error);
        })) as typeof this.connect; // the same overload
    }
  }
  const confirm = async (client: pg.ClientBase): Promise<void> => {
    try {
      await requirePrimary(client, settings);
    } catch (error) {
      hosts.leave(urls.get(client) ?? '', error);
      throw error;
    }
  };
  const pool = new pg.Pool({
    ...clientConfig(options),
    max,
    min,
    idleTimeoutMillis: 60_000,
    Client: HostClient,
    onConnect: confirm,
  });
  pool.on('error', (error) => options.onError?.(fromDriver(error) as Error)); // an Error stays an Error
  pool.on('connect', (client) => {
    // The pool listens to idle connections only. The death of a connection in use is raised by its next query. Without
    // its own listener it would also end the process.
    client.on('error', () => noteLostClient(client));
    client.on('end', () => noteLostClient(client));
    client.query = convertRejections(client.query.bind(client)) as typeof client.query; // the same overloads
  });
  const connectOnce = pool.connect.bind(pool);
  // The server of an idle connection may no longer be the primary, although it still answers.
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connectOnce();
      if (isConfirmed(client)) return client;
      if (isOutdated(client)) {
        client.release(true);
        continue;
      }
      try {
        await confirm(client);
        return client;
      } catch (error) {
        client.release(true);
        throw error;
      }
    }
  };
  const onAnyHost = (callback?: Parameters<typeof connectOnce>[0]) => {
    const connecting = hosts.connect(connect);
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  };
  pool.connect = convertRejections(onAnyHost) as typeof pool.connect; // the same overloads
  return pool;
}

/**
 * Wraps a function of the driver, so that its promise rejects with our error. With a callback or a query object it
 * returns no promise.
 */
const convertRejections =
  (call: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    const result = call(...args);
    return result instanceof Promise ? result.catch(refuseFromDriver) : result;
  };

export function poolUse({ options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { max: options.max, inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/**
 * For one piece of work that may take long, such as a migration: no limit of the server or of the login ends its
 * statements. No server has the other value by default, so a pooler that drops the options is noticed.
 */
const WORK_SETTINGS: ConnectionSettings = {
  role: undefined,
  statementTimeoutMs: 0,
  idleInTransactionMs: 24 * 3_600_000,
};

/** Opens one connection for a piece of work. The caller ends it. If it dies, the next query reports it. */
export const connectForWork = (config: DatabaseConfig): Promise<pg.Client> =>
  connectToPrimary({ ...config, options: startupOptions(WORK_SETTINGS) }, WORK_SETTINGS);

/** Opens one connection for as long as `run` takes. */
export async function withConnection<T>(config: DatabaseConfig, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectForWork(config);
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function listen(
  options: DatabaseOptions,
  channel: string,
  onNotification: (payload: string) => void,
): Promise<() => Promise<void>> {
  const client = await connectToPrimary(clientConfig(options), settingsOf(options));
  if (options.onError) client.on('error', options.onError);
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return () => client.end();
}
