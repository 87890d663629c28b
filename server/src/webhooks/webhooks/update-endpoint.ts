import { allowAppManagement, type ManagedAppContext } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { cancelDeliveriesOfEndpoint, incrementStopEpoch } from './access-change-store.ts';
import { changeHeaders, openHeaders, sealHeaders } from './custom-headers.ts';
import { Endpoint, type EndpointRow, endpointParams, exampleEndpoint, receivedTypes, toEndpoint } from './endpoint.ts';
import {
  changedSettings,
  EndpointChange,
  type EndpointSettings,
  toAuditUrl,
  validateDisabledReason,
  validateHostChange,
  validateListenerHeaders,
} from './endpoint-change.ts';
import { expandTypes } from './endpoint-filter.ts';
import { namedKeys, validateKeyForm } from './endpoint-keys.ts';
import { cutOffEarlierDeliveries, hasLostKeys } from './endpoint-keys-store.ts';
import { lockEndpointRow, updateEndpointRow } from './endpoint-store.ts';
import { isListener } from './listener.ts';
import { noticeRecovery } from './recovery-notice-store.ts';
import { validateSettings } from './validate-settings.ts';

export const updateEndpoint = operation({
  id: 'updateEndpoint',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Change an endpoint',
  description:
    'Changes the given settings, and disables or enables the endpoint. After this call returns, no request begins under the old URL, key or headers. In-flight attempts are stopped and made again with the new settings. A key that is added at the end of the list does not stop in-flight attempts. Waiting deliveries use the new keys and keep their schema version; if a revocation left the endpoint without a usable key, they are cancelled instead. Waiting retries move to a new schedule speed within seconds. A changed filter (`eventTypes`, `serverIds`, `conditions`) applies to later events. Disabling the endpoint cancels its waiting deliveries; later events are recorded as skipped. Enabling an endpoint whose failures a notice reported writes the notice `endpoint_recovered`. For a URL on another host, every header must be set again or be null. A listener receives no custom headers: an address `listener:NAME` drops them all, and `headerNames` in the response is empty.',
  access: allowAppManagement('endpoints.change'),
  params: endpointParams,
  body: EndpointChange,
  examples: {
    aRate: { ratePerSecond: 20 },
    aSecondKey: { keyIds: [...exampleEndpoint.keyIds, 'key_01j9z3v8k6e5t8m2n4p6q8r0t1'] },
    aFilter: { eventTypes: ['*'], serverIds: null, conditions: [{ pointer: '/data/priority', equals: 'urgent' }] },
    aHeader: { headers: { Authorization: 'Bearer EXAMPLE-of-a-token', 'X-Tenant': null } },
    disabled: { state: 'disabled', disabledReason: 'The bridge moves to another host.' },
  },
  replies: ok('The updated endpoint.', Endpoint, { aRate: exampleEndpoint }),
  async run(context, { ids: { endpointId }, params, body }) {
    const { plane, actor, tenant, audit } = context;
    const before = await lockEndpointRow(tenant, endpointId);
    if (!before) throw problem('not_found');
    const { headers: changes, url: _, ...rest } = body;
    const currentHeaders = openHeaders(before.sealed_headers, endpointId, plane.secrets.masterKeys);
    const address = body.url ?? before.url;
    const dropped = isListener(address) ? [...currentHeaders.keys()] : [];
    const removals = Object.fromEntries(dropped.map((name) => [name, null]));
    const headerChange =
      changes || dropped.length > 0
        ? changeHeaders(currentHeaders, isListener(address) ? removals : { ...changes })
        : undefined;
    const input = { ...body, received: body.eventTypes ? expandTypes(body.eventTypes) : receivedTypes(before) };
    const errors = [
      ...(headerChange?.errors ?? []),
      ...validateKeyForm(body, false),
      ...(await validateSettings(context, input)),
      ...validateDisabledReason(body, before),
    ];
    errors.push(...validateListenerHeaders(address, changes));
    if (errors.length === 0) errors.push(...validateHostChange(body, before));
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const next = changedSettings(before, body, actor.name);
    const areKeysNamed = namedKeys(body).length > 0;
    if (areKeysNamed) incrementStopEpoch(tenant);
    const hasLost = areKeysNamed && (await hasLostKeys(tenant, endpointId));
    const row = await updateEndpointRow(tenant, endpointId, {
      ...next,
      sealedHeaders: headerChange
        ? sealHeaders(headerChange.headers, endpointId, plane.secrets.masterKeys)
        : before.sealed_headers,
      headerNames: headerChange ? [...headerChange.headers.keys()] : before.header_names,
    });
    if (next.state === 'enabled' && before.state === 'disabled') {
      await noticeRecovery(tenant, actor.organisationId, endpointId);
    }
    const cancelled = await cancelOutdated(context, before, next, {
      hasNewHeaders: headerChange !== undefined,
      hasLost,
    });
    // The log keeps header names and the origin of each URL. Values and paths may contain secrets, and the log is
    // permanent.
    const named = changes && { headers: Object.keys(changes) };
    const led = next.url !== before.url && { url: { from: toAuditUrl(before.url), to: toAuditUrl(next.url) } };
    const lost = dropped.length > 0 && { droppedHeaders: dropped };
    audit('endpoint.update', params.endpointId, { ...led, ...rest, ...named, ...lost, ...cancelled });
    return { status: 200, body: toEndpoint(row) };
  },
});

/**
 * Stops in-flight attempts that use the earlier settings. Returns the number of cancelled deliveries if the endpoint
 * was disabled, or got a key after it had lost all: the deliveries of a revoked key stay ended.
 */
async function cancelOutdated(
  { tenant, cancelInFlight }: ManagedAppContext,
  before: EndpointRow,
  next: EndpointSettings,
  { hasNewHeaders, hasLost }: { hasNewHeaders: boolean; hasLost: boolean },
): Promise<{ cancelled: number } | undefined> {
  const endpointId = before.endpoint_id;
  // A key that is added at the end of the list does not affect in-flight attempts.
  const isMoved = before.key_ids.some((keyId, at) => next.keyIds[at] !== keyId);
  const isDisabled = next.state === 'disabled' && before.state === 'enabled';
  if (isMoved || isDisabled || hasNewHeaders || hasLost || next.url !== before.url) {
    incrementStopEpoch(tenant);
    cancelInFlight({ keyId: null, serverId: null, endpointId });
  }
  if (hasLost) cutOffEarlierDeliveries(tenant, endpointId);
  if (!isDisabled && !hasLost) return undefined;
  const reason = isDisabled ? 'endpoint_disabled' : 'key_revoked';
  return { cancelled: await cancelDeliveriesOfEndpoint(tenant, endpointId, reason) };
}
