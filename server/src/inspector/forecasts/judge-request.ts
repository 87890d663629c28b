// Evaluates the rules of access for recorded requests, in the current state and after a change. Pure.

import {
  findUnmetRule,
  GRANT_RULES,
  KEY_RULES,
  type OperationRequirements,
  RESOURCE_RULES,
  SCOPE_RULES,
  type Scope,
} from '../../access/authority/index.ts';
import { isStoredAddressWithin } from '../../kit/outbound/address-ranges.ts';
import { EVENT_SCOPE, RESOURCE_SCOPES } from '../../resources/events/index.ts';
import type { AccessChange } from './access-change.ts';
import type { AccessView } from './access-view.ts';

/** Requests that the rules cannot tell apart. */
interface RecordedRequest {
  /** The key that is used now in place of the recorded one. */
  keyId: string;
  isLate: boolean;
  /** Undefined for an operation that this release does not have. */
  operation: OperationRequirements | undefined;
  serverId: string | null;
  /** False for a call that a member made by the id of the key: its address is not checked. */
  isOwn: boolean;
  address: string | null;
}

/** `shortened`: a list over servers leaves out a server. */
export type RequestEffect = 'refused' | 'shortened' | 'unknown' | undefined;

type Outcome = 'allowed' | 'refused' | 'unknown';

/** An event of an object was read: its record does not state whether the event has a resource, and of which scope. */
const isEventRead = ({ scope, server }: OperationRequirements): boolean =>
  scope === EVENT_SCOPE && server === 'in_path';

function isResourceGranted(view: AccessView, serverId: string, scope: Scope): boolean {
  if (!view.app.enforces_event_scopes) return true;
  const is_approved = view.app.approved_scopes.includes(scope);
  const grant = view.grant(serverId, scope);
  return !findUnmetRule(RESOURCE_RULES, grant && { ...grant, is_approved }, scope);
}

const isGranted = (view: AccessView, serverId: string, scope: Scope): boolean =>
  !findUnmetRule(GRANT_RULES, view.grant(serverId, scope), scope);

/** Lists the parts of a server that a list contains: the server, or the resources in its events. */
function listedParts(view: AccessView, serverId: string, scope: Scope, further: readonly Scope[]): readonly string[] {
  if (![scope, ...further].every((one) => isGranted(view, serverId, one))) return [];
  if (scope !== EVENT_SCOPE) return [scope];
  return [scope, ...RESOURCE_SCOPES.filter((resource) => isResourceGranted(view, serverId, resource))];
}

function outcomeOf({ keyId, isLate, isOwn, address, operation, serverId }: RecordedRequest, view: AccessView): Outcome {
  const key = view.key(keyId, isLate);
  const scope = operation?.scope;
  if (findUnmetRule(KEY_RULES, key?.state, scope)) return 'refused';
  const isWithin = isOwn && key?.ranges ? isStoredAddressWithin(key.ranges, address) : true;
  if (isWithin === false) return 'refused';
  if (scope !== undefined && operation !== undefined) {
    const isOnServer = operation.server !== 'each' && operation.server !== 'none';
    for (const one of [scope, ...operation.further]) {
      if (findUnmetRule(SCOPE_RULES, key?.scopes, one)) return 'refused';
      if (isOnServer && serverId !== null && !isGranted(view, serverId, one))
        return isEventRead(operation) ? 'unknown' : 'refused';
    }
  }
  return isWithin === undefined ? 'unknown' : 'allowed';
}

/** Returns true if the effect of the change depends on the operation of the request. */
const dependsOnOperation = (change: AccessChange, { keyId, serverId }: RecordedRequest): boolean =>
  change.kind === 'grants'
    ? serverId === null || change.serverIds.includes(serverId)
    : change.kind === 'key' && change.keyId === keyId && change.scopes !== undefined;

/** Returns the effect of the change on requests that succeeded. Undefined: none, or they are refused already. */
export function judgeRequest(
  request: RecordedRequest,
  change: AccessChange,
  { current, changed }: { current: AccessView; changed: AccessView },
): RequestEffect {
  const before = outcomeOf(request, current);
  const after = outcomeOf(request, changed);
  if (before === 'refused') return undefined;
  if (after === 'refused') return before === 'allowed' ? 'refused' : 'unknown';
  if (after !== before) return 'unknown';
  const { operation, serverId } = request;
  if (operation === undefined) return dependsOnOperation(change, request) ? 'unknown' : undefined;
  const { scope, further, server } = operation;
  if (change.kind !== 'grants' || scope === undefined || server === 'none') return undefined;
  // An object on one server is refused as a whole. Only a list, or an event whose scope is unknown, can lose a part.
  if (scope !== EVENT_SCOPE && server !== 'each') return undefined;
  const servers = serverId === null ? change.serverIds : [serverId];
  const isNarrowed = servers.some(
    (one) => listedParts(changed, one, scope, further).length < listedParts(current, one, scope, further).length,
  );
  if (!isNarrowed) return undefined;
  return isEventRead(operation) ? (serverId === null ? undefined : 'unknown') : 'shortened';
}
