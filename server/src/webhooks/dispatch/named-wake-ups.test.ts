import { afterEach, beforeEach, expect, test } from 'vitest';
import { json, startSandbox } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { claimDeliveries } from './claim/claim-round.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from './dispatch.fixture.ts';

let world: DispatchFixture;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

/** Intervals so long that, during a test, only a wake-up makes a dispatcher look. */
const NO_POLLS = { pollMs: 600_000, recoverMs: 600_000, releaseMs: 600_000, moveMs: 600_000 };

/**
 * Returns a dispatcher whose searches find nothing after `hide()`. From then on the dispatcher knows only the endpoints
 * that wake-ups name.
 */
async function startWithoutSearch() {
  let isHidden = false;
  const db: Database = {
    ...world.dispatch,
    query: async (statement) =>
      isHidden && statement.text.includes('with recursive queues') ? [] : world.dispatch.query(statement),
  };
  const dispatcher = await world.dispatcher({ db, timing: NO_POLLS });
  function hide(): void {
    isHidden = true;
  }
  return { dispatcher, hide };
}

const succeeded = (count: number) => async (): Promise<boolean> =>
  (await deliveriesOf(world)).filter(({ status }) => status === 'succeeded').length === count;

const listening = async (): Promise<boolean> =>
  (await world.rows(`select from pg_stat_activity where datname = current_database() and query ilike 'listen%queue%'`))
    .length > 0;

test('a transaction names exactly the endpoints for which it queued a due delivery', async () => {
  const { endpointId } = await world.addEndpoint('http://127.0.0.1:1/due', await world.addKey());
  const revoked = await world.addKey();
  await world.addEndpoint('http://127.0.0.1:1/skipped', revoked);
  await world.revokeKey(revoked);
  const named: string[][] = [];
  world.plane.deliveries.wake = (endpointIds) => void named.push([...(endpointIds ?? ['any'])]);
  await world.emit();
  expect(named).toEqual([[endpointId]]);
});

test.each([
  'the dispatcher of the same process',
  'a dispatcher of another process',
])('a wake-up makes %s claim from a known endpoint without a search', async (whose) => {
  const receiver = await world.receiver((response) => response.writeHead(204).end());
  await world.addEndpoint(receiver.url, await world.addKey());
  const { dispatcher, hide } = await startWithoutSearch();
  if (whose.includes('same')) world.attachDispatcher(dispatcher);
  await until(listening);
  await world.emit();
  await until(succeeded(1));
  hide();
  for (let count = 2; count <= 4; count += 1) {
    await world.emit();
    await until(succeeded(count));
  }
  // More deliveries than one round has slots for.
  await world.emit(20);
  await until(succeeded(24));
});

test('a claim leaves the deliveries of an endpoint that got a rate after its queue was found', async () => {
  const keyId = await world.addKey();
  const { endpointId } = await world.addEndpoint('http://127.0.0.1:1/rated', keyId, {}, { ratePerSecond: 1 });
  await world.emit(3);
  const { appId } = world;
  const queue = { appId, endpointId, slots: 3, examineLimit: 3, ratePerSecond: null };
  const registration = { workerId: newUuid(), leaseUntilMs: Number.POSITIVE_INFINITY };
  expect(await claimDeliveries(world.dispatch, registration, [queue])).toMatchObject({ claims: [], isRateNew: true });
});

test('a mutation of /v1 notifies the workers of other processes by the ids of its endpoints', async () => {
  const sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  try {
    const app = await sandbox.newApp();
    const { id: keyId, token } = await app.key();
    const made = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId,
      eventTypes: ['ticket.created'],
    });
    const { superuser } = sandbox.database;
    const payloads: (string | undefined)[] = [];
    superuser.on('notification', ({ payload }) => payloads.push(payload));
    await superuser.query('listen slipway_queue');
    const claimToken = json({ subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
    expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, claimToken)).status).toBe(201);
    await until(async () => {
      await superuser.query('select');
      return payloads.length > 0;
    });
    expect(payloads).toEqual([fromId('whe', made.body.endpoint.id)]);
  } finally {
    await sandbox.close();
  }
});
