// A change of an endpoint's URL does not rewrite history: each attempt keeps the URL that it called, and the audit log
// has both.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { type Receivers, startReceivers } from '../../../test/drill-receivers.ts';
import { until } from '../../../test/harness.ts';
import { createOutboundClient, type OutboundClient } from '../../kit/outbound/outbound.ts';
import { type Dispatcher, startDispatcher } from '../dispatch/index.ts';
import type { Attempt } from './attempt.ts';
import type { Delivery } from './delivery.ts';

type DeliveryDetail = Delivery & { attempts: Attempt[] };

let receivers: Receivers;
let sandbox: Sandbox;
let outbound: OutboundClient;
let dispatcher: Dispatcher;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  receivers = await startReceivers();
  sandbox = await startSandbox({ webhookAllowHosts: [receivers.host] });
  outbound = createOutboundClient({ allowHosts: [receivers.host] });
  const { masterKeys } = sandbox.plane.secrets;
  dispatcher = await startDispatcher({
    db: sandbox.dispatch,
    environment: 'sandbox',
    outbound,
    masterKeys,
    log: () => {},
  });
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(async () => {
  await receivers.close();
  await dispatcher.stop();
  await outbound.close();
  await sandbox.close();
});

const manage = <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
  sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);

test('attempts keep the URL that they called, and a waiting retry goes to the new URL at the new speed', async () => {
  const [before, after] = [
    receivers.open(async () => ({ status: 500 })),
    receivers.open(async () => ({ status: 204 })),
  ];
  const oldUrl = `${before.url}?token=a-secret-of-theirs`;
  const made = await manage<{ endpoint: { id: string } }>('POST', '/endpoints', {
    url: oldUrl,
    keyId: key.id,
    eventTypes: ['ticket.created'],
  });
  const endpointPath = `/endpoints/${made.body.endpoint.id}`;
  const ticket = json({ subject: 's', body: 'b' });
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, ticket)).status).toBe(201);
  const read = async (): Promise<DeliveryDetail> => {
    const { body } = await manage<{ data: { id: string }[] }>('GET', '/deliveries');
    return (await manage<DeliveryDetail>('GET', `/deliveries/${body.data[0]?.id}`)).body;
  };
  await until(async () => (await read()).attempts.length === 1);
  // As if its next attempt were due in half an hour.
  await sandbox.database.superuser.query(
    `update attempts set attempt_no = 3; update queue set attempt_no = 3, due_at = due_at + interval '30 minutes'`,
  );
  const change = await manage('PATCH', endpointPath, { url: after.url, scheduleSpeed: 3600 });
  expect(change.status).toBe(200);
  const delivery = await until(async () => {
    const one = await read();
    return one.status === 'succeeded' && one;
  });
  expect(delivery.endpointUrl).toBe(after.url);
  expect(delivery.attempts.map(({ number, url }) => [number, url])).toEqual([
    [3, oldUrl],
    [4, after.url],
  ]);
  expect(after.received).toHaveLength(1);

  const log = await sandbox.manage<{ data: { action: string; detail: object }[] }>('GET', '/audit-entries?limit=1');
  const masked = `http://${receivers.host}/*`;
  expect(log.body.data[0]).toMatchObject({
    action: 'endpoint.update',
    detail: { url: { from: masked, to: masked }, scheduleSpeed: 3600 },
  });
  expect(log.text).not.toContain('a-secret-of-theirs');

  await sandbox.database.superuser.query('update attempts set url = null where attempt_no = 3');
  expect((await read()).attempts.map(({ url }) => url)).toEqual([null, after.url]);
});
