// Several statements in one message, under one Sync: one round trip, and one transaction unless they are inside one
// already. (PostgreSQL, protocol flow, "Pipelining". The driver's own pipelines send a Sync after each statement, which
// ends its transaction.) A mutation's statements one by one cost us and the database a millisecond each way.
import pg from 'pg';
import { fromDriver } from './db-errors.ts';
import type { Sql } from './sql.ts';

/** What the driver's Query is beside its types: it is handed the protocol's messages one by one. */
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
  /** Names that were sent to be parsed and of which nothing was heard yet. */
  submittedNamedStatements: Record<string, string>;
}

// The driver's own, beside its types too.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

type Done = (error: Error | null, rows?: unknown[][]) => void;

interface Described {
  /** By the names of statements: the fields of their rows, none for what has no rows. */
  fields: Map<string, unknown[]>;
  /** The connection as a single statement sees it: the Sync is the batch's. */
  first: DriverConnection;
  /** The same for one that was described before: what a prepared statement answers never changes. */
  again: DriverConnection;
}

const described = new WeakMap<pg.Connection, Described>();

function describedOn(connection: DriverConnection): Described {
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

/** Takes the place of one of the driver's queries; each message is for the statement that is answered just now. */
class Batch implements pg.Submittable {
  /** The driver wraps it in its time limit. */
  callback: Done;
  readonly #queries: DriverQuery[];
  readonly #rows: unknown[][] = [];
  #failure: Error | undefined;
  #at = 0;
  #fields = new Map<string, unknown[]>();

  constructor(statements: readonly Sql[], types: pg.CustomTypesConfig, done: Done) {
    this.callback = done;
    this.#queries = statements.map((statement) => {
      // Before anything is sent: what cannot be written would leave the statements before it to be committed.
      const values = statement.values.map((value) => prepareValue(value));
      // By its text: a configuration is copied field by field, which took as long as to write the statement down.
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

  // The driver notes by these that a statement was parsed, or was not.
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
    // What comes after a failure is skipped, not parsed: the next one who sends it must have it parsed.
    for (const { name } of this.#queries) delete connection.submittedNamedStatements[name];
    this.callback(error);
  }

  handleReadyForQuery(connection: DriverConnection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection);
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, this.#rows);
  }
}

/** The rows of each. When one fails nothing that comes after it is done, and its error is the batch's. */
export function runBatch(
  client: pg.ClientBase,
  statements: readonly Sql[],
  types: pg.CustomTypesConfig,
): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Batch(statements, types, (error, rows = []) => {
        if (error === null) return resolve(rows);
        const failure = fromDriver(error);
        if (failure instanceof Error) Error.captureStackTrace(failure); // stack of the caller, not of the socket
        reject(failure);
      }),
    );
  });
}
