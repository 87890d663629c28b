// A transaction that sends statements together if they are issued together.
import type pg from 'pg';
import { runBatch } from './db-batch.ts';
import { DatabaseUnavailable, isConflict } from './db-errors.ts';
import { holdsLocks, previousPrimaryMs } from './primary.ts';
import { type Sql, sql } from './sql.ts';

export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Runs the statement and returns its first row; undefined if it returned none. */
  first<Row>(statement: Sql): Promise<Row | undefined>;
}

/** Returns the function `first` for this function `query`. */
export const firstOf =
  (query: Queryable['query']): Queryable['first'] =>
  async <Row>(statement: Sql) => {
    const [row] = await query<Row>(statement);
    return row;
  };

export interface Transaction extends Queryable {
  /**
   * Sends a statement whose result is not needed together with the next query, or with the commit. Its failure is the
   * failure of that message.
   */
  send(statement: Sql): void;
  /**
   * Sends a statement like `send` and returns its rows. They may come with the commit only, so the transaction cannot
   * wait for them.
   */
  sendForRows<Row>(statement: Sql): Promise<Row[]>;
  /**
   * Sends a statement right before the commit, after all others, so that locks which others wait for are held briefly.
   */
  sendLast(statement: Sql): void;
  /**
   * Sends the statement in the message of the commit, in the order of `sendLast`. Its rows come after the commit, so
   * the transaction cannot wait for them.
   */
  withCommit<Row>(statement: Sql): Promise<Row[]>;
  /**
   * Sends the statement in the message of the commit, but after it. So it sees what other transactions have committed
   * by then, and does not run without the commit. Its rows come when the transaction is over, so the transaction cannot
   * wait for them.
   */
  sendAfterCommit<Row>(statement: Sql): Promise<Row[]>;
  /**
   * Returns true if the locks may be released: the connection is known to be lost, or its server has not confirmed for
   * two seconds that it is the primary.
   */
  isLost(): boolean;
  /**
   * Returns the milliseconds for which another process may still rely on the previous primary; 0 without a recent
   * promotion.
   */
  previousPrimaryMs(): number;
}

const lostClients = new WeakSet<pg.ClientBase>();

/** Notes that the connection of a client was lost. A client in use reports it before its next query fails. */
export function noteLostClient(client: pg.ClientBase): void {
  lostClients.add(client);
}

// The boundary of types: each store names the row type that its own statement selects.
export const rowsOf = <Row>(rows: unknown[] | undefined): Row[] => (rows ?? []) as Row[];

interface PendingStatement {
  statement: Sql;
  resolve?(rows: unknown[]): void;
  reject?(error: unknown): void;
}

/** Opens a transaction on a connection. The transaction begins with its first query. */
export function openTransaction(client: pg.ClientBase, types: pg.CustomTypesConfig) {
  let waiting: PendingStatement[] = [{ statement: sql`begin` }];
  const lastly: PendingStatement[] = [];
  const after: PendingStatement[] = [];
  let last = Promise.resolve();
  let hasBegun = false;
  let isDue = false;
  let isEnded = false;
  let failure: unknown;

  async function sendWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    isDue = false;
    hasBegun = true;
    try {
      const rows = await runBatch(client, statementsOf(batch), types);
      for (const [index, one] of batch.entries()) one.resolve?.(rows[index] ?? []);
    } catch (error) {
      failure ??= error;
      for (const one of batch) one.reject?.(error);
    }
  }

  const enqueue = (statement: Sql): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (isDue) return; // sent together with the earlier query
      isDue = true;
      last = last.then(sendWaiting);
    });

  // The connection may then serve another caller, with other settings.
  function refuseLate(): void {
    if (isEnded) throw new Error('The transaction has ended.');
  }

  function enqueueOn<Row>(list: PendingStatement[], statement: Sql): Promise<Row[]> {
    refuseLate();
    const rows = new Promise<unknown[]>((resolve, reject) => {
      list.push({ statement, resolve, reject });
    }).then((all) => rowsOf<Row>(all));
    rows.catch(() => {}); // the transaction rejects too
    return rows;
  }

  async function query<Row>(statement: Sql): Promise<Row[]> {
    refuseLate();
    return rowsOf<Row>(await enqueue(statement));
  }

  const tx: Transaction = {
    query,
    first: firstOf(query),
    send(statement) {
      refuseLate();
      waiting.push({ statement });
    },
    sendForRows: <Row>(statement: Sql) => enqueueOn<Row>(waiting, statement),
    sendLast(statement) {
      refuseLate();
      lastly.push({ statement });
    },
    withCommit: <Row>(statement: Sql) => enqueueOn<Row>(lastly, statement),
    sendAfterCommit: <Row>(statement: Sql) => enqueueOn<Row>(after, statement),
    isLost: () => lostClients.has(client) || !holdsLocks(client),
    previousPrimaryMs: () => previousPrimaryMs(client),
  };
  return {
    tx,
    async commit(): Promise<void> {
      isEnded = true;
      await last; // includes queries that were not awaited
      // Postgres would respond to the commit with a rollback, which would go unnoticed.
      if (failure !== undefined) throw failure;
      waiting.push(...lastly);
      if (!hasBegun && waiting.length === 1 && after.length === 0) return;
      const committed = enqueue(sql`commit`);
      // Statements after a commit under the same Sync are a transaction of their own (PostgreSQL, protocol flow,
      // "Pipelining").
      waiting.push(...after);
      await committed.catch((error: unknown) => {
        // A conflict of a statement after the commit says nothing about the commit, so the transaction must not run
        // again.
        throw after.length > 0 && isConflict(error) ? new DatabaseUnavailable(error) : error;
      });
    },
    async rollback(): Promise<void> {
      isEnded = true;
      await last;
      if (hasBegun) await client.query('rollback');
    },
  };
}

const statementsOf = (batch: readonly PendingStatement[]): Sql[] => batch.map(({ statement }) => statement);
