// Creates objects in bulk by copying rows that the server created. New columns are copied automatically.
import type pg from 'pg';
import { fromId, newUuid, toId } from '../../src/kit/crypto/ids.ts';

export type Row = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, string>>;

/**
 * A connection that copies rows, one statement after another. No trigger dates or guards its inserts, so that it can
 * create states that otherwise only time creates.
 */
export interface RowCopier {
  /** Returns a row of a table with these values. */
  rowOf(table: string, where: Values): Promise<Row>;
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** Sets columns of a row. */
  update(table: string, where: Values, set: Values): Promise<void>;
  /** Deletes the rows of a table with these values. */
  remove(table: string, where: Values): Promise<void>;
}

export async function openCopier(db: pg.Client): Promise<RowCopier> {
  await db.query('set session_replication_role = replica');
  let last: Promise<unknown> = Promise.resolve();
  function query<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> {
    const result = last.then(() => db.query<T>(text, values));
    last = result.catch(() => {});
    return result.then(({ rows }) => rows);
  }
  return {
    async rowOf(table, where) {
      const text = `select to_jsonb(t) as row from ${table} t where ${conditionOf(where)} limit 1`;
      const [found] = await query<{ row: Row }>(text, Object.values(where));
      if (!found) throw new Error(`There is no row of ${table} to copy.`);
      return found.row;
    },
    async insert(table, rows) {
      // Generated columns cannot be inserted.
      const columns = await query<{ name: string }>(
        "select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
        [table],
      );
      const names = columns.map(({ name }) => name).join(', ');
      const text = `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`;
      await query(text, [JSON.stringify(rows)]);
    },
    async update(table, where, set) {
      const columns = Object.keys(set).map((column, at) => `${column} = $${Object.keys(where).length + at + 1}`);
      const text = `update ${table} set ${columns.join(', ')} where ${conditionOf(where)}`;
      await query(text, [...Object.values(where), ...Object.values(set)]);
    },
    async remove(table, where) {
      await query(`delete from ${table} where ${conditionOf(where)}`, Object.values(where));
    },
  };
}

const conditionOf = (where: Values): string =>
  ['true', ...Object.keys(where).map((column, at) => `${column} = $${at + 1}`)].join(' and ');

/** Returns the rows with each text replaced, such as a UUID in every spelling. */
export function renameIds(tables: Readonly<Record<string, Row[]>>, names: readonly Rename[]): Record<string, Row[]> {
  let text = JSON.stringify(tables);
  for (const { from, to } of names) text = text.replaceAll(from, to);
  return JSON.parse(text);
}

export interface Rename {
  from: string;
  to: string;
}

export function uuidOf(id: string): string {
  const uuid = fromId(id.split('_')[0] ?? '', id);
  if (uuid === undefined) throw new Error(`${id} is no identifier.`);
  return uuid;
}

export const missingId = (prefix: string): string => toId(prefix, newUuid());

/**
 * Returns a number that identifies no other object. Numbers fall, because the server counts new objects upwards from the
 * highest one.
 */
export function newNumber(): string {
  lastNumber -= 1;
  return String(lastNumber);
}
let lastNumber = 4_900_000_000_000;
