// The operations of a contract that read: lists, objects, and content about them.
import type { Plane, ReadContext, Tenant } from '../../access/authority/index.ts';
import { type AnyResource, isSearch, type OperationDeclaration } from '../../access/contracts/index.ts';
import type { AnyOperation, Inputs, Reply } from '../../kit/http/operation.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findStoredRevised, linkedReader, locationOf } from '../objects/index.ts';
import { replyOf } from './declared-content.ts';
import { namedObjects } from './declared-inputs.ts';
import { findPath, isBelow } from './find-path.ts';
import { requireScopes, serverOf } from './granting-server.ts';
import { readPage } from './list-page.ts';

type Run = AnyOperation<Plane>['run'];

const NOT_STORED = { 'cache-control': 'private, no-cache' };

/** Returns the function of an operation that reads. */
export function readRun(resource: AnyResource, declared: OperationDeclaration): Run {
  const { content } = declared;
  const isUncached = isSearch(resource, declared);
  return (given, values) => {
    const [context, inputs] = [given as ReadContext, values as Inputs]; // its access and its schemas
    if (content.of === 'list') {
      const { plane, caller, request } = context;
      const source = { plane, caller, operationId: request.operation.id };
      const load = (tenant: Tenant) => readPage(resource, declared, content, source, tenant, inputs);
      if (!isUncached) return context.page('activity', load);
      // The cache of pages does not know the body.
      return context.read(async (tenant) => {
        const { json, headers, grantorId } = await load(tenant);
        return { status: declared.status, json, headers: { ...headers, ...NOT_STORED }, grantorId };
      });
    }
    // A page of the cache is JSON with the status 200.
    if (content.of === 'file' || content.of === 'nothing' || declared.status !== 200) {
      return context.read(async (tenant) => {
        const { reply } = await readContent(context, tenant, inputs);
        const { body, ...others } = reply;
        const json = body === undefined ? {} : { json: JSON.stringify(body) };
        return { ...others, ...json, headers: { ...reply.headers, ...NOT_STORED } };
      });
    }
    return context.page('activity', async (tenant) => {
      const { revision, serverId, reply } = await readContent(context, tenant, inputs);
      return { revision, grantorId: serverId, json: JSON.stringify(reply.body) };
    });
  };

  async function readContent(
    { plane, request }: ReadContext,
    tenant: Tenant,
    { params }: Inputs,
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
    const object = row && linkedReader(resource, plane.urls.public)(row);
    const location = isObject ? locationOf(resource, params) : undefined;
    return {
      revision,
      serverId,
      reply: replyOf(resource, declared, {
        object,
        self: location && plane.urls.public + location,
        params,
        origin: `${tenant.appId}/${fillPath(declared.path, params)}`,
        accept: request.incoming.headers.accept,
      }),
    };
  }
}
