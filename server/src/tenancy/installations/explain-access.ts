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
      'Explains why a request with the key would be allowed or rejected now, rule by rule. Requests are checked with the same rules. Without `keyId`, only the grants of the server are explained. An operation on a server requires `serverId`. For another object, send the server of the object; an event without a resource requires no grant. If the account of the app grants the operation, `serverId` is ignored and the response names the account. With `eventType`, an operation that reads events is explained for an event of that type: the server must also authorise the scope of its resource. A list over all servers returns the servers that it omits, or with `serverId` whether it omits that server.',
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
      const of = { key, serverId, eventType: query.eventType };
      const first = await explainScope(tenant, explained, explained.scope, of);
      let decisive = first;
      // A request needs all scopes: the first that is refused decides.
      for (const scope of explained.further)
        if (decisive.isAllowed) decisive = await explainScope(tenant, explained, scope, of);
      return {
        status: 200,
        body: {
          operationId: explained.id,
          keyId: query.keyId ?? null,
          serverId: serverId === undefined ? null : toId('srv', serverId),
          ...(decisive.isAllowed ? first : decisive),
          notEvaluated: notEvaluated[plane.environment],
        },
      };
    },
  });
}

interface ExplainedRequest {
  key: { found: Awaited<ReturnType<typeof findKeyState>> } | undefined;
  serverId: string | undefined;
  eventType: EventType | undefined;
}

async function explainScope(
  tenant: Tenant,
  { server }: OperationRequirements,
  scope: Scope | undefined,
  { key, serverId, eventType }: ExplainedRequest,
) {
  const decides = server !== 'each' && server !== 'none';
  const grant =
    scope && decides && serverId !== undefined ? { found: await findGrant(tenant, serverId, scope) } : undefined;
  const isList = scope !== undefined && server !== 'none' && !grant;
  const resourceScope = scope === EVENT_SCOPE ? await findResourceScope(tenant, eventType) : undefined;
  const resource =
    resourceScope && grant && serverId !== undefined
      ? { scope: resourceScope, found: await findResourceGrant(tenant, serverId, resourceScope) }
      : undefined;
  return {
    scope: scope ?? null,
    resourceScope: resourceScope ?? null,
    ...explain(scope, { key, grant, resource }),
    ...(isList ? await listOmittedServers(tenant, { scope, resourceScope, serverId }) : NO_LIST_EXPLANATION),
  };
}

/**
 * Returns the scope of the resource of this event type, or undefined if the app does not enforce the scopes of events.
 */
async function findResourceScope(tenant: Tenant, type: EventType | undefined): Promise<ResourceScope | undefined> {
  const scope = type === undefined ? null : EVENT_KINDS[type].scope;
  return scope !== null && (await enforcesEventScopes(tenant)) ? scope : undefined;
}

interface ListedGrants {
  scope: Scope;
  resourceScope: ResourceScope | undefined;
  serverId: string | undefined;
}

async function listOmittedServers(tenant: Tenant, { scope, resourceScope, serverId }: ListedGrants) {
  const limit = MAX_JUDGED_SERVERS + 1;
  const servers = await listGrants(tenant, { scope, serverId }, limit);
  const resources = resourceScope && (await listResourceGrants(tenant, { scope: resourceScope, serverId }, limit));
  return explainList(scope, servers, resources);
}
