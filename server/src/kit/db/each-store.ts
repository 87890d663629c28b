// Statements over rows: whatever asks for the same one at once, in one transaction, is answered by running it once. It costs the
// database little more for thirty rows than for one (docs/decisions/0055).
import { type Sql, sql } from './sql.ts';

/** A statement that is run for rows of `Item`; each row of its answer says by `nth` for which. */
export interface Each<Item extends object, Row> {
  readonly writes: boolean;
  /** Equal items of an app get the same rows: the statement is run for one of them. */
  readonly sharesRows: boolean;
  readonly statement: (rows: Sql) => Sql;
  /** The columns of its rows and their types. */
  readonly columns: Sql;
  /** Never there: the types of what goes in and comes out. */
  readonly types?: (item: Item) => Row;
}

/** `statement` is given the table of rows: `nth`, `app_id` and the columns, under the name i. */
export function readsEach<Item extends object, Row>(columns: Sql, statement: (rows: Sql) => Sql): Each<Item, Row> {
  return { writes: false, sharesRows: true, columns, statement };
}

/** The same, where each item gets its own answer: for a lock that only one of equal items may have. */
export function triesEach<Item extends object, Row>(columns: Sql, statement: (rows: Sql) => Sql): Each<Item, Row> {
  return { writes: false, sharesRows: false, columns, statement };
}

/** The same, where it changes something: whoever fails after it takes back what the transaction did. */
export function writesEach<Item extends object, Row = never>(
  columns: Sql,
  statement: (rows: Sql) => Sql,
): Each<Item, Row> {
  return { writes: true, sharesRows: false, columns, statement };
}

/** Who asks: the app whose rows alone the statement may meet. */
export interface Asked<Item extends object> {
  appId: string;
  item: Item;
}

/** One document: rows hold arrays and objects. */
export function forRows<Item extends object, Row>(
  { statement, columns }: Each<Item, Row>,
  asked: readonly Asked<Item>[],
): Sql {
  // The app last: nothing that an item holds can name another.
  const rows = JSON.stringify(asked.map(({ appId, item }, nth) => ({ ...item, nth, app_id: appId })));
  return statement(sql`json_to_recordset(${rows}::json) as i (nth int, app_id uuid, ${columns})`);
}

/** A bytea, as a field of such a row. */
export const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
