import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { Sql } from '../../../kit/db/sql.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';
import type { Dispatcher } from '../dispatch-webhooks.job.ts';
import type { ProbeResult } from './probe.ts';

let world: DispatchFixture;
let goneReceiver: Awaited<ReturnType<DispatchFixture['receiver']>>;
let hangingReceiver: Awaited<ReturnType<DispatchFixture['hangingReceiver']>>;
let dispatcher: Dispatcher;
let slow: { dispatcher: Dispatcher; judged: number; goOn(): void };

beforeAll(async () => {
  world = await testWorld();
  goneReceiver = await world.receiver((response) => void response.writeHead(410).end('gone'));
  hangingReceiver = await world.hangingReceiver();
  dispatcher = await world.dispatcher();
  slow = await slowDispatcher();
});
afterAll(() => world.close());

/** Starts a dispatcher that learns late whether its probe is allowed. */
async function slowDispatcher(): Promise<typeof slow> {
  const held = { judged: 0, goOn: () => {} };
  const gate = new Promise<void>((resolve) => {
    held.goOn = resolve;
  });
  async function first<Row>(statement: Sql): Promise<Row | undefined> {
    const row = await world.worker.first<Row>(statement);
    if (!statement.text.includes('key_life_ms')) return row;
    held.judged += 1;
    await gate;
    return row;
  }
  const db: Database = { ...world.worker, first };
  return Object.assign(held, { dispatcher: await world.dispatcher({ db }) });
}

const send = (endpointId: string, by = dispatcher, appId = world.appId): Promise<ProbeResult> =>
  by.probe({
    appId,
    endpointId,
    buildRequest: () => ({ headers: { 'webhook-id': 'evt_a' }, body: Buffer.from('{}') }),
  });

async function endpointTo(url: string): Promise<{ keyId: string; endpointId: string }> {
  const keyId = await world.addKey();
  return { keyId, ...(await world.addEndpoint(url, keyId)) };
}

async function revoke(keyId: string): Promise<void> {
  await world.revokeKey(keyId);
  await world.stop({ keyId });
}

test('a probe is sent once with the headers of deliveries, reported to its caller, and does not change the endpoint', async () => {
  const { endpointId } = await endpointTo(goneReceiver.url);
  expect(await send(endpointId)).toMatchObject({
    kind: 'sent',
    record: { outcome: 'response', status: 410, body: 'gone' },
  });
  expect(
    goneReceiver.received.map(({ headers, body }) => [headers['webhook-id'], headers['user-agent'], `${body}`]),
  ).toEqual([['evt_a', 'Slipway-Webhooks/1', '{}']]);
  expect(await world.rows('select state from endpoints')).toEqual([{ state: 'enabled' }]);
});

test('a hanging probe is off the wire when a revocation has responded', async () => {
  const { keyId, endpointId } = await endpointTo(hangingReceiver.url);
  const probing = send(endpointId);
  await until(() => hangingReceiver.seen.bytes > 0);
  await revoke(keyId);
  expect(await Promise.race([probing, 'still on its way'])).toEqual({ kind: 'unsent' });
});

test('a probe judged before a revocation does not begin after it', async () => {
  const { keyId, endpointId } = await endpointTo(hangingReceiver.url);
  const { bytes } = hangingReceiver.seen;
  const probing = send(endpointId, slow.dispatcher);
  await until(() => slow.judged > 0);
  await revoke(keyId);
  slow.goOn();
  expect(await probing).toEqual({ kind: 'unsent' });
  expect(hangingReceiver.seen.bytes).toBe(bytes);
});

test('a probe is refused for the same reasons as a delivery', async () => {
  const { keyId, endpointId } = await endpointTo(goneReceiver.url);
  const count = goneReceiver.received.length;
  const reasons: [string, string, string][] = [
    ['endpoint_disabled', "endpoints set state = 'disabled'", "endpoints set state = 'enabled'"],
    ['app_suspended', "apps set state = 'suspended'", "apps set state = 'active'"],
    ['key_revoked', "keys set ends_at = now() - interval '1 minute'", 'apps set name = name'],
  ];
  for (const [reason, change, back] of reasons) {
    await world.rows(
      `update ${change} where app_id = $1 ${change.startsWith('keys') ? `and key_id = '${keyId}'` : ''}`,
      [world.appId],
    );
    expect(await send(endpointId)).toEqual({ kind: 'refused', reason });
    await world.rows(`update ${back} where app_id = $1`, [world.appId]);
  }
  expect(await send(endpointId, dispatcher, newUuid())).toEqual({ kind: 'refused', reason: 'endpoint_deleted' });
  expect(goneReceiver.received).toHaveLength(count);
});
