// The operations of a contract that read: lists, objects, and content about them.
import type { Plane, ReadContext, Scope, Tenant } from '../../access/authority/index.ts';
import {
  type AnyResource,
  type Content,
  isGranted,
  OBJECT_LIMITS,
  type OperationDeclaration,
  type Paging,
} from '../../access/contracts/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import type { AnyOperation, Inputs, Reply } from '../../kit/http/operation.ts';
import { type CacheablePage, cursorsOf, DEFAULT_LIMIT } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findStoredRevised, listStored, objectReader } from '../objects/index.ts';
import { replyOf } from './declared-content.ts';
import { filtersOf, namedObjects, pageRequestOf } from './declared-inputs.ts';
import { hasValue, type KnownValues, listBody } from './envelope.ts';
import { findPath, isBelow, levelsBetween } from './find-path.ts';
import { requireScopes, serverOf } from './granting-server.ts';
import { nextLinkOf, pageLinksOf, pageValuesOf, withoutPaging } from './page-links.ts';

type ListContent = Extract<Content, { of: 'list' }>;
type Run = AnyOperation<Plane>['run'];

const NOT_STORED = { 'cache-control': 'private, no-cache' };

/** Returns the function of an operation that reads. */
export function readRun(resource: AnyResource, declared: OperationDeclaration): Run {
  const { content } = declared;
  return (given, values) => {
    const [context, inputs] = [given as ReadContext, values as Inputs]; // its access and its schemas
    if (content.of === 'list') return context.page('activity', (tenant) => readPage(context, tenant, inputs, content));
    // A page of the cache is JSON with the status 200.
    if (content.of === 'file' || content.of === 'nothing' || declared.status !== 200) {
      return context.read(async (tenant) => {
        const { reply } = await readContent(tenant, inputs, context.request.incoming.headers.accept);
        const { body, ...others } = reply;
        const json = body === undefined ? {} : { json: JSON.stringify(body) };
        return { ...others, ...json, headers: { ...reply.headers, ...NOT_STORED } };
      });
    }
    return context.page('activity', async (tenant) => {
      const { revision, serverId, reply } = await readContent(tenant, inputs);
      return { revision, grantorId: serverId, json: JSON.stringify(reply.body) };
    });
  };

  async function readContent(
    tenant: Tenant,
    { params }: Inputs,
    accept?: string | string[] | undefined,
  ): Promise<{ revision: number; serverId: string; reply: Reply }> {
    const path = namedObjects(resource, declared, params);
    const [own, ...parents] = path;
    const isObject = own?.resource === resource;
    const { revision, row } = await findStoredRevised(tenant, resource.kind, isObject ? own.key : '');
    const parent = await findPath(tenant, isObject ? parents : path);
    if (isObject) {
      const [named] = parents;
      const above = named && parent && { resource: named.resource, row: parent };
      if (!row || (above && !(await isBelow(tenant, row, resource, above)))) throw problem('not_found');
    }
    const serverId = serverOf(tenant, isObject ? row : parent);
    await requireScopes(tenant, serverId, declared.scopes);
    const object = row && objectReader(resource)(row);
    return {
      revision,
      serverId,
      reply: replyOf(resource, declared, {
        object,
        params,
        origin: `${tenant.appId}/${fillPath(declared.path, params)}`,
        accept,
      }),
    };
  }

  async function readPage(
    { plane, caller, request }: ReadContext,
    tenant: Tenant,
    { params, query }: Inputs,
    list: ListContent,
  ): Promise<CacheablePage> {
    const { paging } = list;
    const path = fillPath(request.operation.path, params);
    const { cursor, skip, limit, bytes } = pageRequestOf(paging, query);
    const filter = withoutPaging(list, query);
    const cursors = cursorsOf(caller.appId, request.operation.id, { filter, path }, plane.secrets.cursorKey);
    const position = paging.by === 'cursor' ? cursors.open(cursor, `/query/${paging.parameter}`) : undefined;
    const after = position === undefined ? undefined : fromId(resource.idPrefix, position);
    const parents = namedObjects(resource, declared, params);
    const parent = await findPath(tenant, parents);
    // A list that names no granting object contains the objects whose grants permit it.
    const isFiltered = isGranted(resource) && !parent;
    const selection = {
      kind: resource.kind,
      below: parent && { objectId: parent.object_id, levels: levelsBetween(resource, parents[0]?.resource) },
      fields: filtersOf(resource, declared, query),
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
    return {
      revision,
      grantorId: serverId,
      json: JSON.stringify(listBody(list, rows.map(objectReader(resource)), next, list.around?.values && about())),
      headers: link === undefined ? {} : { link },
    };
  }
}

/** Throws invalid_request if a page that ends after fewer objects than requested loses the objects up to the next page. */
function requireCursor(paging: Paging, count: number): void {
  if (paging.by === 'cursor' || paging.by === 'none') return;
  const most = Math.max(count, DEFAULT_LIMIT);
  const detail = `must be at most ${most} for these objects, because a page has at most ${OBJECT_LIMITS.pageBytes} bytes`;
  throw problem('invalid_request', { errors: [{ pointer: `/query/${paging.limit}`, detail }] });
}
