// Evaluates the rules of deliveries, and the filter of an endpoint, for recorded deliveries. Pure.

import { findUnmetRule, KEY_RULES, SCOPE_RULES } from '../../access/authority/index.ts';
import { EVENT_KINDS, EVENT_SCOPE, type EventType } from '../../resources/events/index.ts';
import { authoriseDelivery, type EndpointRow, isKept, receivedTypes } from '../../webhooks/webhooks/index.ts';
import type { AccessChange, ForecastEndpointChange } from './access-change.ts';
import type { AccessView } from './access-view.ts';

/** Deliveries that the rules cannot tell apart. */
interface RecordedDelivery {
  /** The server whose grant decides; null for an event without a resource. */
  serverId: string | null;
  /** Null if the event is no longer stored. */
  type: EventType | null;
  isLate: boolean;
  /** The server of the event. */
  eventServerId: string | null;
  /** The event in the version of the delivery; null unless a condition is evaluated and the app may read the event. */
  body: string | null;
}

export type DeliveryEffect = 'skipped' | 'held' | 'unknown' | undefined;

type Verdict = ReturnType<typeof authoriseDelivery>['verdict'];

function verdictOf(
  { serverId, type, isLate }: RecordedDelivery & { type: EventType },
  endpoint: EndpointRow,
  isDisabled: boolean,
  view: AccessView,
): Verdict {
  const keys = endpoint.key_ids.map((keyId) => view.key(keyId, isLate));
  const key =
    keys.find(
      (one) =>
        !findUnmetRule(KEY_RULES, one?.state, EVENT_SCOPE) && !findUnmetRule(SCOPE_RULES, one?.scopes, EVENT_SCOPE),
    ) ?? keys[0];
  const { app } = view;
  const scope = serverId === null ? null : EVENT_KINDS[type].scope;
  const grant = serverId === null ? undefined : view.grant(serverId, EVENT_SCOPE);
  return authoriseDelivery({
    endpoint_state: isDisabled ? 'disabled' : endpoint.state,
    key_state: key?.state.state ?? 'revoked',
    is_key_expired: key?.state.isExpired ?? true,
    key_has_scope: key?.scopes.includes(EVENT_SCOPE) ?? false,
    app_status: app.status,
    needs_grant: serverId !== null,
    installation_state: grant?.installation_state ?? null,
    scope_state: grant?.scope_state ?? null,
    resource_scope: scope,
    enforces_event_scopes: app.enforces_event_scopes,
    is_resource_approved: scope !== null && app.approved_scopes.includes(scope),
    resource_state: serverId === null || scope === null ? null : (view.grant(serverId, scope)?.scope_state ?? null),
    // The states include the restrictions. Only a reason names them.
    restrictions: null,
  }).verdict;
}

/** Returns true if the change replaces a part of the filter. */
const changesFilter = (change: AccessChange): change is ForecastEndpointChange =>
  change.kind === 'endpoint' &&
  (change.types !== undefined || change.serverIds !== undefined || change.conditions !== undefined);

/** Returns true if the filter before or after the change has conditions, which need the events. */
export const needsBodies = (change: AccessChange, { conditions }: EndpointRow): boolean =>
  changesFilter(change) && [conditions, change.conditions].some((one) => (one ?? []).length > 0);

/** Undefined if a condition needs the body and the app may not read it. */
function isReceived(
  { type, eventServerId, body }: RecordedDelivery & { type: EventType },
  endpoint: EndpointRow,
  change: Partial<ForecastEndpointChange> = {},
): boolean | undefined {
  const types = change.types ?? receivedTypes(endpoint);
  const serverIds = change.serverIds === undefined ? endpoint.server_ids : change.serverIds;
  const conditions = change.conditions ?? endpoint.conditions;
  if (!types.includes(type)) return false;
  const serverId = eventServerId ?? '';
  if (body !== null) return isKept({ serverIds, conditions }, serverId, () => JSON.parse(body));
  if (!isKept({ serverIds, conditions: null }, serverId, () => undefined)) return false;
  return (conditions ?? []).length > 0 ? undefined : true;
}

/** Returns the effect of the change on deliveries. Undefined: none, or the current state refuses them. */
export function judgeDelivery(
  delivery: RecordedDelivery,
  endpoint: EndpointRow | undefined,
  change: AccessChange,
  { current, changed }: { current: AccessView; changed: AccessView },
): DeliveryEffect {
  if (!endpoint) return undefined;
  const { type } = delivery;
  if (type === null) return 'unknown';
  const typed = { ...delivery, type };
  const before = verdictOf(typed, endpoint, false, current);
  if (before === 'refuse') return undefined;
  const isDisabled = change.kind === 'endpoint' && change.isDisabled;
  if (changesFilter(change)) {
    const isReceivedNow = isReceived(typed, endpoint);
    const isReceivedAfter = !isDisabled && isReceived(typed, endpoint, change);
    if (isReceivedNow === false || isReceivedAfter === true) return undefined;
    return isReceivedNow === undefined || isReceivedAfter === undefined ? 'unknown' : 'skipped';
  }
  const after = verdictOf(typed, endpoint, isDisabled, changed);
  if (after === before) return undefined;
  return after === 'refuse' ? 'skipped' : 'held';
}
