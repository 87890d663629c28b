// The roles as three processes on an operator's Postgres, with the image's files and as its user: they work together
// like one process.
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/nodes/free-port.ts';
import { type ReadSample, readExposition } from '../server/test/exposition.ts';
import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';
import { canMount, IMAGE_USER, type Image, makeImage, makeVolume } from './image.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type Run, type SlipwayInstance, until } from './slipway.ts';
import { ask, createTicket, listServers, readNote, send, signIn } from './visitor.ts';

interface Message {
  headers: Record<string, string>;
  body: string;
}

let postgres: ExternalPostgres;
let instance: SlipwayInstance;
let image: Image;
let receiver: Server;
let runs: Run[];
/** The monitoring port of each role. */
let monitoring: number[];
const messages: Message[] = [];

async function receive(request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  messages.push({ headers: request.headers as Record<string, string>, body }); // each header of a delivery occurs once
}

beforeAll(async () => {
  postgres = await startExternalPostgres(copyPreparedData);
  instance = await createInstance();
  image = makeImage();
  makeVolume(instance.dataDir);
  receiver = createServer((request, response) => {
    void receive(request).then(() => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const settings = {
    ...postgres.settings,
    SLIPWAY_SANDBOX_PEPPER: 'a pepper for tests, of no other use at all',
    SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: 'a management key for tests, of no other use',
    SLIPWAY_SANDBOX_MANAGEMENT_URL: `http://127.0.0.1:${instance.ports.management}`,
    SLIPWAY_CONSOLE_SECRET: 'a secret of the Console, for tests alone',
    SLIPWAY_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${receiverPort()}`,
  };
  // All start together: the first one migrates, and the others wait.
  monitoring = [await freePort(), await freePort(), await freePort()];
  const roles = [['api', '--environment', 'sandbox'], ['worker', '--environment', 'sandbox'], ['console']];
  runs = roles.map((role, at) =>
    instance.spawn(...image.command(role), {
      ...settings,
      SLIPWAY_MONITORING_PORT: String(monitoring[at]),
      SLIPWAY_SHUTDOWN_DELAY_SECONDS: '2',
    }),
  );
  await Promise.all(runs.map((run) => run.ready));
});
afterAll(async () => {
  receiver.close();
  await instance.remove();
  image.remove();
  await postgres.remove();
});

const receiverPort = (): number => (receiver.address() as AddressInfo).port; // a TCP address

test('the owner creates an app, a key and an endpoint; the key works, and the webhook arrives signed', async () => {
  const { status, cookie } = await signIn(instance, readNote(instance).link);
  expect(status).toBe(204);
  const console = <Body>(path: string, body: unknown) =>
    send<Body>(`${instance.consoleUrl}/api${path}`, body, { cookie });
  const organisation = await console<{ id: string }>('/organisations', { name: 'Harbour Tools' });
  const home = `/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await console<{ id: string }>(home, { name: 'Ticket bridge' });
  const scopes = ['servers:read', 'tickets:create', 'events:read'];
  const input = { name: 'Bridge', scopes, expiresInDays: 30 };
  const key = await console<{ key: { id: string }; token: string }>(`${home}/${app.body.id}/keys`, input);
  const endpoint = await console<{ signingSecret: string }>(`${home}/${app.body.id}/endpoints`, {
    url: `http://127.0.0.1:${receiverPort()}/hooks`,
    keyId: key.body.key.id,
    eventTypes: ['ticket.created'],
  });
  expect([organisation, app, key, endpoint].map((answer) => answer.status)).toEqual([201, 201, 201, 201]);

  const { token } = key.body;
  const servers = await listServers(instance, token);
  const serverId = servers.body.data[0]?.id ?? '';
  const ticket = await createTicket(instance, token, { serverId, subject: 'Through three', idempotencyKey: 'three' });
  expect(ticket.status).toBe(201);
  const message = await until(() => messages[0]);
  const verified = new Webhook(endpoint.body.signingSecret).verify(message.body, message.headers);
  expect(verified).toMatchObject({ type: 'ticket.created', appId: app.body.id, data: { id: ticket.body.id } });
});

test('the processes run as the image’s user, who can change none of its files', () => {
  if (process.getuid?.() !== 0) return expect(statSync(image.folder).mode & 0o222).toBe(0);
  for (const { child } of runs) {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    expect(/^Uid:\t(.+)$/m.exec(status)?.[1]).toBe(Array(4).fill(IMAGE_USER).join('\t'));
    expect(/^CapEff:\t0+$/m.test(status)).toBe(true);
    if (!canMount) continue;
    const mounts = readFileSync(`/proc/${child.pid}/mounts`, 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    expect(mounts.find(([, at]) => at === image.folder)?.[3]).toMatch(/^ro\b/);
  }
});

test('the private listener refuses calls without the management key', async () => {
  const url = `http://127.0.0.1:${instance.ports.management}/organisations/org_01j9z3v8k6e5t8m2n4p6q8r0s6/apps`;
  expect((await ask(url)).status).toBe(401);
});

async function tell(at: number): Promise<ReadSample[]> {
  const { status, body } = await ask<string>(`http://127.0.0.1:${monitoring[at]}/metrics`);
  expect(status).toBe(200);
  return readExposition(body).samples;
}

test('each of the three roles is ready and exposes metrics, without data of an app or a person', async () => {
  for (const port of monitoring) {
    expect((await ask(`http://127.0.0.1:${port}/livez`)).body).toBe('ok\n');
    expect((await ask(`http://127.0.0.1:${port}/readyz`)).body).toMatchObject({ status: 'ready' });
    expect((await ask(`http://127.0.0.1:${port}/v1/servers`)).status).toBe(404);
  }
  const [api = [], worker = [], console = []] = await Promise.all([tell(0), tell(1), tell(2)]);
  const reading = (samples: ReadSample[], name: string, labels: Record<string, string> = {}): number | undefined =>
    samples.find(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )?.value;
  const requests = 'slipway_http_request_duration_seconds_count';
  const ticket = { listener: 'api', operation: 'createTicket', status: '201', simulated: 'false' };
  expect(reading(api, requests, ticket)).toBe(1);
  expect(reading(api, requests, { listener: 'management', operation: 'createApp', status: '201' })).toBe(1);
  expect(reading(console, requests, { listener: 'console', operation: 'createOrganisation', status: '201' })).toBe(1);
  expect(reading(api, 'slipway_batch_size_sum', { batch: 'authority' })).toBe(2);
  expect(reading(api, 'slipway_record_wait_seconds_count')).toBe(2);
  expect(reading(api, 'slipway_records_lost_total')).toBe(0);
  const sent = { outcome: 'response', next: 'succeeded' };
  expect(reading(worker, 'slipway_webhook_attempt_duration_seconds_count', sent)).toBe(1);
  expect(reading(worker, 'slipway_webhook_queue_age_seconds')).toBe(0);
  for (const samples of [api, worker, console]) {
    expect(reading(samples, 'slipway_ready')).toBe(1);
    expect(reading(samples, 'slipway_database_up')).toBe(1);
    expect(reading(samples, 'slipway_pool_connections', { state: 'in_use' })).toBeTypeOf('number');
    const values = samples.flatMap(({ labels }) => Object.values(labels));
    expect(values.filter((value) => !/^([a-zA-Z_-]{1,30}|\d+(\.\d+)?|\+Inf)$/.test(value))).toEqual([]);
  }
});

test('on SIGTERM each role reports that it is stopping and waits for the configured delay; each exits with code 0 and prints no key and no link', async () => {
  for (const run of runs) run.child.kill('SIGTERM');
  const [api = 0, , console = 0] = monitoring;
  await Promise.all([api, console].map((port) => until(() => isStopping(port))));
  expect((await ask(`${instance.apiUrl}/v1/openapi.json`)).status).toBe(200);
  for (const run of runs) {
    expect(await run.exited).toBe(0);
    expect(run.stdout()).not.toMatch(/slw_test_|link=/);
    expect(run.stderr()).toBe('');
  }
});

async function isStopping(port: number): Promise<boolean> {
  const { status, body } = await ask(`http://127.0.0.1:${port}/readyz`);
  return status === 503 && body.status === 'stopping';
}
