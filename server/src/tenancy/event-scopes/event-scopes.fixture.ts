// Fixture for the scopes of events: an app whose endpoint receives events with resources of two kinds. A test controls
// when the dispatcher runs and whether the receiver hangs. A test file registers the fixture with `useEventScopes()`.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { uuidOf } from '../../../test/redelivery.fixture.ts';
import type { Scope } from '../../access/authority/index.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../../webhooks/dispatch/index.ts';

export interface Feed {
  data: { id: string; type: string; data: { subject?: string } }[];
  nextAfter: string | null;
  hasMore: boolean;
}
interface Publication {
  id: string;
  status: string;
}
export interface ScopedDelivery {
  id: string;
  eventId: string;
  eventType: string;
  status: string;
  reason: string | null;
  attemptCount: number;
  body?: string | null;
}

/** The types of the received events, with the app of each. */
const arrived: { type: string; appId: string }[] = [];
/** Requests that wait for a response while the receiver hangs. */
export const unansweredRequests: ServerResponse[] = [];
let isHanging = false;
/** Makes the receiver hang until the next test. */
export const holdResponses = (): void => {
  isHanging = true;
};
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  arrived.push(JSON.parse(Buffer.concat(chunks).toString()));
  if (isHanging) unansweredRequests.push(response);
  else response.end();
});

export let sandbox: Sandbox;
let dispatcher: Awaited<ReturnType<typeof startDispatcher>> | undefined;
let host: string;
export let app: TestApp;
export let server: string;
export let token: string;
let publicationId: string;

export function useEventScopes(): void {
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // the server listens on TCP
    sandbox = await startSandbox({ webhookAllowHosts: [host] });
  });
  afterAll(async () => {
    await dispatcher?.stop();
    await sandbox.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });
  beforeEach(async () => {
    isHanging = false;
    for (const response of unansweredRequests.splice(0)) response.end();
    app = await sandbox.newApp();
    server = app.serverIds[0] ?? '';
    const key = await app.key();
    token = key.token;
    const input = { url: `http://${host}/hooks`, keyId: key.id, eventTypes: ['ticket.created', 'publication.updated'] };
    await manage('POST', '/endpoints', input);
    const path = `/v1/servers/${server}/publications`;
    publicationId =
      (await sandbox.call<{ data: Publication[] }>(path, token)).body.data.find(({ status }) => status === 'published')
        ?.id ?? '';
  });
}

export async function manage<Body>(method: string, path: string, body?: unknown, status = [200, 201]): Promise<Body> {
  const answer = await sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
  if (!status.includes(answer.status)) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
export const setScope = (scope: Scope, state: string): Promise<unknown> =>
  manage('PUT', `/servers/${server}/installation/scopes/${scope}`, { state });
export const ticket = (): Promise<unknown> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }));
export const publish = (): Promise<unknown> =>
  manage('POST', '/world/events', { type: 'publication.updated', objectId: publicationId });
export const feed = async (query = {}): Promise<Feed> =>
  (await sandbox.call<Feed>(`/v1/events?${new URLSearchParams(query)}`, token)).body;
/** Returns the types of the events, without the events that report changes of grants. */
export const types = ({ data }: Feed): string[] =>
  data.map(({ type }) => type).filter((type) => !type.startsWith('installation.'));
export const feedOf = (wanted: readonly string[], query = {}): Promise<Feed> =>
  until(async () => {
    const page = await feed(query);
    return types(page).join() === wanted.join() && page;
  });
export const deliveries = async (): Promise<ScopedDelivery[]> =>
  (await manage<{ data: ScopedDelivery[] }>('GET', '/deliveries')).data.reverse();
export const outcomes = async (): Promise<string[]> =>
  (await deliveries()).map(({ eventType, status, reason }) => [eventType, status, reason ?? ''].join(' ').trim());
export const settled = (wanted: readonly string[]): Promise<string[]> =>
  until(async () => {
    const found = await outcomes();
    return found.join() === wanted.join() && found;
  });
export const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];

export const received = (): string[] => arrived.filter(({ appId }) => appId === app.id).map(({ type }) => type);

async function dispatch(): Promise<void> {
  const outbound = createOutboundClient({ allowHosts: [host] });
  dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: sandbox.dispatch,
    outbound,
    masterKeys: sandbox.plane.secrets.masterKeys,
    log: () => {},
  });
}
async function stopDispatching(): Promise<void> {
  await dispatcher?.stop();
  dispatcher = undefined;
}
export const whileDispatching = async (run: () => Promise<void>): Promise<void> => {
  await dispatch();
  await run().finally(stopDispatching);
};

/** Puts the app under the earlier rule, like an app that is older than the rule. */
export const makeEarlier = async (): Promise<void> => {
  await query('set session_replication_role = replica');
  await query('update apps set enforces_event_scopes = false where app_id = $1', uuidOf(app.id));
  await query('set session_replication_role = origin');
};
