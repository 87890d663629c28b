// The sources of a forecast: the parts of the records that the change can concern, each with the index that leads to it.

import { setImmediate } from 'node:timers/promises';
import type { Environment, OperationRequirements, Scope, TenantTransaction } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { EVENT_KINDS, EVENT_SCOPE, EVENT_TYPES } from '../../resources/events/index.ts';
import { type EndpointRow, listEndpointRows } from '../../webhooks/webhooks/index.ts';
import {
  clipStretches,
  continueBelow,
  type IdRange,
  listPartitions,
  type RecordSource,
  type SearchIndex,
  toStretches,
} from '../requests/index.ts';
import type { AccessChange } from './access-change.ts';
import { addDeliveries, addRequests, type Totals } from './access-forecast.ts';
import type { AccessView, CurrentAccess } from './access-view.ts';
import { listKeyLine } from './facts-store.ts';
import { judgeDelivery, needsBodies } from './judge-delivery.ts';
import { judgeRequest } from './judge-request.ts';
import {
  type DeliveryGroupRow,
  groupDeliveries,
  groupRequests,
  type Lifetimes,
  type RequestGroupRow,
} from './records-store.ts';

const DAY_MS = 86_400_000;
/** Records per statement. A delivery with conditions has the body of its event, of up to 256 KiB. */
const REQUESTS_PER_STEP = 25_000;
const DELIVERIES_PER_STEP = 10_000;
const DELIVERIES_WITH_BODIES_PER_STEP = 50;
/** Groups that are judged before the process serves other requests. A body is also parsed. */
const GROUPS_PER_SLICE = 500;
const BODIES_PER_SLICE = 10;
const MAX_ENDPOINTS = 1_000;

export interface Forecast {
  tenant: TenantTransaction;
  environment: Environment;
  operations: ReadonlyMap<string, OperationRequirements>;
  change: AccessChange;
  access: CurrentAccess;
  views: { current: AccessView; changed: AccessView };
  totals: Totals;
}

export async function listSources(forecast: Forecast): Promise<RecordSource[]> {
  const { tenant, change, access } = forecast;
  const sources: RecordSource[] = [];
  if (change.kind === 'endpoint') {
    await access.loadEndpoints([change.endpointId]);
    const endpoint = access.endpoint(change.endpointId);
    if (endpoint) sources.push(deliverySource(forecast, NO_LIFETIMES, endpoint));
  } else {
    const stretches = toStretches(await listPartitions(tenant));
    const rangesOf = (range: IdRange): IdRange[] => clipStretches(stretches, range);
    if (change.kind === 'grants') {
      sources.push(
        requestSource(forecast, NO_LIFETIMES, { by: 'app' }, rangesOf),
        deliverySource(forecast, NO_LIFETIMES),
      );
    } else {
      const line = await loadKeyLine(forecast, change.keyId);
      const lifetimes = lifetimesOf(forecast, line);
      const endpoints = await listEndpointRows(tenant, undefined, MAX_ENDPOINTS);
      const ofKey = endpoints.filter(({ key_ids }) => key_ids.includes(change.keyId));
      sources.push(
        ...line.map((keyId) => requestSource(forecast, lifetimes, { by: 'key', keyId }, rangesOf)),
        ...ofKey.map((endpoint) => deliverySource(forecast, lifetimes, endpoint)),
      );
    }
  }
  return sources.sort((one, other) => (one.order < other.order ? -1 : 1));
}

const NO_LIFETIMES: Lifetimes = { keyIds: [], ends: [] };

/**
 * Returns the key, and the ended keys that it replaced: their requests count as requests of this key. A key that has
 * itself been replaced has none.
 */
async function loadKeyLine({ tenant, access }: Forecast, keyId: string): Promise<string[]> {
  const line = await listKeyLine(tenant, keyId);
  await access.loadKeys(line);
  return line.filter((one) => access.currentKeyId(one) === keyId);
}

function lifetimesOf({ change, access }: Forecast, line: readonly string[]): Lifetimes {
  if (change.kind !== 'key' || change.lifetimeDays === undefined) return NO_LIFETIMES;
  const lifetimeMs = change.lifetimeDays * DAY_MS;
  return {
    keyIds: line,
    ends: line.map((keyId) => firstUuidAt((access.facts(keyId)?.created_at_ms ?? 0) + lifetimeMs)),
  };
}

const serversOf = (change: AccessChange): readonly string[] | null =>
  change.kind === 'grants' ? change.serverIds : null;

function requestSource(
  forecast: Forecast,
  lifetimes: Lifetimes,
  way: SearchIndex,
  ranges: RecordSource['ranges'],
): RecordSource {
  const { tenant, change, access, views, operations, totals } = forecast;
  const hasAddresses = change.kind === 'key' && change.ranges !== undefined;
  const selection = { serverIds: serversOf(change), lifetimes, hasAddresses };
  return {
    order: `0 requests ${way.by === 'key' ? way.keyId : ''}`,
    ranges,
    async read(range) {
      const found = await groupRequests(tenant, way, range, selection, REQUESTS_PER_STEP);
      totals.examinedRequests += found.examined;
      await loadRequestFacts(forecast, found.groups);
      for (const [at, group] of found.groups.entries()) {
        if (at % GROUPS_PER_SLICE === 0) await setImmediate();
        const keyId = access.currentKeyId(group.key_id);
        const request = {
          keyId,
          isLate: group.is_late,
          operation: operations.get(group.operation_id),
          serverId: group.server_id,
          isOwn: group.is_own,
          address: group.address,
        };
        addRequests(totals, keyId, judgeRequest(request, change, views), group);
      }
      return continueBelow(found, REQUESTS_PER_STEP);
    },
  };
}

function deliverySource(forecast: Forecast, lifetimes: Lifetimes, endpoint?: EndpointRow): RecordSource {
  const { tenant, change, access, views, totals } = forecast;
  const hasBodies = endpoint !== undefined && needsBodies(change, endpoint);
  const size = hasBodies ? DELIVERIES_WITH_BODIES_PER_STEP : DELIVERIES_PER_STEP;
  const slice = hasBodies ? BODIES_PER_SLICE : GROUPS_PER_SLICE;
  const selection = { endpointId: endpoint?.endpoint_id, serverIds: serversOf(change), lifetimes, hasBodies };
  return {
    order: `1 deliveries ${endpoint?.endpoint_id ?? ''}`,
    ranges: (range) => (range.from < range.before ? [range] : []),
    async read(range) {
      const found = await groupDeliveries(tenant, range, selection, size);
      totals.examinedDeliveries += found.examined;
      await loadDeliveryFacts(forecast, found.groups);
      for (const [at, group] of found.groups.entries()) {
        if (at % slice === 0) await setImmediate();
        const delivery = {
          serverId: group.server_id,
          type: EVENT_TYPES.find((known) => known === group.type) ?? null,
          isLate: group.is_late,
          eventServerId: group.event_server_id,
          body: group.body,
        };
        addDeliveries(totals, judgeDelivery(delivery, access.endpoint(group.endpoint_id), change, views), group);
      }
      return continueBelow(found, size);
    },
  };
}

/** Loads the keys of the groups, and the grants of their scopes. */
async function loadRequestFacts({ access, operations }: Forecast, groups: readonly RequestGroupRow[]): Promise<void> {
  await access.loadKeys(groups.map((group) => group.key_id));
  const servers = new Map<Scope, string[]>();
  for (const { operation_id, server_id } of groups) {
    const operation = operations.get(operation_id);
    if (operation?.scope === undefined || server_id === null) continue;
    for (const scope of [operation.scope, ...operation.further]) {
      const others = servers.get(scope);
      if (others) others.push(server_id);
      else servers.set(scope, [server_id]);
    }
  }
  for (const [scope, serverIds] of servers) await access.loadGrants(scope, serverIds);
}

/** Loads the endpoints of the groups, and the grants that decide about the groups. */
async function loadDeliveryFacts({ access }: Forecast, groups: readonly DeliveryGroupRow[]): Promise<void> {
  await access.loadEndpoints(groups.map((group) => group.endpoint_id));
  const onServers = groups.flatMap(({ server_id, type }) => (server_id === null ? [] : [{ server_id, type }]));
  await access.loadGrants(
    EVENT_SCOPE,
    onServers.map(({ server_id }) => server_id),
  );
  for (const type of EVENT_TYPES) {
    const { scope } = EVENT_KINDS[type];
    const servers = onServers.filter((one) => one.type === type).map(({ server_id }) => server_id);
    if (scope !== null) await access.loadGrants(scope, servers);
  }
}
