// The trace of an event: the member who caused it, and its payloads if the server lets the app read it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
let endpointId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  key = await app.key();
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ticket.created'] };
  const made = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, endpoint);
  endpointId = made.body.endpoint.id;
});
afterAll(() => sandbox.close());

interface Trace {
  events: { id: string; actor: string | null; deliveries: { id: string }[] }[];
  payloads: { schemaVersion: number; body: string }[] | null;
}
const traceOf = (id: string) => sandbox.manage<Trace>('GET', `/apps/${app.id}/traces/${id}`);

test('a trace of a triggered event names the member who triggered it and has its payload in each version', async () => {
  const trigger = { type: 'ticket.created', set: { subject: 'Cannot join' } };
  const { id } = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/world/events`, trigger)).body;
  const { body } = await traceOf(id);
  expect(body.events).toMatchObject([{ id, actor: 'tester@example.org' }]);
  expect(body.payloads?.map((one) => [one.schemaVersion, JSON.parse(one.body)])).toMatchObject([
    [1, { id, schemaVersion: 1, data: { subject: 'Cannot join', body: expect.any(String) } }],
    [2, { id, schemaVersion: 2, data: { subject: 'Cannot join', bodyMarkdown: expect.any(String) } }],
  ]);
  const [delivery] = body.events[0]?.deliveries ?? [];
  expect((await traceOf(delivery?.id ?? '')).body.payloads).toBeNull();
});

test('a trace of an event that the app may not read has no payload', async () => {
  const serverId = app.serverIds[1] ?? '';
  const trigger = { type: 'installation.paused', objectId: serverId };
  const { id } = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/world/events`, trigger)).body;
  const ticket = { type: 'ticket.created', objectId: serverId };
  const other = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/world/events`, ticket)).body.id;
  const payloads = await Promise.all([id, other].map(async (one) => (await traceOf(one)).body.payloads));
  // The event without a resource stays readable, because it explains why the others are not.
  expect(payloads).toEqual([[expect.objectContaining({ schemaVersion: 1 })], null]);
});

test('a trace of a test event has its payload, which is no data of a server', async () => {
  const tested = await sandbox.manage<{ eventId: string }>('POST', `/apps/${app.id}/endpoints/${endpointId}/test`, {
    type: 'ticket.created',
  });
  const { payloads } = (await traceOf(tested.body.eventId)).body;
  expect(payloads?.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 2]);
});

test('a trace of an event from a request or from sandbox activity names no member', async () => {
  const made = await sandbox.call(
    `/v1/servers/${app.serverIds[0]}/tickets`,
    key.token,
    json({ subject: 'Hello', body: 'From a test.' }),
  );
  expect((await traceOf(made.headers.get('request-id') ?? '')).body.events).toMatchObject([{ actor: null }]);
});
