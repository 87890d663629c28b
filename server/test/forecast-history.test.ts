// Compares forecasts of generated changes with an independent count over generated histories. The count is written
// without the rules of access: it states in its own terms what each change takes away.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../src/access/authority/index.ts';
import { type Sandbox, startSandbox } from './app.ts';
import {
  conditionsOn,
  type Draw,
  drawOf,
  grantingServer,
  type HistoryDelivery,
  type HistoryEndpoint,
  type HistoryGrant,
  type HistoryKey,
  type HistoryRequest,
  makeHistory,
  type RecordedHistory,
  toDeliveryId,
  toRequestId,
} from './recorded-history.fixture.ts';
import { DAY_MS } from './request-search.fixture.ts';

const HISTORIES = 5;
const CHANGES = 220;
const REQUESTS = 400;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

interface ChangeInput {
  key?: { keyId: string; state?: 'revoked'; scopes?: Scope[]; allowedCidrs?: string[]; expiresInDays?: number };
  grants?: { serverIds: string[]; scopes?: Scope[]; state: 'paused' | 'revoked' };
  endpoint?: {
    endpointId: string;
    state?: 'disabled';
    eventTypes?: string[];
    serverIds?: string[] | null;
    conditions?: object[];
  };
}

interface Forecast {
  requests: Record<string, unknown>;
  deliveries: Record<string, unknown>;
}

// --- Changes ---

const some = <T>(draw: Draw, values: readonly T[]): T[] => {
  const chosen = values.filter(() => draw.int(2) === 0);
  return chosen.length > 0 ? chosen : [draw.of(values)];
};
const RANGES = [
  ['192.0.2.0/24'],
  ['192.0.2.0/25', '198.51.100.0/24'],
  ['203.0.113.9/32'],
  ['2001:db8::/32'],
  ['0.0.0.0/0'],
];

function drawChange(
  draw: Draw,
  { grants, keys, endpoints }: RecordedHistory,
): { input: ChangeInput; priority?: string | undefined } {
  const keyId = draw.of(keys).id;
  const installed = [...grants].filter(([, { installation }]) => installation !== null).map(([serverId]) => serverId);
  const endpointId = draw.of(endpoints).id;
  const priority = draw.of(['low', 'urgent', undefined]);
  switch (draw.int(9)) {
    case 0:
      return { input: { key: { keyId, state: 'revoked' } } };
    case 1:
      return { input: { key: { keyId, scopes: some(draw, SCOPES) } } };
    case 2:
      return { input: { key: { keyId, allowedCidrs: draw.of(RANGES) } } };
    case 3:
      return { input: { key: { keyId, expiresInDays: 1 + draw.int(30) } } };
    case 4:
      return {
        input: { key: { keyId, scopes: some(draw, SCOPES), allowedCidrs: draw.of(RANGES), expiresInDays: 15 } },
      };
    case 5:
      return { input: { grants: { serverIds: some(draw, installed), state: draw.of(['paused', 'revoked']) } } };
    case 6: {
      const scopes = some(draw, SCOPES);
      return {
        input: { grants: { serverIds: some(draw, installed), scopes, state: draw.of(['paused', 'revoked']) } },
      };
    }
    case 7:
      return { input: { endpoint: { endpointId, state: 'disabled' } } };
    default: {
      const filter = {
        ...(draw.int(2) === 0 && { eventTypes: some(draw, ['ticket.created', 'publication.published']) }),
        ...(draw.int(2) === 0 && { serverIds: draw.of([null, some(draw, installed)]) }),
      };
      return { input: { endpoint: { endpointId, ...filter, conditions: conditionsOn(priority) } }, priority };
    }
  }
}

// --- The independent count ---

const NEEDED: Record<string, Scope | undefined> = {
  getMe: undefined,
  listServers: 'servers:read',
  getServer: 'servers:read',
  listPublications: 'publications:read',
  listRoadmap: 'roadmap:read',
  createTicket: 'tickets:create',
  listEvents: 'events:read',
  getEvent: 'events:read',
};
const RESOURCES: Scope[] = ['publications:read', 'roadmap:read', 'tickets:create', 'workflows:run', 'servers:read'];

const isOpen = (grant: HistoryGrant | undefined, scope: Scope): boolean =>
  grant?.installation === 'authorised' && grant.scopes[scope] === 'authorised';

/** The grants of a server after the change. */
function grantAfter(
  grant: HistoryGrant | undefined,
  serverId: string,
  { grants }: ChangeInput,
): HistoryGrant | undefined {
  if (!grant || !grants?.serverIds.includes(serverId)) return grant;
  const { state, scopes } = grants;
  const narrowed = (before: HistoryGrant['installation']) =>
    before === null || before === 'revoked' || (before === 'paused' && state === 'paused') ? before : state;
  if (!scopes) return { ...grant, installation: narrowed(grant.installation) };
  return {
    ...grant,
    scopes: Object.fromEntries(
      Object.entries(grant.scopes).map(([scope, before]) => [
        scope,
        (scopes as string[]).includes(scope) ? narrowed(before) : before,
      ]),
    ),
  };
}

/** The key that a program uses now, which has sent the request with an ended key. */
function presentKey(key: HistoryKey): HistoryKey {
  return !key.isUsable && key.successor ? presentKey(key.successor) : key;
}

/** What the change takes from a key, for a record of `sender` at a time. */
function lossOf(key: HistoryKey, sender: HistoryKey, atMs: number, { key: change }: ChangeInput) {
  if (change?.keyId !== key.id) return undefined;
  const endsMs =
    change.expiresInDays === undefined ? Number.POSITIVE_INFINITY : sender.createdAtMs + change.expiresInDays * DAY_MS;
  return { isEnded: change.state === 'revoked' || atMs >= endsMs, scopes: change.scopes, ranges: change.allowedCidrs };
}

/** Whether an address is in one of the ranges that the test uses, read from a table. */
const WITHIN: Record<string, Record<string, boolean | undefined>> = {
  '192.0.2.0/24': { '192.0.2.7': true, '192.0.2.200': true, '192.0.2.0/24': true },
  '192.0.2.0/25': { '192.0.2.7': true, '192.0.2.0/24': undefined },
  '198.51.100.0/24': { '198.51.100.4': true },
  '203.0.113.9/32': { '203.0.113.9': true },
  '2001:db8::/32': { '2001:db8:0:0:0:0:0:0/48': true },
  '0.0.0.0/0': {
    '192.0.2.7': true,
    '192.0.2.200': true,
    '198.51.100.4': true,
    '203.0.113.9': true,
    '192.0.2.0/24': true,
  },
};
function isReachable(ranges: string[], address: string | null): boolean | undefined {
  if (address === null) return undefined;
  const each = ranges.map((range) => (Object.hasOwn(WITHIN[range] ?? {}, address) ? WITHIN[range]?.[address] : false));
  return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
}

type Effect = 'refused' | 'shortened' | 'unknown' | 'skipped' | 'held' | undefined;

function effectOnRequest(request: HistoryRequest, change: ChangeInput, { grants }: RecordedHistory): Effect {
  const { operation, serverId, address, isOwn, atMs } = request;
  const key = presentKey(request.key);
  if (request.status >= 400 || !key.isUsable) return undefined;
  const isGone = !(operation in NEEDED);
  const needed = NEEDED[operation];
  if (needed && !key.scopes.includes(needed)) return undefined;
  const before = serverId === null ? undefined : grants.get(serverId);
  const isShut = serverId !== null && needed !== undefined && !isOpen(before, needed);
  if (isShut && operation !== 'getEvent') return undefined;

  const loss = lossOf(key, request.key, atMs, change);
  const reach = loss?.ranges && isOwn ? isReachable(loss.ranges, address) : true;
  const isLost =
    loss !== undefined && (loss.isEnded || reach === false || (needed && loss.scopes && !loss.scopes.includes(needed)));
  // An event of a server whose grant is missing can only be read if it has no resource, which no record states.
  if (isLost) return isShut ? 'unknown' : 'refused';
  if (isGone) {
    const concerns = change.grants ? serverId !== null && change.grants.serverIds.includes(serverId) : loss?.scopes;
    return concerns || reach === undefined ? 'unknown' : undefined;
  }
  if (isShut) return undefined;
  if (reach === undefined) return 'unknown';
  if (needed === undefined || !change.grants) return undefined;
  const parts = (one: string, grant: HistoryGrant | undefined): number => {
    if (!isOpen(grant, needed)) return 0;
    return needed === 'events:read'
      ? 1 + RESOURCES.filter((scope) => grant?.scopes[scope] === 'authorised').length
      : one
        ? 1
        : 0;
  };
  const servers = serverId === null ? change.grants.serverIds : [serverId];
  const losing = servers.filter(
    (one) => parts(one, grantAfter(grants.get(one), one, change)) < parts(one, grants.get(one)),
  );
  if (losing.length === 0) return undefined;
  if (operation === 'getEvent') return 'unknown';
  const isWhollyShut = serverId !== null && !isOpen(grantAfter(before, serverId, change), needed);
  return isWhollyShut ? 'refused' : 'shortened';
}

const TYPE_SCOPES: Record<string, Scope> = {
  'ticket.created': 'tickets:create',
  'ticket.closed': 'tickets:create',
  'publication.published': 'publications:read',
};

/** 0: sent, 1: held, 2: not sent. */
function deliveryLevel(delivery: HistoryDelivery, grant: HistoryGrant | undefined): number {
  const scope = TYPE_SCOPES[delivery.type];
  if (scope === undefined) return 0;
  const states = [grant?.installation ?? null, grant?.scopes['events:read'] ?? null, grant?.scopes[scope] ?? null];
  if (states.some((state) => state === null || state === 'revoked')) return 2;
  return states.includes('paused') ? 1 : 0;
}

/** Whether the filter lets the delivery pass. Undefined if it requires a priority, and the priority is withheld. */
function passes(
  { type, serverId, priority }: HistoryDelivery,
  filter: Pick<HistoryEndpoint, 'types' | 'serverIds' | 'priority'>,
  isWithheld: boolean,
): boolean | undefined {
  if (!filter.types.includes(type) || filter.serverIds?.includes(serverId) === false) return false;
  if (filter.priority === undefined) return true;
  return isWithheld ? undefined : filter.priority === priority;
}

function effectOnDelivery(
  delivery: HistoryDelivery,
  change: ChangeInput,
  priority: string | undefined,
  { grants }: RecordedHistory,
): Effect {
  const { endpoint, status, trigger, atMs } = delivery;
  if (trigger !== 'scheduled' || status === 'skipped' || status === 'cancelled') return undefined;
  const concerned =
    (change.key && endpoint.keys.some(({ id }) => id === change.key?.keyId)) ||
    change.endpoint?.endpointId === endpoint.id ||
    change.grants?.serverIds.includes(grantingServer(delivery) ?? '');
  if (!concerned) return undefined;
  if (!delivery.isEventStored) return 'unknown';
  const { endpoint: narrowed } = change;
  const before = deliveryLevel(delivery, grants.get(delivery.serverId));
  if (!endpoint.isEnabled || before === 2) return undefined;
  if (narrowed?.state) return 'skipped';
  if (narrowed) {
    const filter = {
      types: narrowed.eventTypes ?? endpoint.types,
      serverIds: narrowed.serverIds === undefined ? endpoint.serverIds : narrowed.serverIds,
      priority,
    };
    // The app may read an event only while every grant is authorised.
    const isWithheld = before > 0;
    const [passed, passesStill] = [passes(delivery, endpoint, isWithheld), passes(delivery, filter, isWithheld)];
    if (passed === false || passesStill === true) return undefined;
    return passed && passesStill === false ? 'skipped' : 'unknown';
  }
  if (change.key) {
    const isLeft = endpoint.keys.some((key) => {
      // The lifetime counts from the creation of the key that sent the delivery.
      const isSender = delivery.key.id === key.id;
      const loss = lossOf(key, key, isSender ? atMs : Number.NEGATIVE_INFINITY, change);
      return !loss || (!loss.isEnded && (loss.scopes?.includes('events:read') ?? true));
    });
    return isLeft ? undefined : 'skipped';
  }
  const after = deliveryLevel(delivery, grantAfter(grants.get(delivery.serverId), delivery.serverId, change));
  if (after === before) return undefined;
  return after === 2 ? 'skipped' : 'held';
}

function countEffects(
  history: RecordedHistory,
  change: ChangeInput,
  priority: string | undefined,
  sinceMs: number,
): Forecast {
  const requests = history.requests
    .filter(({ atMs }) => atMs >= sinceMs)
    .map((one) => ({ one, effect: effectOnRequest(one, change, history) }));
  const deliveries = history.deliveries
    .filter(({ atMs }) => atMs >= sinceMs)
    .map((one) => ({ one, effect: effectOnDelivery(one, change, priority, history) }));
  const refused = requests.filter(({ effect }) => effect === 'refused').map(({ one }) => one);
  const stopped = deliveries.filter(({ effect }) => effect === 'skipped' || effect === 'held').map(({ one }) => one);
  const perKey = new Map<string, number>();
  for (const { key } of refused) perKey.set(presentKey(key).id, (perKey.get(presentKey(key).id) ?? 0) + 1);
  const keys = [...perKey].map(([keyId, count]) => ({ keyId, refused: count }));
  const newest = (ids: string[]): string | undefined => ids.sort().at(-1);
  const [newestRequest, newestDelivery] = [newest(refused.map(({ id }) => id)), newest(stopped.map(({ id }) => id))];
  const numberOf = (list: { effect: Effect }[], wanted: Effect) =>
    list.filter(({ effect }) => effect === wanted).length;
  return {
    requests: {
      refused: refused.length,
      shortened: numberOf(requests, 'shortened'),
      unknown: numberOf(requests, 'unknown'),
      newestId: newestRequest === undefined ? null : toRequestId(newestRequest),
      keys: keys.sort((a, b) => b.refused - a.refused || (a.keyId < b.keyId ? -1 : 1)),
      isKeyListComplete: true,
    },
    deliveries: {
      skipped: numberOf(deliveries, 'skipped'),
      held: numberOf(deliveries, 'held'),
      unknown: numberOf(deliveries, 'unknown'),
      newestId: newestDelivery === undefined ? null : toDeliveryId(newestDelivery),
    },
  };
}

// --- The comparison ---

type Part = Forecast & { since: string; nextCursor: string | null };

/** Returns the last part of the forecast: on a busy machine, one part does not examine all records. */
async function readForecast(
  appId: string,
  input: ChangeInput,
  cursor?: string,
): Promise<{ status: number; body: Part }> {
  const part = await sandbox.manage<Part>('POST', `/apps/${appId}/access-forecasts`, { ...input, cursor });
  return part.body.nextCursor ? readForecast(appId, input, part.body.nextCursor) : part;
}

/** Returns the fields that the independent count has too. */
const pick = (part: Record<string, unknown>, wanted: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, part[name]]));

test('a forecast equals an independent count for 1,100 changes of generated histories', async () => {
  const seen = new Map<string, number>();
  const differences: string[] = [];
  for (let seed = 0; seed < HISTORIES; seed++) {
    const draw = drawOf(`history ${seed}`);
    const history = await makeHistory(sandbox, draw, REQUESTS);
    for (let at = 0; at < CHANGES; at++) {
      const { input, priority } = drawChange(draw, history);
      const { status, body } = await readForecast(history.app.id, input);
      const expected = countEffects(history, input, priority, Date.parse(body.since));
      const { requests, deliveries } = body;
      const isEqual =
        status === 200 &&
        isDeepStrictEqual(pick(requests, expected.requests), expected.requests) &&
        isDeepStrictEqual(pick(deliveries, expected.deliveries), expected.deliveries);
      if (!isEqual) differences.push(JSON.stringify({ seed, at, input, status, requests, deliveries, expected }));
      for (const [kind, counts] of Object.entries(expected)) {
        for (const [name, count] of Object.entries(counts)) {
          if (typeof count === 'number' && count > 0)
            seen.set(`${kind} ${name}`, (seen.get(`${kind} ${name}`) ?? 0) + 1);
        }
      }
    }
  }
  expect(differences).toEqual([]);
  // Each effect occurs often enough that a wrong rule would be found.
  expect([...seen.values()].every((count) => count >= 20)).toBe(true);
  expect([...seen.keys()].sort()).toEqual([
    'deliveries held',
    'deliveries skipped',
    'deliveries unknown',
    'requests refused',
    'requests shortened',
    'requests unknown',
  ]);
}, 600_000);
