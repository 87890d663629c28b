import {
  AppId,
  allowAppManagement,
  findGrant,
  findKeyState,
  KeyId,
  listGrants,
  type OperationRequirements,
  OrganisationId,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  EVENT_KINDS,
  EVENT_SCOPE,
  type EventType,
  EventTypeSchema,
  enforcesEventScopes,
  findResourceGrant,
  listResourceGrants,
  type ResourceScope,
} from '../../resources/events/index.ts';
import { ServerId } from '../../resources/servers/index.ts';
import {
  AccessExplanation,
  exampleExplanation,
  explain,
  explainList,
  type ListedScope,
  MAX_JUDGED_SERVERS,
  NO_LIST_EXPLANATION,
  notEvaluated,
} from './access-explanation.ts';

/**
 * Creates the operation. `operations` are the operations of /v1 that require a key, `accountOf` returns the server of an
 * app's account.
 */
export function explainAccess(operations: readonly OperationRequirements[], accountOf: (appId: string) => string) {
  const operationId = oneOf(
    operations.map(({ id }) => id),
    'An operation of /v1.',
  );
  return operation({
    id: 'explainAccess',
    route: 'GET /organisations/{organisationId}/apps/{appId}/access/{operationId}',
    tag: 'Installations',
    summary: 'Explain the access of a key to an operation',
    description:
      'Explains why a request with the key would be allowed or rejected now, rule by rule. Requests are checked with the same rules. Without `keyId`, only the grants of the server are explained. An operation on a server requires `serverId`. For another object, send the server of the object; an event without a resource requires no grant. If the account of the app grants the operation, `serverId` is ignored and the response names the account. With `eventType`, an operation that reads events is explained for an event of that type: the server must also authorise the scope of its resource. A list over all servers returns the servers that it omits, because they do not grant each scope of the operation, or with `serverId` whether it omits that server.',
    access: allowAppManagement('installations.read'),
    params: strictObject({ organisationId: OrganisationId, appId: AppId, operationId }),
    query: strictObject({
      keyId: Type.Optional(KeyId),
      serverId: Type.Optional(ServerId),
      eventType: Type.Optional(EventTypeSchema),
    }),
    replies: ok('The result of each rule.', AccessExplanation, { aPausedScope: exampleExplanation }),
    async run({ plane, tenant }, { ids: { serverId: named, keyId }, params, query }) {
      const explained = operations.find(({ id }) => id === params.operationId);
      if (!explained) throw problem('not_found');
      // The account decides about its objects, whichever server the query names.
      const serverId = explained.server === 'account' ? accountOf(tenant.appId) : named;
      if (explained.server === 'in_path' && serverId === undefined) {
        throw problem('invalid_request', { errors: [{ pointer: '/query/serverId', detail: 'is required' }] });
      }
      const key = keyId === undefined ? undefined : { found: await findKeyState(tenant, keyId) };
      const scopes = explained.scope === undefined ? [] : [explained.scope, ...explained.further];
      const isForEvents = explained.scope === EVENT_SCOPE;
      const resourceScope = isForEvents ? await findResourceScope(tenant, query.eventType) : undefined;
      // A list over all servers depends on the grants of each server.
      const singleServerId = explained.server === 'each' || explained.server === 'none' ? undefined : serverId;
      const facts = singleServerId === undefined ? {} : await readGrants(tenant, singleServerId, scopes, resourceScope);
      const isList = scopes.length > 0 && explained.server !== 'none' && singleServerId === undefined;
      // A list over all servers returns no objects of the account.
      const except = explained.server === 'each' ? accountOf(tenant.appId) : undefined;
      return {
        status: 200,
        body: {
          operationId: explained.id,
          keyId: query.keyId ?? null,
          serverId: serverId === undefined ? null : toId('srv', serverId),
          resourceScope: resourceScope ?? null,
          ...explain(scopes, { key, ...facts }),
          ...(isList
            ? explainList(await listScopes(tenant, scopes, { resourceScope, serverId, except }))
            : NO_LIST_EXPLANATION),
          notEvaluated: notEvaluated[plane.environment],
        },
      };
    },
  });
}

/** Reads the grants of the scopes on a server. */
async function readGrants(
  tenant: Tenant,
  serverId: string,
  scopes: readonly Scope[],
  resourceScope: ResourceScope | undefined,
) {
  const grants = await Promise.all(scopes.map((scope) => findGrant(tenant, serverId, scope)));
  const resource = resourceScope && {
    scope: resourceScope,
    found: await findResourceGrant(tenant, serverId, resourceScope),
  };
  return { grants, resource };
}

/**
 * Returns the scope of the resource of this event type, or undefined if the app does not enforce the scopes of events.
 */
async function findResourceScope(tenant: Tenant, type: EventType | undefined): Promise<ResourceScope | undefined> {
  const scope = type === undefined ? null : EVENT_KINDS[type].scope;
  return scope !== null && (await enforcesEventScopes(tenant)) ? scope : undefined;
}

interface ListedServers {
  resourceScope: ResourceScope | undefined;
  /** Undefined for all servers. */
  serverId: string | undefined;
  /** A server whose objects the list never returns. */
  except: string | undefined;
}

/** Reads the grants of the scopes on the servers of a list. */
async function listScopes(
  tenant: Tenant,
  scopes: readonly Scope[],
  { resourceScope, serverId, except }: ListedServers,
): Promise<ListedScope[]> {
  const limit = MAX_JUDGED_SERVERS + 1;
  const resource = resourceScope && {
    scope: resourceScope,
    grants: await listResourceGrants(tenant, { scope: resourceScope, serverId }, limit),
  };
  return Promise.all(
    scopes.map(async (scope) => {
      const servers = await listGrants(tenant, { scope, serverId }, limit);
      return { scope, servers: servers.filter(({ server_id }) => server_id !== except), resource };
    }),
  );
}
