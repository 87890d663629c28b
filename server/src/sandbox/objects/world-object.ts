// An object of the sandbox data: a server, or an object on a server. Pure.
import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { type InstalledResource, type ResourceKind, resources, tickets } from '../../access/contracts/index.ts';
import { fromId, ID_BODY_PATTERN, toId } from '../../kit/crypto/ids.ts';
import { fillPath } from '../../kit/http/paths.ts';
import {
  dateTime,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { hasTable, idFieldOf } from '../../resources/objects/index.ts';
import { ServerId } from '../../resources/servers/index.ts';

export type ObjectKind = ResourceKind;
export const OBJECT_KINDS: readonly ObjectKind[] = resources.map(({ kind }) => kind);
const ObjectKindSchema = oneOf(OBJECT_KINDS, 'The kind of object.');

const RESOURCES = Object.fromEntries(resources.map((one) => [one.kind, one])) as Record<ObjectKind, InstalledResource>; // all kinds
const exampleTicket = tickets.example;

const ObjectId = text('The identifier of the object.', {
  minLength: 30,
  maxLength: 30,
  pattern: `^(${resources.map(({ idPrefix }) => idPrefix).join('|')})_${ID_BODY_PATTERN}$`,
  examples: [exampleTicket.id],
});
export const objectParams = strictObject({ organisationId: OrganisationId, appId: AppId, objectId: ObjectId });

/** Returns the kind and the uuid of an identifier; undefined for an identifier of another kind. */
export function parseObjectId(id: string): { kind: ObjectKind; uuid: string } | undefined {
  for (const { kind, idPrefix } of resources) {
    const uuid = fromId(idPrefix, id);
    if (uuid !== undefined) return { kind, uuid };
  }
  return undefined;
}

const fields = {
  id: ObjectId,
  kind: ObjectKindSchema,
  serverId: ServerId,
  title: text('The name, the title or the subject. A run has the name of its workflow.', { maxLength: 300 }),
  status: nullable(text('The status; null for an object without one.', { maxLength: 300 })),
  createdAt: dateTime('The creation time.'),
};
export const WorldObject = namedObject('WorldObject', 'An object of the sandbox data.', fields);
export type WorldObject = Static<typeof WorldObject>;

export const WorldObjectDetail = namedObject('WorldObjectDetail', 'An object of the sandbox data, with its resource.', {
  ...fields,
  operationId: text('The operation of /v1 that returns the resource.', { maxLength: 100 }),
  path: text('The path of that operation for this object.', { maxLength: 1_000 }),
  resource: Type.Object({}, { additionalProperties: true, description: 'The resource as /v1 returns it.' }),
});
export type WorldObjectDetail = Static<typeof WorldObjectDetail>;

export interface WorldObjectRow {
  object_id: string;
  server_id: string;
  title: string;
  status: string | null;
  created_at: Date;
}

export const toWorldObject = (kind: ObjectKind, row: WorldObjectRow): WorldObject => ({
  id: toId(RESOURCES[kind].idPrefix, row.object_id),
  kind,
  serverId: toId('srv', row.server_id),
  title: row.title,
  status: row.status,
  createdAt: row.created_at.toISOString(),
});

interface Retrieval {
  operationId: string;
  path: string;
}

/** Returns the operation of /v1 that returns an object: of its own, or a list with it. */
export function retrievalOf({ kind, id, serverId }: WorldObject, object: object): Retrieval {
  const resource = RESOURCES[kind];
  if (!hasTable(resource)) return declaredRetrievalOf(resource, object);
  const { name, path, list, get, parent } = resource;
  return list && parent && !get
    ? { operationId: list.id, path: `/v1/${parent.path}/${serverId}/${path}` }
    : { operationId: `get${name}`, path: `/v1/${path}/${id}` };
}

/** The objects contain the identifiers in the path, if the contract declares fields for them. */
function declaredRetrievalOf(resource: InstalledResource, object: object): Retrieval {
  const [operationId, declared] =
    Object.entries(resource.operations ?? {})
      .filter(([, { effect }]) => effect === 'get' || effect === 'list')
      .toSorted(([, a], [, b]) => a.effect.localeCompare(b.effect))[0] ?? [];
  if (operationId === undefined || !declared) return { operationId: '', path: '' };
  const { parent, parentField } = resource;
  const fields = [
    [resource.idName, idFieldOf(resource)],
    [parent?.idName, parentField ?? parent?.idName],
  ] as const;
  const ids = fields.flatMap(([name, field]) => {
    const id: unknown = field === undefined ? undefined : Reflect.get(object, field);
    return name === undefined || id === undefined ? [] : [[name, String(id)]];
  });
  return { operationId, path: `/v1${fillPath(declared.path, Object.fromEntries(ids))}` };
}

export const exampleObject: WorldObject = {
  id: exampleTicket.id,
  kind: 'ticket',
  serverId: exampleTicket.serverId,
  title: exampleTicket.subject,
  status: exampleTicket.status,
  createdAt: exampleTicket.createdAt,
};
export const exampleObjectDetail: WorldObjectDetail = {
  ...exampleObject,
  operationId: 'getTicket',
  path: `/v1/tickets/${exampleTicket.id}`,
  resource: exampleTicket,
};
