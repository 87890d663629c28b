import { allowAppManagement, type Tenant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findPublication, toPublication } from '../../resources/publications/index.ts';
import { findRoadmapItem, toRoadmapItem } from '../../resources/roadmap/index.ts';
import { findServer, toServer } from '../../resources/servers/index.ts';
import { findTicket, toTicket } from '../../resources/tickets/index.ts';
import { findRun, findWorkflow, toWorkflow, toWorkflowRun } from '../../resources/workflows/index.ts';
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
    return { status: 200, body: { ...object, ...retrievalOf(object), resource } };
  },
});

/** Returns the resource as /v1 returns it. Undefined if it does not exist, or for a server without an installation. */
async function findResource(tenant: Tenant, kind: ObjectKind, uuid: string): Promise<object | undefined> {
  switch (kind) {
    case 'server': {
      const { row } = await findServer(tenant, uuid);
      return row && toServer(row);
    }
    case 'publication': {
      const { row } = await findPublication(tenant, uuid);
      return row && toPublication(row);
    }
    case 'roadmap_item': {
      const { row } = await findRoadmapItem(tenant, uuid);
      return row && toRoadmapItem(row);
    }
    case 'ticket': {
      const { row } = await findTicket(tenant, uuid);
      return row && toTicket(row);
    }
    case 'workflow': {
      const row = await findWorkflow(tenant, uuid);
      return row && toWorkflow(row);
    }
    case 'workflow_run': {
      const { row } = await findRun(tenant, uuid);
      return row && toWorkflowRun(row);
    }
  }
}
