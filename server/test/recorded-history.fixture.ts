// A generated history of an app: its keys, grants and endpoints, and the requests and deliveries of 30 days, which it
// writes directly into the database.
import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '../src/access/authority/index.ts';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import { makeGrant, type StoredGrantState } from '../src/tenancy/installations/grants.fixture.ts';
import type { Sandbox, TestApp } from './app.ts';
import { DAY_MS, HOUR_MS, requestUuid } from './request-search.fixture.ts';

export const URL_OF_RECEIVER = 'http://127.0.0.1:1/hooks';

export interface HistoryKey {
  id: string;
  scopes: readonly Scope[];
  /** False for a key that has expired, was revoked, or ended by its rotation. */
  isUsable: boolean;
  createdAtMs: number;
  successor?: HistoryKey;
}

export interface HistoryEndpoint {
  id: string;
  keys: readonly HistoryKey[];
  isEnabled: boolean;
  types: readonly string[];
  serverIds: readonly string[] | null;
  /** The priority that the filter requires; undefined for any. */
  priority: string | undefined;
}

export interface HistoryGrant {
  installation: StoredGrantState;
  scopes: Readonly<Record<string, StoredGrantState>>;
}

export interface HistoryRequest {
  id: string;
  atMs: number;
  operation: string;
  key: HistoryKey;
  serverId: string | null;
  status: number;
  address: string | null;
  isOwn: boolean;
}

export interface HistoryDelivery {
  id: string;
  atMs: number;
  endpoint: HistoryEndpoint;
  key: HistoryKey;
  type: string;
  serverId: string;
  priority: string;
  status: string;
  trigger: string;
  isEventStored: boolean;
}

export interface RecordedHistory {
  app: TestApp;
  keys: HistoryKey[];
  endpoints: HistoryEndpoint[];
  grants: Map<string, HistoryGrant>;
  requests: HistoryRequest[];
  deliveries: HistoryDelivery[];
}

/** Draws the values of a history. */
export interface Draw {
  /** Returns a whole number below `max`. */
  int(max: number): number;
  of<T>(values: readonly T[]): T;
}

/** Returns a draw that repeats for the same seed. */
export function drawOf(seed: string): Draw {
  let drawn = 0;
  const int = (max: number): number => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() % max;
  return { int, of: (values) => values[int(values.length)] as (typeof values)[number] }; // never empty
}

// `goneOperation` stands for an operation of an earlier release.
export const HISTORY_OPERATIONS = [
  ...['getMe', 'listServers', 'getServer', 'listPublications', 'listRoadmap', 'createTicket', 'createTicket'],
  ...['listEvents', 'getEvent', 'goneOperation'],
];
const ON_NO_SERVER = ['getMe', 'listServers'];
export const ADDRESSES = [
  '192.0.2.7',
  '192.0.2.200',
  '198.51.100.4',
  '203.0.113.9',
  '192.0.2.0/24',
  '2001:db8:0:0:0:0:0:0/48',
  null,
];
const TYPES = ['ticket.created', 'ticket.closed', 'publication.published', 'installation.paused'];
const PRIORITIES = ['low', 'urgent'];
const STATES: readonly StoredGrantState[] = [
  'authorised',
  'authorised',
  'authorised',
  'authorised',
  'paused',
  'revoked',
  null,
];

async function makeKeys(sandbox: Sandbox, app: TestApp, draw: Draw): Promise<HistoryKey[]> {
  const { superuser } = sandbox.database;
  const keys: HistoryKey[] = [];
  const make = async (scopes: readonly Scope[]): Promise<HistoryKey> => {
    const { id } = await app.key(scopes);
    return { id, scopes, isUsable: true, createdAtMs: 0 };
  };
  for (let at = 0; at < 4; at++) {
    const scopes = SCOPES.filter((scope) => scope === 'events:read' || draw.int(4) > 0);
    const key = await make(scopes);
    keys.push(key);
    if (at !== 0 && draw.int(2) === 0) continue;
    // A rotated key: ended, or still in its overlap.
    const rotated = await sandbox.manage<{ key: { id: string } }>('POST', `/apps/${app.id}/keys/${key.id}/rotate`, {
      expiresInDays: 30,
      overlapHours: 24,
    });
    const successor: HistoryKey = { id: rotated.body.key.id, scopes, isUsable: true, createdAtMs: 0 };
    key.successor = successor;
    key.isUsable = at !== 0 && draw.int(2) === 0;
    keys.push(successor);
  }
  const expired = await make(SCOPES);
  expired.isUsable = false;
  keys.push(expired);
  await superuser.query('set session_replication_role = replica');
  for (const key of keys) {
    key.createdAtMs = Date.now() - draw.of([2, 12, 20, 29]) * DAY_MS;
    const isEnded = !key.isUsable && key.successor !== undefined;
    const expiresAtMs = key === expired ? Date.now() - DAY_MS : key.createdAtMs + 30 * DAY_MS;
    await superuser.query(
      `update keys set created_at = to_timestamp($2::float8 / 1000), expires_at = to_timestamp($3::float8 / 1000),
         ends_at = case when $4 then now() - interval '1 hour' else ends_at end where key_id = $1`,
      [fromId('key', key.id), key.createdAtMs, expiresAtMs, isEnded],
    );
  }
  await superuser.query('set session_replication_role = origin');
  return keys;
}

async function makeEndpoints(sandbox: Sandbox, app: TestApp, keys: readonly HistoryKey[], draw: Draw) {
  const endpoints: HistoryEndpoint[] = [];
  const usable = keys.filter(({ isUsable }) => isUsable);
  for (let at = 0; at < 4; at++) {
    const first = draw.of(usable);
    const others = usable.filter((key) => key !== first && draw.int(3) === 0).slice(0, 2);
    const chosen = [first, ...others];
    const types = TYPES.filter(() => draw.int(4) > 0);
    const serverIds = draw.int(3) === 0 ? app.serverIds.slice(0, 2) : null;
    const priority = draw.int(3) === 0 ? draw.of(PRIORITIES) : undefined;
    const created = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, {
      url: URL_OF_RECEIVER,
      keyIds: chosen.map(({ id }) => id),
      eventTypes: types.length > 0 ? types : ['ping'],
      serverIds,
      conditions: conditionsOn(priority),
    });
    const { id } = created.body.endpoint;
    const isEnabled = draw.int(5) > 0;
    if (!isEnabled) await sandbox.manage('PATCH', `/apps/${app.id}/endpoints/${id}`, { state: 'disabled' });
    endpoints.push({ id, keys: chosen, isEnabled, types: types.length > 0 ? types : ['ping'], serverIds, priority });
  }
  return endpoints;
}

export const conditionsOn = (priority: string | undefined) =>
  priority === undefined ? [] : [{ pointer: '/data/priority', equals: priority }];

async function makeGrants(sandbox: Sandbox, app: TestApp, draw: Draw): Promise<Map<string, HistoryGrant>> {
  const grants = new Map<string, HistoryGrant>();
  for (const serverId of app.serverIds) {
    const installation = draw.of(STATES);
    const states = SCOPES.map(() => draw.of(STATES));
    await makeGrant(sandbox, { appId: app.id, serverId }, installation, states);
    const scopes = Object.fromEntries(SCOPES.map((scope, at) => [scope, states[at] ?? null]));
    grants.set(serverId, { installation, scopes });
  }
  return grants;
}

export async function makeHistory(sandbox: Sandbox, draw: Draw, size: number): Promise<RecordedHistory> {
  const app = await sandbox.newApp();
  const keys = await makeKeys(sandbox, app, draw);
  const endpoints = await makeEndpoints(sandbox, app, keys, draw);
  const grants = await makeGrants(sandbox, app, draw);
  const nowMs = Date.now();
  const timeOf = (at: number): number => nowMs - HOUR_MS - Math.floor(((size - at) * 31 * DAY_MS) / size);
  const requests = Array.from({ length: size }, (_, at): HistoryRequest => {
    const operation = draw.of(HISTORY_OPERATIONS);
    const hasServer = !ON_NO_SERVER.includes(operation) && (operation !== 'listEvents' || draw.int(2) === 0);
    return {
      id: requestUuid(timeOf(at), at),
      atMs: timeOf(at),
      operation,
      key: draw.of(keys),
      serverId: hasServer ? draw.of(app.serverIds) : null,
      status: draw.of([200, 200, 200, 200, 304, 403, 404, 500]),
      address: draw.of(ADDRESSES),
      isOwn: draw.int(5) > 0,
    };
  });
  const deliveries = Array.from({ length: size / 2 }, (_, at): HistoryDelivery => {
    const endpoint = draw.of(endpoints);
    return {
      id: requestUuid(timeOf(2 * at), at),
      atMs: timeOf(2 * at),
      endpoint,
      key: draw.of(endpoint.keys),
      type: draw.of(TYPES),
      serverId: draw.of(app.serverIds),
      priority: draw.of(PRIORITIES),
      status: draw.of(['succeeded', 'succeeded', 'succeeded', 'failed', 'pending', 'held', 'skipped', 'cancelled']),
      trigger: draw.of(['scheduled', 'scheduled', 'scheduled', 'manual', 'test']),
      isEventStored: draw.int(20) > 0,
    };
  });
  const history = { app, keys, endpoints, grants, requests, deliveries };
  await writeHistory(sandbox, history);
  return history;
}

/** The server whose grant decides about a delivery. */
export const grantingServer = ({ type, serverId }: Pick<HistoryDelivery, 'type' | 'serverId'>): string | null =>
  type === 'installation.paused' ? null : serverId;

async function writeHistory(sandbox: Sandbox, { app, requests, deliveries }: RecordedHistory): Promise<void> {
  const { superuser } = sandbox.database;
  const appId = fromId('app', app.id);
  const uuid = (prefix: string, id: string | null): string | null =>
    id === null ? null : (fromId(prefix, id) ?? null);
  await superuser.query(
    `insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id,
       method, path, key_id, server_id, client_address, called_by, response_bytes)
     select $1, id, to_timestamp("atMs" / 1000.0), 900, 100, status, null, operation, 'GET', '/v1/servers', "keyId",
       "serverId", address, case when not "isOwn" then 'tester@example.org' end, 12
     from json_to_recordset($2) as r (id uuid, "atMs" float8, status int2, operation text, "keyId" uuid, "serverId" uuid,
       address text, "isOwn" boolean)`,
    [
      appId,
      JSON.stringify(
        requests.map(({ key, serverId, ...rest }) => ({
          ...rest,
          keyId: uuid('key', key.id),
          serverId: uuid('srv', serverId),
        })),
      ),
    ],
  );
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    eventId: newUuid(),
    endpointId: uuid('whe', delivery.endpoint.id),
    keyId: uuid('key', delivery.key.id),
    eventServerId: uuid('srv', delivery.serverId),
    serverId: uuid('srv', grantingServer(delivery)),
    body: JSON.stringify({ type: delivery.type, serverId: delivery.serverId, data: { priority: delivery.priority } }),
  }));
  await superuser.query(
    `insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
     select $1, "eventId", type, 1, "eventServerId", 'ticket', "eventId", 1, body
     from json_to_recordset($2) as r ("eventId" uuid, type text, "eventServerId" uuid, body text, "isEventStored" boolean)
     where "isEventStored"`,
    [appId, JSON.stringify(rows)],
  );
  await superuser.query(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, created_at,
       schema_version)
     select $1, id, "endpointId", "eventId", "keyId", "serverId", trigger, status, to_timestamp("atMs" / 1000.0), 1
     from json_to_recordset($2) as r (id uuid, "endpointId" uuid, "eventId" uuid, "keyId" uuid, "serverId" uuid,
       trigger text, status text, "atMs" float8)`,
    [appId, JSON.stringify(rows)],
  );
}

export const toRequestId = (uuid: string): string => toId('req', uuid);
export const toDeliveryId = (uuid: string): string => toId('dlv', uuid);
