// Compares the activity of keys with an independent count over generated histories. The count goes over the records one
// by one, and knows neither the parts nor the statements of the operation.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { ADDRESSES, type Draw, drawOf } from './recorded-history.fixture.ts';
import { DAY_MS, HOUR_MS, requestUuid } from './request-search.fixture.ts';

const HISTORIES = 10;
const COMPARISONS = 110;
const REQUESTS = 250;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

interface Attempt {
  url: string | null;
  keyId: string | null;
  outcome: string;
  status: number | null;
  atMs: number;
}
interface PastDelivery {
  id: string;
  atMs: number;
  keyId: string;
  eventId: string;
  endpointId: string;
  attempts: Attempt[];
}
interface PastEvent {
  id: string;
  atMs: number;
  type: string;
  subjectType: 'ticket' | 'workflow_run';
  subjectId: string;
  requestId: string | null;
}
interface PastRequest {
  id: string;
  atMs: number;
  operation: string | null;
  method: string;
  keyId: string;
  serverId: string | null;
  address: string | null;
  status: number | null;
  member: string | null;
  isReplayed: boolean | null;
}
interface PastUse {
  app: TestApp;
  keyIds: string[];
  requests: PastRequest[];
  events: PastEvent[];
  deliveries: PastDelivery[];
}

const URLS = ['https://one.example/hooks', 'https://two.example/hooks', null];
const OUTCOMES = [
  'response',
  'response',
  'response',
  'timeout',
  'dns',
  'tls',
  'connect',
  'blocked_address',
  'protocol',
];
const READS = ['getMe', 'listServers', 'getServer', null];

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

function drawRequest(draw: Draw, { app, keyIds }: Pick<PastUse, 'app' | 'keyIds'>, atMs: number, at: number) {
  const isWrite = draw.int(3) === 0;
  return {
    id: requestUuid(atMs, at),
    atMs,
    operation: isWrite ? draw.of(['createTicket', 'createWorkflowRun']) : draw.of(READS),
    method: isWrite ? 'POST' : draw.of(['GET', 'GET', 'HEAD']),
    keyId: draw.of(keyIds),
    serverId: draw.of([...app.serverIds.slice(0, 3), null]),
    address: draw.of(ADDRESSES),
    status: draw.of([200, 200, 200, 201, 304, 403, 404, 499, 500, null]),
    member: draw.of([null, null, null, 'ada@example.org', 'imke@example.org']),
    isReplayed: draw.of([null, false, false, true]),
  };
}

/** The events of a request, or of another cause, up to some days later. */
function drawEvents(draw: Draw, request: PastRequest | undefined, atMs: number, at: number): PastEvent[] {
  const subjectIds = [newUuid(), newUuid()];
  return times(draw.int(4)).map((nth) => {
    const laterMs = Math.min(atMs + draw.of([0, 5, HOUR_MS, 3 * DAY_MS]), Date.now() - 60_000);
    const [type, subjectType] = draw.of([
      ['ticket.created', 'ticket'],
      ['ticket.closed', 'ticket'],
      ['workflow_run.started', 'workflow_run'],
    ] as const);
    return {
      id: requestUuid(laterMs, 1_000_000 + at * 10 + nth),
      atMs: laterMs,
      type,
      subjectType,
      subjectId: draw.of(subjectIds),
      requestId: request?.id ?? null,
    };
  });
}

const drawAttempt = (draw: Draw, keyIds: readonly string[], atMs: number): Attempt => {
  const outcome = draw.of(OUTCOMES);
  const status = outcome === 'response' ? draw.of([200, 204, 301, 410, 500]) : null;
  return { url: draw.of(URLS), keyId: draw.of([...keyIds, null]), outcome, status, atMs };
};

async function makeUse(draw: Draw): Promise<PastUse> {
  const app = await sandbox.newApp();
  const keyIds: string[] = [];
  for (const _ of times(4)) keyIds.push((await app.key()).id);
  const beganMs = Date.now() - 29 * DAY_MS;
  const requests = times(REQUESTS).map((at) => {
    const atMs = beganMs + Math.floor((at * 28.9 * DAY_MS) / REQUESTS);
    return drawRequest(draw, { app, keyIds }, atMs, at);
  });
  const events = requests.flatMap((request, at) =>
    request.method === 'POST'
      ? drawEvents(draw, request, request.atMs, at)
      : draw.int(5) === 0
        ? drawEvents(draw, undefined, request.atMs, at)
        : [],
  );
  const endpointId = newUuid();
  const deliveries = events.flatMap((event, at) =>
    times(draw.int(3)).map((nth): PastDelivery => {
      // Scheduled soon after the event, or redelivered days later.
      const atMs = Math.min(event.atMs + draw.of([0, 7, HOUR_MS / 60, 3 * DAY_MS]), Date.now() - 30_000);
      return {
        id: requestUuid(atMs, 10_000_000 + at * 10 + nth),
        atMs,
        keyId: draw.of(keyIds),
        eventId: event.id,
        endpointId,
        attempts: times(draw.int(4)).map((late) => drawAttempt(draw, keyIds, atMs + late * 5_000)),
      };
    }),
  );
  const use = { app, keyIds, requests, events, deliveries };
  await writeUse(use);
  return use;
}

async function writeUse({ app, requests, events, deliveries }: PastUse): Promise<void> {
  const { superuser } = sandbox.database;
  const appId = fromId('app', app.id);
  const keyUuid = (id: string | null) => (id === null ? null : fromId('key', id));
  await superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, operation_id, method, path,
       key_id, server_id, client_address, called_by, is_replayed, simulated, response_bytes)
     select $1, id, to_timestamp("atMs" / 1000.0), 900, 100, status, operation, method, '/v1/servers', "keyId", "serverId",
       address, member, "isReplayed", case when status is null then 'reset' end, 12
     from json_to_recordset($2) as r (id uuid, "atMs" float8, status int2, operation text, method text, "keyId" uuid,
       "serverId" uuid, address text, member text, "isReplayed" boolean)`,
    [
      appId,
      JSON.stringify(
        requests.map(({ keyId, serverId, ...rest }) => ({
          ...rest,
          keyId: keyUuid(keyId),
          serverId: serverId === null ? null : fromId('srv', serverId),
        })),
      ),
    ],
  );
  await superuser.query(
    `insert into events (app_id, event_id, type, schema_version, subject_type, subject_id, sequence, body, created_at,
       request_id)
     select $1, id, type, 1, "subjectType", "subjectId", 1, '{}', to_timestamp("atMs" / 1000.0), "requestId"
     from json_to_recordset($2) as r (id uuid, "atMs" float8, type text, "subjectType" text, "subjectId" uuid,
       "requestId" uuid)`,
    [appId, JSON.stringify(events)],
  );
  await superuser.query(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status, created_at)
     select $1, id, "endpointId", "eventId", "keyId", 'scheduled', 'succeeded', to_timestamp("atMs" / 1000.0)
     from json_to_recordset($2) as r (id uuid, "atMs" float8, "endpointId" uuid, "eventId" uuid, "keyId" uuid)`,
    [appId, JSON.stringify(deliveries.map((one) => ({ ...one, keyId: keyUuid(one.keyId) })))],
  );
  const attempts = deliveries.flatMap(({ id, attempts: made }) =>
    made.map((one, at) => ({ ...one, id, number: at + 1, keyId: keyUuid(one.keyId) })),
  );
  await superuser.query(
    `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status, url, key_id)
     select $1, id, number, to_timestamp("atMs" / 1000.0), 5, outcome, status, url, "keyId"
     from json_to_recordset($2) as r (id uuid, number int2, "atMs" float8, outcome text, status int2, url text,
       "keyId" uuid)`,
    [appId, JSON.stringify(attempts)],
  );
}

// --- The independent count ---

interface Entry {
  kind: string;
  name: string | null;
  count: number;
  succeeded: number | null;
  firstAt: string;
  lastAt: string;
}
interface Activity {
  requests: number;
  writesWithoutEvent: number;
  entries: Entry[];
}

class Count {
  readonly entries = new Map<string, Entry>();

  add(kind: string, name: string | null, succeeded: boolean | null, firstMs: number, lastMs = firstMs): void {
    const [firstAt, lastAt] = [new Date(firstMs).toISOString(), new Date(lastMs).toISOString()];
    const before = this.entries.get(`${kind}/${name}`);
    const entry = before ?? { kind, name, count: 0, succeeded: succeeded === null ? null : 0, firstAt, lastAt };
    entry.count += 1;
    if (succeeded) entry.succeeded = (entry.succeeded ?? 0) + 1;
    if (firstAt < entry.firstAt) entry.firstAt = firstAt;
    if (lastAt > entry.lastAt) entry.lastAt = lastAt;
    this.entries.set(`${kind}/${name}`, entry);
  }

  addDelivery(kind: string, attempts: readonly Attempt[]): void {
    const sent = attempts.filter(({ outcome }) => ['response', 'timeout', 'protocol'].includes(outcome));
    for (const url of URLS) {
      const toUrl = sent.filter((one) => one.url === url);
      if (toUrl.length === 0) continue;
      const isReceived = toUrl.some(({ status }) => status !== null && status >= 200 && status <= 299);
      const sentMs = toUrl.map(({ atMs }) => atMs);
      this.add(kind, url, isReceived, Math.min(...sentMs), Math.max(...sentMs));
    }
  }
}

const PREFIXES = { ticket: 'tkt', workflow_run: 'wfr' } as const;

function countActivity({ requests, events, deliveries }: PastUse, keyId: string, sinceMs: number): Activity {
  const own = requests.filter((one) => one.keyId === keyId && one.atMs >= sinceMs);
  const count = new Count();
  let writesWithoutEvent = 0;
  for (const { id, operation, serverId, address, member, status, method, isReplayed, atMs } of own) {
    const isSuccess = status !== null && status < 400;
    count.add('operation', operation, isSuccess, atMs);
    if (serverId !== null) count.add('server', serverId, isSuccess, atMs);
    count.add('address', address, isSuccess, atMs);
    if (member !== null) count.add('member', member, isSuccess, atMs);
    if (method !== 'POST') continue;
    const caused = events.filter(({ requestId }) => requestId === id);
    if (caused.length === 0 && isSuccess && isReplayed !== true) writesWithoutEvent += 1;
    for (const event of caused) {
      count.add('event', event.type, null, event.atMs);
      count.add('object', toId(PREFIXES[event.subjectType], event.subjectId), null, event.atMs);
      for (const delivery of deliveries.filter(({ eventId }) => eventId === event.id))
        count.addDelivery('receiver', delivery.attempts);
    }
  }
  for (const delivery of deliveries.filter(({ atMs }) => atMs >= sinceMs)) {
    const authorised = delivery.attempts.filter((one) => (one.keyId ?? delivery.keyId) === keyId);
    count.addDelivery('key_receiver', authorised);
  }
  return { requests: own.length, writesWithoutEvent, entries: inOrder([...count.entries.values()]) };
}

const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => (`${one.kind}/${one.name}` < `${other.kind}/${other.name}` ? -1 : 1));

// --- The comparison ---

type Part = Activity & { nextCursor: string | null };

/** Reads all parts, and adds them up. */
async function readActivity(appId: string, keyId: string, since: string): Promise<Activity> {
  const sums = new Map<string, Entry>();
  let [requests, writesWithoutEvent] = [0, 0];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/apps/${appId}/keys/${keyId}/activity?since=${since}${cursor && `&cursor=${cursor}`}`;
    const answer: { status: number; body: Part } = await sandbox.manage<Part>('GET', path);
    const { status, body } = answer;
    expect(status).toBe(200);
    requests += body.requests;
    writesWithoutEvent += body.writesWithoutEvent;
    for (const entry of body.entries) {
      const sum = sums.get(`${entry.kind}/${entry.name}`);
      if (!sum) sums.set(`${entry.kind}/${entry.name}`, entry);
      else {
        sum.count += entry.count;
        if (sum.succeeded !== null) sum.succeeded += entry.succeeded ?? 0;
        if (entry.firstAt < sum.firstAt) sum.firstAt = entry.firstAt;
        if (entry.lastAt > sum.lastAt) sum.lastAt = entry.lastAt;
      }
    }
    cursor = body.nextCursor;
  }
  return { requests, writesWithoutEvent, entries: inOrder([...sums.values()]) };
}

test('the activity of a key equals an independent count for 1,100 keys and periods of generated histories', async () => {
  const seen = new Map<string, number>();
  const differences: string[] = [];
  for (const seed of times(HISTORIES)) {
    const draw = drawOf(`activity ${seed}`);
    const use = await makeUse(draw);
    for (const at of times(COMPARISONS)) {
      const keyId = draw.of(use.keyIds);
      const sinceMs = Date.now() - draw.int(31 * 24) * HOUR_MS;
      const expected = countActivity(use, keyId, sinceMs);
      const found = await readActivity(use.app.id, keyId, new Date(sinceMs).toISOString());
      if (!isDeepStrictEqual(found, expected)) differences.push(JSON.stringify({ seed, at, found, expected }));
      for (const { kind } of expected.entries) seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (expected.writesWithoutEvent > 0) seen.set('without event', (seen.get('without event') ?? 0) + 1);
    }
  }
  expect(differences.slice(0, 3)).toEqual([]);
  // Each kind occurs often enough that a wrong count would be found.
  expect([...seen.values()].every((count) => count >= 500)).toBe(true);
  expect(seen.size).toBe(9);
}, 600_000);
