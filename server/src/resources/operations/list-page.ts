// A page of a list that a contract declares: the objects that the path, the query and the body select.
import type { ApiCaller, Plane, Scope, Tenant } from '../../access/authority/index.ts';
import {
  type AnyResource,
  type Content,
  isGranted,
  OBJECT_LIMITS,
  type OperationDeclaration,
  type Paging,
} from '../../access/contracts/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import type { Inputs } from '../../kit/http/operation.ts';
import { type CacheablePage, cursorsOf, DEFAULT_LIMIT } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { linkedReader, listStored } from '../objects/index.ts';
import { filtersOf, namedObjects, pageRequestOf, searchedFields } from './declared-inputs.ts';
import { hasValue, type KnownValues, listBody } from './envelope.ts';
import { findPath, levelsBetween } from './find-path.ts';
import { requireScopes, serverOf } from './granting-server.ts';
import { nextLinkOf, pageLinksOf, pageValuesOf, withoutPaging } from './page-links.ts';

type ListContent = Extract<Content, { of: 'list' }>;

interface PageSource {
  plane: Plane;
  caller: ApiCaller;
  /** A cursor is valid for this operation only. */
  operationId: string;
}

export async function readPage(
  resource: AnyResource,
  declared: OperationDeclaration,
  list: ListContent,
  { plane, caller, operationId }: PageSource,
  tenant: Tenant,
  { params, query, body }: Inputs,
): Promise<CacheablePage> {
  const { paging } = list;
  const path = `/v1${fillPath(declared.path, params)}`;
  const { cursor, skip, limit, bytes } = pageRequestOf(paging, query);
  const searched = searchedFields(resource, declared, body);
  const filter = { ...withoutPaging(list, query), ...(Object.keys(searched).length > 0 && { body: searched }) };
  const cursors = cursorsOf(caller.appId, operationId, { filter, path }, plane.secrets.cursorKey);
  const position = paging.by === 'cursor' ? cursors.open(cursor, `/query/${paging.parameter}`) : undefined;
  const after = position === undefined ? undefined : fromId(resource.idPrefix, position);
  const parents = namedObjects(resource, declared, params);
  const parent = await findPath(tenant, parents);
  // A list that names no granting object contains the objects whose grants permit it.
  const isFiltered = isGranted(resource) && !parent;
  const selection = {
    kind: resource.kind,
    below: parent && { objectId: parent.object_id, levels: levelsBetween(resource, parents[0]?.resource) },
    fields: { ...filtersOf(resource, declared, query), ...searched },
    ...(isFiltered && { granted: declared.scopes as readonly Scope[] }), // checked by defineContract
  };
  const isCounted = paging.by !== 'none' && hasValue(list, ['total', 'pages', 'last']);
  const page = await listStored(tenant, selection, { after, skip, limit, bytes, isCounted });
  const { revision, rows, isMore, total } = page;
  if (isMore && rows.length < limit) requireCursor(paging, rows.length);
  // If the parent was deleted after it was read, the list is empty. Such a page must not be cached.
  if (parent && rows.length === 0 && (await findPath(tenant, parents))?.object_id !== parent.object_id)
    throw problem('not_found');
  const serverId = isFiltered ? undefined : serverOf(tenant, parent);
  if (serverId !== undefined) await requireScopes(tenant, serverId, declared.scopes);
  const last = rows.at(-1);
  const next = isMore && last ? cursors.seal(toId(resource.idPrefix, last.object_id)) : null;
  const url = plane.urls.public + path;
  const link = isMore ? nextLinkOf(url, list, query, { next, skip, limit }) : undefined;
  const about = (): { known: KnownValues } => {
    const values = pageValuesOf(list, query, { skip, limit, count: rows.length, isMore, total });
    const links = pageLinksOf(url, list, query, { next, skip, limit, isMore, pages: values.pages?.[0] });
    return { known: { ...values, ...links } };
  };
  const items = rows.map(linkedReader(resource, plane.urls.public));
  return {
    revision,
    grantorId: serverId,
    json: JSON.stringify(listBody(list, items, next, list.around?.values && about())),
    headers: link === undefined ? {} : { link },
  };
}

/** Throws invalid_request if a page that ends after fewer objects than requested loses the objects up to the next page. */
function requireCursor(paging: Paging, count: number): void {
  if (paging.by === 'cursor' || paging.by === 'none') return;
  const most = Math.max(count, DEFAULT_LIMIT);
  const detail = `must be at most ${most} for these objects, because a page has at most ${OBJECT_LIMITS.pageBytes} bytes`;
  throw problem('invalid_request', { errors: [{ pointer: `/query/${paging.limit}`, detail }] });
}
