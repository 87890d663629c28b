// Pages of lists: a cache whose entries are valid for one revision, and opaque cursors.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fromId, toId } from '../crypto/ids.ts';
import type { Secret } from '../crypto/secret.ts';
import { problem } from '../openapi/problems.ts';
import { ok, type Reply, type ReplyDetails } from './operation.ts';
import { describedObject, integer, namedSchema, nullable, type TSchema, Type, text } from './schema.ts';

export interface CacheablePage {
  /**
   * Revision of the page's data, read in the same statement as its rows; undefined for a page that must not be cached.
   */
  revision: number | undefined;
  json: string;
  headers?: Record<string, string>;
  /** The uuid of the resource whose grants permit the request, as in a reply. */
  grantorId?: string | undefined;
  /** The type of the returned event, as in a reply. */
  eventType?: string | undefined;
}

interface Entry {
  revision: number;
  bytes: number;
  /** The whole reply, as a promise that every hit shares, because each further promise would slow down every hit. */
  reply: Promise<Reply>;
}

export interface PageCache {
  /**
   * Returns the cached page under this key if it is at least as new as the revision that the caller's authority read.
   * Otherwise calls `load`. Use it only for reads outside a writing transaction.
   */
  reply(key: string, revision: number, load: () => Promise<CacheablePage>): Promise<Reply>;
}

export function createPageCache(maxBytes: number): PageCache {
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });

  async function loadPage(key: string, load: () => Promise<CacheablePage>): Promise<Reply> {
    const { revision, grantorId, eventType, ...page } = await load();
    const json = Buffer.from(page.json);
    const etagHeader = revision !== undefined && { etag: weakEtag(key, revision) };
    const headers = { ...page.headers, ...etagHeader, 'cache-control': 'private, no-cache' };
    const reply = Promise.resolve({ status: 200, json, headers, grantorId, eventType });
    const existing = entries.peek(key);
    if (revision !== undefined && (!existing || existing.revision <= revision)) {
      entries.set(key, { revision, bytes: 2 * key.length + json.length + ENTRY_BYTES, reply });
    }
    return reply;
  }

  return {
    reply(key, revision, load) {
      const cached = entries.get(key);
      if (!cached || cached.revision < revision) return loadPage(key, load);
      return cached.reply;
    },
  };
}

// Approximate bytes of a Map entry and its objects.
const ENTRY_BYTES = 400;

function weakEtag(key: string, revision: number): string {
  return `W/"${createHash('sha256').update(`${key}\n${revision}`).digest('base64url').slice(0, 22)}"`;
}

export const DEFAULT_LIMIT = 25;
/** The highest number of items that a request can ask for. */
export const MAX_LIMIT = 100;

/**
 * Returns the schema of a cursor, a sealed position in base64url. It has no example, because the server refuses every
 * cursor that it did not issue.
 */
export function cursorSchema(description: string) {
  return text(description, { maxLength: 500, pattern: '^[A-Za-z0-9_-]*$' });
}

/** The query of every list. */
export const listQuery = {
  limit: Type.Optional(integer('Maximum number of items to return.', 1, MAX_LIMIT, { default: DEFAULT_LIMIT })),
  cursor: Type.Optional(cursorSchema('Cursor of the page: the `nextCursor` of the previous page.')),
};

/** Returns the schema of a list's body. */
export function listOf<T extends TSchema>(item: T, description: string) {
  return describedObject(description, {
    data: Type.Array(item, { maxItems: MAX_LIMIT, description: 'Newest first.' }),
    nextCursor: nullable(cursorSchema('Cursor of the next page; null on the last page.')),
  });
}

/** Returns the replies of a list. */
export const listReplies = (
  name: string,
  item: TSchema,
  description: string,
  example: unknown,
  details?: ReplyDetails,
) =>
  ok(
    description,
    namedSchema(name, listOf(item, description)),
    { aPage: { data: [example], nextCursor: null } },
    details,
  );

const linkFrom = (pointer: string) => (operationId: string, parameter: string, description: string) => ({
  operationId,
  parameters: { [parameter]: `$response.body#${pointer}` },
  description,
});

/** Returns the link from a page to the operation that takes the id of its first item. */
export const linkOfFirst = linkFrom('/data/0/id');

/** Returns the link from an object to the operation that takes its id. */
export const linkOfObject = linkFrom('/id');

const MAC_BYTES = 12;

/** With several keys, the first one seals and each one opens, so cursors survive the rotation of a key. */
export type CursorKey = Secret | readonly Secret[];
const keysOf = (key: CursorKey): readonly Secret[] => ('reveal' in key ? [key] : key);

function macOf(payload: string, boundTo: string, key: Secret): Buffer {
  return createHmac('sha256', key.reveal()).update(`${boundTo}\n${payload}`).digest().subarray(0, MAC_BYTES);
}

/** Seals a position, bound to an owner and a filter. The client can neither interpret nor change it. */
export function sealCursor(position: string, boundTo: string, key: CursorKey): string {
  const [first] = keysOf(key);
  if (!first) throw new Error('There is no key to seal cursors.');
  return Buffer.concat([macOf(position, boundTo, first), Buffer.from(position)]).toString('base64url');
}

/** Throws invalid_request for a cursor that was changed, or issued for another owner or filter. */
export function openCursor(
  cursor: string | undefined,
  boundTo: string,
  key: CursorKey,
  pointer = '/query/cursor',
): string | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(MAC_BYTES).toString();
  const mac = bytes.subarray(0, MAC_BYTES);
  const isCanonical = bytes.toString('base64url') === cursor;
  const isSignedBy = (one: Secret): boolean => timingSafeEqual(mac, macOf(position, boundTo, one));
  if (!isCanonical || mac.length < MAC_BYTES || !keysOf(key).some(isSignedBy)) {
    throw problem('invalid_request', {
      errors: [{ pointer, detail: 'is not a cursor of this list; begin again without a cursor' }],
    });
  }
  return position;
}

export interface ListQuery {
  limit?: number;
  cursor?: string;
}

/** The cursors of one list. A cursor of another list, owner or filter is refused. */
export interface Cursors {
  open(cursor: string | undefined, pointer?: string): string | undefined;
  seal(position: string): string;
}

/** Returns the cursors of a list. `filter` is its query, whose `limit` and `cursor` do not bind a cursor. */
export function cursorsOf(owner: string, list: string, filter: object, key: CursorKey): Cursors {
  const { limit: _limit, cursor: _cursor, ...rest }: ListQuery = filter;
  const entries = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  const boundTo = createHash('sha256')
    .update(JSON.stringify([owner, list, entries]))
    .digest('base64url');
  return {
    open: (cursor, pointer) => openCursor(cursor, boundTo, key, pointer),
    seal: (position) => sealCursor(position, boundTo, key),
  };
}

/** A list whose order is that of its identifiers. */
export interface ListSpec<Row, Item> {
  /** The prefix of the identifiers. */
  prefix: string;
  idOf(row: Row): string;
  toItem(row: Row): Item;
}

/**
 * Returns the id after which the page begins, the number of rows to read, which is one more than the page shows, and
 * the function that makes the page of the rows.
 */
export function createListPager<Row, Item>(spec: ListSpec<Row, Item>, query: ListQuery, cursors: Cursors) {
  const { prefix, idOf, toItem } = spec;
  const limit = query.limit ?? DEFAULT_LIMIT;
  const position = cursors.open(query.cursor);
  const seal = (uuid: string): string => cursors.seal(toId(prefix, uuid));
  return {
    after: position === undefined ? undefined : fromId(prefix, position),
    limit: limit + 1,
    seal,
    pageOf: (rows: readonly Row[]) => toListBody(rows, limit, toItem, (row) => seal(idOf(row))),
  };
}

/** Returns one page of rows. The caller reads one row more than the limit, which shows whether there is a next page. */
export function toListBody<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): { data: Item[]; nextCursor: string | null } {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  return { data: pageRows.map(toItem), nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
