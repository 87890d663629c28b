// Statements over rows: if several callers in one transaction request the same statement at the same time, it runs once
// for all of them. It costs the database little more for thirty rows than for one (docs/decisions/0055).
import { type Sql, sql } from './sql.ts';

/** A statement that runs for rows of `Item`. Each row of its result names its item by `nth`. */
export interface ItemStatement<Item extends object, Row> {
  readonly writes: boolean;
  /** True if equal items of an app share one row and its result. */
  readonly sharesRows: boolean;
  readonly statement: (rows: Sql) => Sql;
  /** The columns of its rows and their types. */
  readonly columns: Sql;
  /** Never set: the field only carries the types of items and results. */
  readonly types?: (item: Item) => Row;
}

/**
 * Defines a statement that reads. `statement` gets the table of rows, with `nth`, `app_id` and the columns, under
 * the alias item.
 */
export function defineItemRead<Item extends object, Row>(
  columns: Sql,
  statement: (rows: Sql) => Sql,
): ItemStatement<Item, Row> {
  return { writes: false, sharesRows: true, columns, statement };
}

/** Defines a statement that gives each item its own result, for a lock that only one of equal items may get. */
export function defineItemLock<Item extends object, Row>(
  columns: Sql,
  statement: (rows: Sql) => Sql,
): ItemStatement<Item, Row> {
  return { writes: false, sharesRows: false, columns, statement };
}

/** Defines a statement that writes. A part that fails after it undoes the whole transaction. */
export function defineItemWrite<Item extends object, Row = never>(
  columns: Sql,
  statement: (rows: Sql) => Sql,
): ItemStatement<Item, Row> {
  return { writes: true, sharesRows: false, columns, statement };
}

/** An item, and the app to whose rows the statement is limited. */
export interface ItemRow<Item extends object> {
  appId: string;
  item: Item;
}

/** Returns the statement over these items. The items are one JSON document, because rows contain arrays and objects. */
export function bindItems<Item extends object, Row>(
  { statement, columns }: ItemStatement<Item, Row>,
  requested: readonly ItemRow<Item>[],
): Sql {
  // `app_id` comes last, so that no field of an item can replace it.
  const rows = JSON.stringify(requested.map(({ appId, item }, nth) => ({ ...item, nth, app_id: appId })));
  return statement(sql`json_to_recordset(${rows}::json) as item (nth int, app_id uuid, ${columns})`);
}

/** Returns a bytea in the form of a field of such a row. */
export const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
