// Traces of a whole Slipway: a collector receives the spans of requests and their effects, and nothing else. An
// unresponsive collector delays nothing. Every connection except those to the database, the receiver and the collector
// is blocked and recorded.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CollectedSpan, type Collector, startCollector } from '../server/test/trace-collector.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type Run, type SlipwayInstance, until } from './slipway.ts';
import { ask, createTicket, listServers, readNote, send, signIn } from './visitor.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SUBJECT = 'A subject that occurs only here';
const PLACE = 'a-place-that-is-secret';

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let collector: Collector;
let receiver: Server;
const delivered: IncomingHttpHeaders[] = [];
const canaries: string[] = [SUBJECT, PLACE, 'a-value-of-a-header', 'owner@slipway.local'];

beforeAll(async () => {
  [postgres, instance, collector] = await Promise.all([
    startExternalPostgres(copyPreparedData),
    createInstance(),
    startCollector(),
  ]);
  receiver = createServer((request, response) => {
    delivered.push(request.headers);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  receiver.close();
  await instance.remove();
  await collector.close();
  await postgres.remove();
});

const receiverHost = (): string => `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address

/** Starts Console and sandbox with the collector in the standard variables. */
async function start(settings: Record<string, string>): Promise<Run> {
  const database = new URL(postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL).host;
  const run = instance.start({
    ...postgres.settings,
    SLIPWAY_DEMO: 'off',
    SLIPWAY_WEBHOOK_ALLOW_HOSTS: receiverHost(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    NODE_OPTIONS: `--import ${new URL('watch-sockets.mjs', import.meta.url).href}`,
    WATCH_ALLOWED: [database, receiverHost(), new URL(collector.url).host].join(),
    WATCH_FILE: join(instance.dataDir, '../ways'),
    ...settings,
  });
  await run.ready;
  return run;
}

const named = (name: string): Promise<CollectedSpan> => until(() => collector.spans.find((span) => span.name === name));
const partsOf = ({ spanId }: CollectedSpan): string[] =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);

let key: string;

/**
 * Creates an organisation with an app, a key and an endpoint through the Console. Resolves with the path of the app.
 */
async function makeApp(): Promise<string> {
  const { cookie } = await signIn(instance, readNote(instance).link);
  canaries.push(...cookie.split('; ').map((one) => one.split('=')[1] ?? ''));
  const console = <Body>(path: string, body: unknown) =>
    send<Body>(`${instance.consoleUrl}/api${path}`, body, { cookie });
  const organisation = await console<{ id: string }>('/organisations', { name: 'Harbour Tools' });
  const home = `/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await console<{ id: string }>(home, { name: 'Ticket bridge' });
  const input = { name: 'Bridge', scopes: ['servers:read', 'tickets:create', 'events:read'], expiresInDays: 30 };
  const created = await console<{ key: { id: string }; token: string }>(`${home}/${app.body.id}/keys`, input);
  key = created.body.token;
  const endpoint = await console<{ signingSecret: string }>(`${home}/${app.body.id}/endpoints`, {
    url: `http://${receiverHost()}/${PLACE}`,
    keyId: created.body.key.id,
    eventTypes: ['ticket.created'],
    headers: { 'X-Own': 'a-value-of-a-header' },
  });
  expect([created.status, endpoint.status]).toEqual([201, 201]);
  canaries.push(key, endpoint.body.signingSecret);
  return home;
}

test('a request’s spans are in its caller’s trace with its id, as are the Console’s requests to a plane', async () => {
  const run = await start({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
  const home = await makeApp();
  const headers = { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-${SPAN}-00` };
  const listed = await ask<{ data: { id: string }[] }>(`${instance.apiUrl}/v1/servers?limit=1`, { headers });
  const serverId = listed.body.data[0]?.id ?? '';
  const ticket = await createTicket(instance, key, { serverId, subject: SUBJECT, idempotencyKey: SUBJECT.slice(0, 9) });
  const refused = await ask(`${instance.apiUrl}/v1/servers/${PLACE}`, { headers: { authorization: `Bearer ${key}` } });
  expect([listed.status, ticket.status, refused.status]).toEqual([200, 201, 404]);

  const list = await named('GET /v1/servers');
  expect([list.traceId, list.parentSpanId, list.kind, list.isFailed]).toEqual([TRACE, SPAN, 2, false]);
  expect(list.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/servers',
    'http.response.status_code': 200,
    'slipway.operation_id': 'listServers',
    'slipway.request_id': listed.headers.get('request-id'),
  });
  expect(partsOf(list)).toEqual(['authority batch', 'query', 'record']);
  expect(partsOf(await named('POST /v1/servers/{serverId}/tickets'))).toEqual([
    'authority batch',
    'transaction',
    'record',
  ]);
  expect((await named('GET /v1/servers/{serverId}')).attributes['error.type']).toBe('not_found');

  const requestSpan = await named(`POST /api${home.replace(/org_\w+/, '{organisationId}')}/{appId}/keys`);
  const hop = collector.spans.find(({ parentSpanId }) => parentSpanId === requestSpan.spanId);
  const inPlane = collector.spans.find(({ parentSpanId }) => parentSpanId === hop?.spanId);
  expect([hop?.name, inPlane?.name]).toEqual([
    'management sandbox',
    'POST /organisations/{organisationId}/apps/{appId}/keys',
  ]);
  expect(inPlane && partsOf(inPlane)).toEqual(['transaction']);

  const attempt = await named('webhook attempt');
  expect(attempt.attributes).toMatchObject({
    'slipway.delivery_id': delivered[0]?.['slipway-delivery-id'],
    'http.response.status_code': 204,
  });
  // The receiver gets the attempt's own trace, and nothing of the caller's, which the caller chose.
  expect(delivered[0]?.traceparent).toBe(`00-${attempt.traceId}-${attempt.spanId}-01`);
  expect(attempt.traceId).not.toBe(TRACE);
  expect(await named('record compaction')).toMatchObject({ parentSpanId: '', kind: 1 });

  // A shutdown right after a response must still export its spans.
  const { headers: last } = await listServers(instance, key);
  run.child.kill('SIGTERM');
  expect([await run.exited, run.stderr()]).toEqual([0, '']);
  const ids = collector.spans.map(({ attributes }) => attributes['slipway.request_id']);
  expect(ids).toContain(last.get('request-id'));
});

test('exports contain no data of requests and no secret, and go only to the collector', () => {
  expect(collector.exports.length).toBeGreaterThan(1);
  const all = collector.exports.map(({ body }) => body.toString()).join('\n');
  expect(canaries.length).toBeGreaterThan(6);
  expect(canaries.filter((one) => all.includes(one) || all.includes(encodeURIComponent(one)))).toEqual([]);
  const connections = readFileSync(join(instance.dataDir, '../ways'), 'utf8').trim().split('\n');
  expect(connections.filter((way) => way.startsWith('denied'))).toEqual([]);
});

test('a collector that never responds delays no request, and does not prevent a shutdown', async () => {
  const before = collector.exports.length;
  collector.answer = () => {};
  const run = await start({});
  await listServers(instance, key);
  await until(() => collector.exports.length > before);
  for (let at = 0; at < 30; at += 1) expect((await listServers(instance, key)).status).toBe(200);
  // The default protocol of the standard.
  expect(collector.exports.at(-1)).toMatchObject({ path: '/v1/traces', contentType: 'application/x-protobuf' });
  run.child.kill('SIGTERM');
  expect(await run.exited).toBe(0);
});
