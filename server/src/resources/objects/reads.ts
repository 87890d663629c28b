// The operations that read the objects of a resource, derived from its declaration.
import { allowKeyRead, listPage, requireGrant } from '../../access/authority/index.ts';
import type { InstalledResource } from '../../access/contracts/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { deprecationsOf } from '../../platform/deprecations/index.ts';
import { idColumn, type ObjectRow, objectReader } from './object.ts';
import { findRow, listRows } from './store.ts';
import { TABLES } from './tables-store.ts';

/** Returns the uuid of an identifier of the path. */
const idIn = (ids: object, name: string): string => String(Reflect.get(ids, name)); // validated by the operation

/** Returns the operation that lists the objects of a resource on a server. */
export function listOperation(resource: InstalledResource) {
  const { name, kind, noun, path, tag, scope, parent, list, schema, example } = resource;
  if (!parent || !list) throw new Error(`The resource ${name} has no list.`);
  const toItem = objectReader(resource);
  return operation({
    id: list.id,
    route: `GET /v1/${parent.path}/{${parent.idName}}/${path}`,
    tag,
    summary: list.summary,
    description: list.description,
    access: allowKeyRead(scope, { runRequiresGrant: true }),
    params: strictObject({ [parent.idName]: parent.id }),
    query: strictObject(listQuery),
    replies: listReplies(`${name}List`, schema, `A page of ${noun}s.`, example, {
      headers: ['Link'],
      links: list.links,
    }),
    deprecations: deprecationsOf(list.id),
    run(context, { ids }) {
      const serverId = idIn(ids, parent.idName);
      return listPage(context, {
        collection: TABLES[kind].collection,
        prefix: resource.idPrefix,
        idOf: (row: ObjectRow) => String(row[idColumn(resource)]),
        toItem,
        granted: { serverId, scope },
        load: (tenant, after, limit) => listRows(tenant, kind, serverId, after, limit),
      });
    },
  });
}

/** Returns the operation that returns one object of a resource. */
export function getOperation(resource: InstalledResource) {
  const { name, kind, noun, path, tag, scope, id, idName, get, schema, example } = resource;
  if (!get) throw new Error(`The resource ${name} has no operation for one object.`);
  const toItem = objectReader(resource);
  const operationId = `get${name}`;
  return operation({
    id: operationId,
    route: `GET /v1/${path}/{${idName}}`,
    tag,
    summary: `Get a ${noun}`,
    description: get.description,
    access: allowKeyRead(scope, { runRequiresGrant: true }),
    params: strictObject({ [idName]: id }),
    replies: ok(`The ${noun}.`, schema, { [get.exampleName]: example }),
    deprecations: deprecationsOf(operationId),
    run(context, { ids }) {
      return context.page(TABLES[kind].collection, async (tenant) => {
        const { revision, row } = await findRow(tenant, kind, idIn(ids, idName));
        if (!row) throw problem('not_found');
        await requireGrant(tenant, row.server_id, scope);
        return { revision, grantorId: row.server_id, json: JSON.stringify(toItem(row)) };
      });
    },
  });
}
