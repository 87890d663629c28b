// Sends several statements in one message under one Sync: one round trip, and one transaction unless they are inside
// one already (PostgreSQL, protocol flow, "Pipelining"). The driver's own pipelines send a Sync after each statement,
// which ends its transaction. Sent one by one, a mutation's statements would cost the process and the database a
// millisecond each.
import pg from 'pg';
import { fromDriver } from './db-errors.ts';
import type { Sql } from './sql.ts';

/** The driver's Query with members that its types lack. The query receives the protocol's messages one by one. */
interface DriverQuery extends pg.Query {
  name: string;
  text: string;
  _result: { _types: pg.CustomTypesConfig };
  prepare(connection: DriverConnection): void;
  handleRowDescription(message: { fields: unknown[] }): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
  handleReadyForQuery(connection: DriverConnection): void;
}

interface DriverConnection extends pg.Connection {
  /** Names of statements that were sent to be parsed and are not confirmed yet. */
  submittedNamedStatements: Record<string, string>;
}

// Part of the driver, and also missing in its types.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

type BatchCallback = (error: Error | null, rows?: unknown[][]) => void;

interface StatementDescriptions {
  /** The fields of the rows by statement name; an empty list for a statement without rows. */
  fields: Map<string, unknown[]>;
  /** The connection as a single statement sees it. Its Sync does nothing, because the batch sends one. */
  first: DriverConnection;
  /**
   * The connection as a statement sees it that was described before. It describes nothing, because the result type of a
   * prepared statement never changes.
   */
  again: DriverConnection;
}

const described = new WeakMap<pg.Connection, StatementDescriptions>();

function describedOn(connection: DriverConnection): StatementDescriptions {
  let known = described.get(connection);
  if (!known) {
    const nothing = { value: () => {} };
    const first: DriverConnection = Object.create(connection, { sync: nothing });
    const again: DriverConnection = Object.create(connection, { sync: nothing, describe: nothing });
    known = { fields: new Map(), first, again };
    described.set(connection, known);
  }
  return known;
}

/** Replaces one of the driver's queries. Each message is for the statement that is being answered. */
class StatementBatch implements pg.Submittable {
  /** The driver wraps this in its time limit. */
  callback: BatchCallback;
  readonly #queries: DriverQuery[];
  readonly #rows: unknown[][] = [];
  #failure: Error | undefined;
  #at = 0;
  #fields = new Map<string, unknown[]>();

  constructor(statements: readonly Sql[], types: pg.CustomTypesConfig, done: BatchCallback) {
    this.callback = done;
    this.#queries = statements.map((statement) => {
      // Before anything is sent: a value that cannot be serialised must not leave the statements before it to be
      // committed.
      const values = statement.values.map((value) => prepareValue(value));
      // Constructed from the text, because a configuration object is copied field by field, which took as long as
      // serialising the statement.
      const query = new pg.Query(statement.text, values, this.#collect) as DriverQuery;
      query.name = statement.name;
      query._result._types = types;
      return query;
    });
  }

  readonly #collect = (error: Error | undefined, result: { rows: unknown[] }): void => {
    if (error) this.#failure ??= error;
    else this.#rows.push(result.rows);
  };

  // The driver uses name and text to note whether a statement was parsed.
  get name(): string | undefined {
    return this.#queries[this.#at]?.name;
  }
  get text(): string | undefined {
    return this.#queries[this.#at]?.text;
  }

  submit(connection: pg.Connection): void {
    const driver = connection as DriverConnection;
    const { fields, first, again } = describedOn(driver);
    this.#fields = fields;
    driver.stream.cork();
    try {
      for (const query of this.#queries) {
        const known = fields.get(query.name);
        if (known) query.handleRowDescription({ fields: known });
        query.prepare(known ? again : first);
      }
      driver.sync();
    } finally {
      driver.stream.uncork();
    }
  }

  handleRowDescription(message: { fields: unknown[] }): void {
    this.#fields.set(this.name ?? '', message.fields);
    this.#queries[this.#at]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#at]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: DriverConnection): void {
    const { name = '' } = this;
    if (!this.#fields.has(name)) this.#fields.set(name, []);
    this.#queries[this.#at]?.handleCommandComplete(message, connection);
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  handleError(error: Error, connection: DriverConnection): void {
    // Statements after a failure are skipped and not parsed, so the next sender must have them parsed.
    for (const { name } of this.#queries) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }

  handleReadyForQuery(connection: DriverConnection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection);
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, this.#rows);
  }
}

/**
 * Runs the statements and returns the rows of each. If one fails, none after it runs, and the batch rejects with its
 * error.
 */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Sql[],
  types: pg.CustomTypesConfig,
): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    client.query(
      new StatementBatch(statements, types, (error, rows = []) => {
        if (error === null) return resolve(rows);
        const failure = fromDriver(error);
        if (failure instanceof Error) Error.captureStackTrace(failure); // the caller's stack, not the socket's
        reject(failure);
      }),
    );
  });
}
