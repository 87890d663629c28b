import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { grantor, resources } from '../../access/contracts/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { listObjectRows } from './store.ts';
import { exampleObject, OBJECT_KINDS, toWorldObject, WorldObject } from './world-object.ts';

const DEFAULT_KIND = (grantor ?? resources[0])?.kind ?? 'server';

export const listWorldObjects = operation({
  id: 'listWorldObjects',
  route: 'GET /organisations/{organisationId}/apps/{appId}/world/objects',
  tag: 'World',
  summary: 'List the objects of a world',
  description:
    'Lists the objects of one kind in the app’s synthetic world, newest first, of all servers or of one. Objects on servers that do not authorise the app are included. `listAppEvents` with an object as `subject` returns its events and their causes, and `triggerEvent` creates and changes objects.',
  access: allowAppManagement('world.read'),
  params: appParams,
  query: strictObject({
    ...listQuery,
    kind: Type.Optional({ ...oneOf(OBJECT_KINDS, 'The kind of object.'), default: DEFAULT_KIND }),
    serverId: Type.Optional(ServerId),
  }),
  replies: listReplies('WorldObjectList', WorldObject, 'A page of objects.', exampleObject),
  run: ({ tenant, paged }, { ids: { serverId }, query: { kind = DEFAULT_KIND } }) =>
    paged({
      prefix: 'obj',
      load: (after, limit) => listObjectRows(tenant, { kind, serverId }, after, limit),
      toItem: (row) => toWorldObject(kind, row),
      idOf: (row) => row.object_id,
    }),
});
