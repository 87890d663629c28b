import { allowAppManagement, type Tenant } from '../../access/authority/index.ts';
import { grantor, resources } from '../../access/contracts/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRow, hasTable, objectReader } from '../../resources/objects/index.ts';
import { findServer, toServer } from '../../resources/servers/index.ts';
import { findObjectRow } from './store.ts';
import {
  exampleObjectDetail,
  type ObjectKind,
  objectParams,
  parseObjectId,
  retrievalOf,
  toWorldObject,
  WorldObjectDetail,
} from './world-object.ts';

const READERS = new Map(resources.map((resource) => [resource.kind, objectReader(resource)]));

export const getWorldObject = operation({
  id: 'getWorldObject',
  route: 'GET /organisations/{organisationId}/apps/{appId}/world/objects/{objectId}',
  tag: 'World',
  summary: 'Get an object of a world',
  description:
    'Returns an object of the app’s synthetic world as /v1 returns it, with the operation that returns it there. The object is returned even if its server does not authorise the app.',
  access: allowAppManagement('world.read'),
  params: objectParams,
  replies: ok('The object.', WorldObjectDetail, { aTicket: exampleObjectDetail }),
  async run({ tenant }, { params }) {
    const named = parseObjectId(params.objectId);
    if (!named) throw problem('not_found');
    const row = await findObjectRow(tenant, named.kind, named.uuid);
    const resource = row && (await findResource(tenant, named.kind, named.uuid));
    if (!row || !resource) throw problem('not_found');
    const object = toWorldObject(named.kind, row);
    return { status: 200, body: { ...object, ...retrievalOf(object, resource), resource } };
  },
});

/** Returns the resource as /v1 returns it. Undefined if it does not exist, or for a server without an installation. */
async function findResource(tenant: Tenant, kind: ObjectKind, uuid: string): Promise<object | undefined> {
  if (grantor && kind === grantor.kind && hasTable(grantor)) {
    const { row } = await findServer(tenant, uuid);
    return row && toServer(row);
  }
  const { row } = await findRow(tenant, kind, uuid);
  return row && READERS.get(kind)?.(row);
}
