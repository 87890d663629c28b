import {
  allowAppManagement,
  appParams,
  type OperationRequirements,
  type Tenant,
} from '../../access/authority/index.ts';
import { msOfUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { type InvalidPart, problem } from '../../kit/openapi/problems.ts';
import { exampleConditions, findEndpointRow, validateServers } from '../../webhooks/webhooks/index.ts';
import { countLostRecords, findStoredRequests } from '../requests/index.ts';
import { AccessChangeInput, toAccessChange, validateChange } from './access-change.ts';
import {
  AccessForecast,
  exampleForecast,
  FORECAST_DAYS,
  newTotals,
  type Position,
  toForecast,
} from './access-forecast.ts';
import { listKeysAndSuccessors } from './facts-store.ts';
import { findOldestDeliveryPartition } from './records-store.ts';
import { runForecast } from './run-forecast.ts';

const DAY_MS = 86_400_000;
const PERIOD_MS = FORECAST_DAYS * DAY_MS;

/** Creates the operation. `operations` are the operations of /v1 that require a key. */
export function forecastAccess(operations: readonly OperationRequirements[]) {
  const requirements = new Map(operations.map((one) => [one.id, one]));
  return operation({
    id: 'forecastAccess',
    route: 'POST /organisations/{organisationId}/apps/{appId}/access-forecasts',
    tag: 'Requests',
    summary: 'Forecast what a change would break',
    description: `Counts the requests and deliveries of the last ${FORECAST_DAYS} days that a change would refuse: a key that is revoked, or that loses scopes, addresses or lifetime; grants that are paused or revoked; an endpoint that is disabled, or whose filter changes. If requests or deliveries are stored for a shorter time, their count covers that time and begins at their \`since\`. Evaluates the rules of access for each record, in the current state and after the change. A record that the current state refuses already is not counted. A request of a key that has ended counts for the key that its rotation created. Requests that did not succeed are not counted. A change of a filter compares both filters; for any other change, the filter is not evaluated again. Counts for about a second, newest records first, and returns the totals so far: while \`nextCursor\` is set, send it with the same change to continue. Stores and changes nothing.`,
    access: allowAppManagement('requests.read'),
    params: appParams,
    body: AccessChangeInput,
    examples: {
      aRevokedKey: { key: { keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7', state: 'revoked' } },
      fewerScopes: { key: { keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7', scopes: ['servers:read'] } },
      aPausedScope: {
        grants: { serverIds: ['srv_01j9z3v8k6e5t8m2n4p6q8r0s2'], scopes: ['tickets:create'], state: 'paused' },
      },
      aFilter: { endpoint: { endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8', conditions: exampleConditions } },
    },
    replies: ok('The totals so far.', AccessForecast, { aRevokedKey: exampleForecast }),
    async run({ tenant, plane, cursors }, { body }) {
      const errors = validateChange(body);
      if (errors.length === 0) errors.push(...(await validateSubjects(tenant, body)));
      if (errors.length > 0) throw problem('invalid_request', { errors });
      const { open, seal } = cursors(body);
      const position = readPosition(open(body.cursor, '/cursor'));
      const { environment } = plane;
      const change = toAccessChange(body);
      const progress = await runForecast({ tenant, environment, operations: requirements, change }, position);
      const { sinceMs, oldestMs } = await findStoredRequests(tenant, position.sinceMs);
      const facts = {
        storedSinceMs: { requests: sinceMs, deliveries: await findDeliveriesSince(tenant, position.sinceMs) },
        oldestRecordAt: oldestMs === undefined ? null : new Date(oldestMs).toISOString(),
        lostRecords: await countLostRecords(tenant, new Date(position.sinceMs)),
        progress,
        nextCursor: progress === 1 ? null : seal(JSON.stringify(position)),
      };
      return { status: 200, body: toForecast(position, facts) };
    },
  });
}

function readPosition(text: string | undefined): Position {
  if (text !== undefined) return JSON.parse(text) as Position; // sealed by this operation
  const untilMs = nowMs();
  return { sinceMs: untilMs - PERIOD_MS, untilMs, source: undefined, before: undefined, totals: newTotals() };
}

/** Returns the time from which deliveries of the period are stored. */
async function findDeliveriesSince(tenant: Tenant, sinceMs: number): Promise<number> {
  const oldest = await findOldestDeliveryPartition(tenant);
  return oldest === undefined ? sinceMs : Math.max(sinceMs, msOfUuid(oldest));
}

/** Refuses keys, servers and endpoints that the app does not have. */
async function validateSubjects(tenant: Tenant, input: AccessChangeInput): Promise<InvalidPart[]> {
  const change = toAccessChange(input);
  if (change.kind === 'key') {
    const keys = await listKeysAndSuccessors(tenant, [change.keyId]);
    return keys.length > 0 ? [] : [{ pointer: '/key/keyId', detail: 'must be a key of this app' }];
  }
  const { serverIds } = input.grants ?? input.endpoint ?? {};
  const place = change.kind === 'grants' ? '/grants' : '/endpoint';
  const unknown = (await validateServers(tenant, { serverIds: serverIds ?? null })).map((part) => ({
    ...part,
    pointer: `${place}${part.pointer}`,
  }));
  if (change.kind === 'grants' || (await findEndpointRow(tenant, change.endpointId))) return unknown;
  return [...unknown, { pointer: '/endpoint/endpointId', detail: 'must be an endpoint of this app' }];
}
