// An object of the table `objects`, and its form in the API: the identifier, and the declared fields in their order.
import { type AnyResource, identifiersOf } from '../../access/contracts/index.ts';
import { encodeBase32 } from '../../kit/crypto/base32.ts';
import { toId, uuidBytes } from '../../kit/crypto/ids.ts';
import { derivedUuid } from '../synthetic.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface StoredObject {
  object_id: string;
  /** The identifier in the API as text. */
  key: string;
  server_id: string;
  parent_id: string | null;
  state: string | null;
  /** The fields that the API returns, without the identifier. */
  data: Fields;
  hidden: Fields;
  event_sequence: number;
  created_at: Date;
}

/** Returns the field with the identifier of an object; undefined if the objects contain none. */
export const idFieldOf = ({ identity }: AnyResource): string | undefined => (identity ? identity.field : 'id');

/** Returns the identifier as the API writes it. */
export const idOfKey = ({ identity }: AnyResource, key: string): string | number =>
  identity?.form === 'integer' ? Number(key) : key;

/** Returns the key of an identifier in a path, a body or a query. A value that is no identifier has an empty key. */
export function keyOfId({ identity }: AnyResource, id: unknown): string {
  const key = typeof id === 'object' ? '' : String(id);
  return identity?.form === 'uuid' ? key.toLowerCase() : key;
}

/** The longest key that a client can give, in bytes of UTF-8. Each can take three characters of the header Location. */
const MAX_KEY_BYTES = 500;

/**
 * Returns whether a client may give the key to a new object. A number has one form only. Clients would resolve a part of a
 * path that consists of dots.
 */
export const isUsableKey = ({ identity }: AnyResource, key: string): boolean =>
  identity?.form === 'integer'
    ? /^(?:0|[1-9]\d{0,15})$/.test(key)
    : !['', '.', '..'].includes(key) && Buffer.byteLength(key) <= MAX_KEY_BYTES;

/**
 * Returns the key of a new object. The database counts numbers: `number` is the next one. For a pattern or a space, each number
 * gives another key, which an object can already have.
 */
export function newKey({ identity, idPrefix }: AnyResource, uuid: string, number: number): string {
  if (!identity) return toId(idPrefix, uuid);
  const source = identifiersOf(identity);
  if (source.by === 'space') return source.space.keyAt(Math.max(number - 1, 0) % source.space.size);
  if (source.by === 'draw') return source.draw(`${uuid}/${number}`);
  if (identity.form === 'integer') return String(number);
  if (identity.form === 'uuid') return uuid;
  return `${identity.prefix ?? ''}${encodeBase32(uuidBytes(uuid))}`;
}

/** Returns the names of the fields in the order of the JSON, without the identifier. */
export function fieldNamesOf({ identity, parent, fields }: AnyResource): string[] {
  const parents: string[] = [];
  for (let one = identity ? undefined : parent; one; one = one.parent) parents.push(one.idName);
  return [...parents, ...Object.keys(fields)];
}

/** Returns the function that makes the objects of the API. Postgres does not keep the order of fields. */
export function storedReader(resource: AnyResource): (row: { key: string; data: Fields }) => object {
  const idField = idFieldOf(resource);
  const names = fieldNamesOf(resource);
  const known = new Set(names);
  return ({ key, data }) => {
    const own = names.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]);
    const others = resource.open ? Object.entries(data).filter(([name]) => !known.has(name) && name !== idField) : [];
    return Object.fromEntries([
      ...(idField === undefined ? [] : [[idField, idOfKey(resource, key)]]),
      ...own,
      ...others,
    ]);
  };
}

/** Returns the state in the fields of an object; null without states. */
export function stateOf({ states, stateField = 'status' }: AnyResource, data: Fields): string | null {
  const state = states && data[stateField];
  return typeof state === 'string' ? state : null;
}

/** The time in the identifier of each app's account. */
const ACCOUNT_MS = Date.UTC(2026, 0, 1);

/** Returns the server whose grants permit access to all objects of an app, under a contract without servers. */
export const accountOf = (appId: string): string => derivedUuid(`${appId}/account`, ACCOUNT_MS);

export interface ObjectName {
  kind: string;
  key: string;
}
