// Lists of /v1: newest first by id, with cursors that are bound to the app, the operation and the filter.
import type { Reply } from '../../kit/http/operation.ts';
import { createListPager, cursorsOf, type ListQuery, type ListSpec } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { type ReadContext, requireGrant } from './key-access.ts';
import type { Scope } from './scopes.ts';
import type { Collection, Tenant } from './store.ts';

interface ReadListSpec<Row, Item> extends ListSpec<Row, Item> {
  collection: Collection;
  /** For a list on one server: the scope that must be granted there. */
  granted?: { serverId: string; scope: Scope };
  /** Reads at most `limit` rows whose ids are below `after`, and the revision at which they were read. */
  load(tenant: Tenant, after: string | undefined, limit: number): Promise<{ revision: number; rows: Row[] }>;
}

/**
 * Returns a page of a /v1 list, cached under the revision of its collection, with the address of the next page in a
 * Link header (RFC 8288).
 */
export function listPage<Row, Item>(context: ReadContext, spec: ReadListSpec<Row, Item>): Promise<Reply> {
  const { plane, caller, request } = context;
  return context.page(spec.collection, async (tenant) => {
    // Inside the callback, so that a page from the cache costs no hashing. An invalid cursor never creates a page.
    const { operation, inputs } = request;
    const query = inputs.query as ListQuery; // every list has this query
    const path = fillPath(operation.path, inputs.params);
    const cursors = cursorsOf(caller.appId, operation.id, { ...query, path }, plane.secrets.cursorKey);
    const { after, limit, pageOf } = createListPager(spec, query, cursors);
    const { revision, rows } = await spec.load(tenant, after, limit);
    // Checked after the rows and their revision. If it were checked before, a revocation in between would be in the
    // revision but not in the check. The page would then be cached as allowed after the revocation.
    if (spec.granted) await requireGrant(tenant, spec.granted.serverId, spec.granted.scope);
    const page = pageOf(rows);
    const link = page.nextCursor === null ? undefined : nextLink(plane.urls.public + path, query, page.nextCursor);
    return { revision, json: JSON.stringify(page), headers: link === undefined ? {} : { link } };
  });
}

/** Formats the address of the next page for a Link header. */
export function nextLink(url: string, query: ListQuery, cursor: string): string {
  const parameters = new URLSearchParams({
    ...(query.limit !== undefined && { limit: String(query.limit) }),
    cursor,
  });
  return `<${url}?${parameters}>; rel="next"`;
}
