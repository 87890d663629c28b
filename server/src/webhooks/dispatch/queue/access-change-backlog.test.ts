// A revocation responds quickly however long the backlog is: it changes a bounded number of deliveries, and later
// claims judge the rest.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { runAsTenant, type TenantTransaction } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import { sql } from '../../../kit/db/sql.ts';
import { insertInstallations } from '../../../tenancy/installations/store.ts';
import { MAX_CANCELLED_PER_CHANGE } from '../../webhooks/access-change-store.ts';
import { moveEndpointsToKey } from '../../webhooks/endpoint-keys-store.ts';
import {
  cancelDeliveriesOfServers,
  holdDeliveriesOfServers,
  releaseDeliveriesOfServers,
} from '../../webhooks/server-grants-store.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
let receiver: Awaited<ReturnType<DispatchFixture['receiver']>>;
beforeAll(async () => {
  world = await testWorld();
  receiver = await world.receiver((response) => response.end());
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of ['queue', 'attempts', 'deliveries', 'endpoints']) await world.rows(`delete from ${table}`);
  keyId = await world.addKey();
  receiver.received.length = 0;
});

const inApp = <T>(run: (tenant: TenantTransaction) => Promise<T>): Promise<T> =>
  runAsTenant(world.plane.db.manager, world.appId, run);
const countOf = async (condition: string): Promise<number> =>
  (await world.rows(`select from queue where ${condition}`)).length;

/** Copies the waiting delivery `count` times. */
async function queueCopies(count: number): Promise<void> {
  await world.rows('drop table if exists copies');
  await world.rows('create temporary table copies as select gen_random_uuid() as id from generate_series(1, $1)', [
    count,
  ]);
  await world.rows(`insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status)
    select app_id, id, endpoint_id, event_id, key_id, server_id, trigger, status from deliveries, copies`);
  await world.rows(`insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, epoch)
    select app_id, id, endpoint_id, event_id, key_id, server_id, epoch from queue, copies`);
}

const LOOKED_AT = 10_000;

test('a bounded number of deliveries of a server is held, cancelled and released in one step', async () => {
  await world.addEndpoint(receiver.url, keyId);
  await world.emit();
  await queueCopies(LOOKED_AT + 99);
  const on = [{ serverId: world.serverId, scope: null }];
  expect(await inApp((tenant) => holdDeliveriesOfServers(tenant, on))).toBe(LOOKED_AT);
  expect(await countOf(`state = 'waiting'`)).toBe(100);
  expect(await inApp((tenant) => cancelDeliveriesOfServers(tenant, on))).toBe(MAX_CANCELLED_PER_CHANGE);
  expect(await inApp((tenant) => releaseDeliveriesOfServers(tenant, on))).toBe(LOOKED_AT - MAX_CANCELLED_PER_CHANGE);
  expect(await countOf(`state = 'waiting'`)).toBe(LOOKED_AT - MAX_CANCELLED_PER_CHANGE + 100);
});

/** Returns the final status and reason of the deliveries, with their number. */
const ends = (): Promise<unknown[]> =>
  world.rows('select status, reason, count(*)::int from deliveries group by 1, 2 order by 1');

async function whileDispatched(run: () => Promise<void>, db: Database = world.dispatch): Promise<void> {
  const dispatcher = await world.dispatcher({ db });
  await run().finally(() => dispatcher.stop());
}

test('deliveries under a revoked installation are never sent, even if a new installation is made before all are cancelled', async () => {
  await world.addEndpoint(receiver.url, keyId);
  await world.emit();
  await queueCopies(MAX_CANCELLED_PER_CHANGE + 10);
  await inApp(async (tenant) => {
    await tenant.query(sql`update installations set state = 'revoked' where app_id = ${tenant.appId}`);
    await cancelDeliveriesOfServers(tenant, [{ serverId: world.serverId, scope: null }]);
  });
  expect(await countOf('true')).toBe(11);
  await inApp((tenant) => insertInstallations(tenant, [world.serverId], ['events:read', 'tickets:create']));
  await world.emit(2);
  await whileDispatched(async () => {
    await until(async () => (await countOf('true')) === 0);
    expect(await ends()).toEqual([
      { status: 'cancelled', reason: 'installation_revoked', count: MAX_CANCELLED_PER_CHANGE + 11 },
      { status: 'succeeded', reason: null, count: 2 },
    ]);
    expect(receiver.received).toHaveLength(2);
  });
});

test('endpoints are handed on to another key without a write to their waiting deliveries', async () => {
  await world.addEndpoint(receiver.url, keyId);
  await world.emit(3);
  const versions = (): Promise<unknown[]> => world.rows('select delivery_id, xmin from queue order by 1');
  const before = await versions();
  const successorId = await world.addKey();
  await inApp(async (tenant) => moveEndpointsToKey(tenant, keyId, successorId));
  await world.revokeKey(keyId);
  expect(await versions()).toEqual(before);
  await whileDispatched(() => until(async () => receiver.received.length === 3).then(() => {}));
});

test('a backlog that may not be sent does not delay the deliveries behind it', async () => {
  await world.addEndpoint(receiver.url, keyId);
  await world.emit();
  await queueCopies(2_000);
  const other = newUuid();
  await world.rows(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status)
    select app_id, $1, endpoint_id, event_id, key_id, trigger, status from deliveries limit 1`,
    [other],
  );
  await world.rows(
    `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id)
    select app_id, $1, endpoint_id, event_id, key_id from queue limit 1`,
    [other],
  );
  await world.rows(`update installations set state = 'paused' where state = 'authorised'`);
  let rounds = 0;
  const counting: Database = {
    ...world.dispatch,
    transaction(run) {
      rounds += 1;
      return world.dispatch.transaction(run);
    },
  };
  try {
    await whileDispatched(async () => {
      await until(() => receiver.received.length === 1);
      // With two at a time it would be a thousand rounds.
      expect(rounds).toBeLessThan(30);
      expect(await countOf(`state = 'held'`)).toBe(2_001);
    }, counting);
  } finally {
    await world.rows(`update installations set state = 'authorised' where state = 'paused'`);
  }
});
