// A list of /v1 as every list is: newest first by id, a cursor bound to the app and the filter, the next page's address in
// the body and in a Link header (RFC 8288), and the whole kept under the collection's revision.
import { fromId, toId } from '../../kit/crypto/ids.ts';
import type { Inputs, Reply } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { cursorBinding, type ReadContext, requireGrant } from './caller.ts';
import type { Scope } from './scopes.ts';
import type { Collection, Tenant } from './store.ts';

export interface ListQuery {
  limit?: number;
  cursor?: string;
}

export interface ListSpec<Row, Item> {
  operationId: string;
  /** The request's path, with the values of its parameters. */
  path: string;
  collection: Collection;
  /** Of the identifiers that the list is ordered by. */
  prefix: string;
  idOf(row: Row): string;
  toItem(row: Row): Item;
  /** Of a list on one server: the scope that must be granted there. */
  granted?: { serverId: string; scope: Scope };
  /** At most `limit` rows whose ids are below `after`, and the revision that they were read at. */
  load(tenant: Tenant, after: string | undefined, limit: number): Promise<{ revision: number; rows: Row[] }>;
}

export function listPage<Row, Item>(
  context: ReadContext,
  query: ListQuery & Inputs['query'],
  spec: ListSpec<Row, Item>,
): Promise<Reply> {
  const { plane, caller } = context;
  const { operationId, path, prefix } = spec;
  const limit = query.limit ?? DEFAULT_LIMIT;
  return context.page(spec.collection, async (tenant) => {
    // In here, so that a page from the cache costs no hashing; a cursor that is no cursor never makes a page.
    const binding = cursorBinding(caller.appId, operationId, { ...query, path });
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId(prefix, position);
    const { revision, rows } = await spec.load(tenant, after, limit + 1);
    // After the rows and their revision: asked for before them, a revoke in between would be in the revision and not in the
    // judgement, and the page would be kept as one that was allowed after it.
    if (spec.granted) await requireGrant(tenant, spec.granted.serverId, spec.granted.scope);
    const page = toList(rows, limit, spec.toItem, (row) =>
      sealCursor(toId(prefix, spec.idOf(row)), binding, plane.cursorKey),
    );
    const link = page.nextCursor === null ? undefined : nextLink(plane.publicUrl + path, query, page.nextCursor);
    return { revision, json: JSON.stringify(page), headers: link === undefined ? {} : { link } };
  });
}

/** The next page's address, as a Link header has it. */
export function nextLink(url: string, query: ListQuery, cursor: string): string {
  const parameters = new URLSearchParams({
    ...(query.limit !== undefined && { limit: String(query.limit) }),
    cursor,
  });
  return `<${url}?${parameters}>; rel="next"`;
}
