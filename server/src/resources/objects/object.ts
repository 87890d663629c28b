// An object as /v1 returns it, derived from the fields of its resource and the columns of its row.
import type { AnyResource } from '../../access/contracts/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Static, TSchema } from '../../kit/http/schema.ts';
import { hasTable } from './has-table.ts';
import { type StoredObject, storedReader } from './stored-object.ts';

/** The row of an object. The column of a field has the name of the field in snake case. */
export type ObjectRow = Readonly<Record<string, unknown>> & { server_id: string };

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;
type ValueOf<S> = S extends { format: 'date-time' }
  ? Date
  : S extends { anyOf: [infer Inner, infer Null extends TSchema] }
    ? ValueOf<Inner> | Static<Null>
    : S extends TSchema
      ? Static<S>
      : never;
type IdsOf<R> = R extends { kind: infer Kind extends string }
  ? { [K in `${Kind}_id`]: string } & (R extends { parent: infer Parent } ? IdsOf<Parent> : unknown)
  : unknown;
type Columns<R extends { fields: object }> = IdsOf<R> & {
  [Field in keyof R['fields'] & string as Snake<Field>]: ValueOf<R['fields'][Field]>;
};
/** The columns of a resource's identifiers and fields, as the driver returns them. */
export type RowOf<R extends { fields: object }> = { [Column in keyof Columns<R>]: Columns<R>[Column] };

type FieldReader = readonly [field: string, column: string, prefix?: string];

/** Returns the column of the identifiers of a resource: in its own table, and in the tables below. */
export const idColumn = ({ kind }: AnyResource): string => `${kind}_id`;

const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function* readersOfIds(resource: AnyResource): Generator<FieldReader> {
  yield ['id', idColumn(resource), resource.idPrefix];
  for (let { parent } = resource; parent; { parent } = parent) yield [parent.idName, idColumn(parent), parent.idPrefix];
}

/** Returns the function that makes objects of rows, with the fields in the order of the schema. */
export function objectReader<Item extends object>(resource: AnyResource): (row: object) => Item {
  if (!hasTable(resource)) return storedReader(resource) as (row: object) => Item; // validated before it was stored
  const ids = [...readersOfIds(resource)];
  const fields = Object.keys(resource.fields).map((field): FieldReader => [field, columnOf(field)]);
  const readers = [...ids, ...fields];
  const { present } = resource;
  return (row) => {
    const columns = row as Readonly<Record<string, unknown>>; // any row
    const object: Record<string, unknown> = {};
    for (const [field, column, prefix] of readers) {
      const value = columns[column];
      if (prefix !== undefined) object[field] = toId(prefix, String(value));
      else object[field] = value instanceof Date ? value.toISOString() : value;
    }
    return (present ? present(object) : object) as Item; // the columns have the types of the fields
  };
}

/** Returns the subject of events about an object: its UUID, and its identifier in the API. */
export function subjectOf(resource: AnyResource, row: object): { uuid: string; id: string } {
  if (!hasTable(resource)) {
    const { object_id: uuid, key } = row as StoredObject; // a row of that table
    return { uuid, id: key };
  }
  const uuid = String(Reflect.get(row, idColumn(resource)));
  return { uuid, id: toId(resource.idPrefix, uuid) };
}
