// Concurrent claims, recorded attempts, holds and releases of the same rows: each meets rows that changed since its
// statement began. A statement that also reads partitions there crashes Postgres 18 (kit/db/remembered-ids-store.ts).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAsTenant } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import { holdDeliveriesOfApp, releaseDeliveriesOfApp } from '../../webhooks/app-access-store.ts';
import { type AttemptResultRow, recordAttempts } from '../attempt/attempt-store.ts';
import { applyDecisions, type CandidateRow, lockDueDeliveries } from '../claim/claim-store.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';
import { listHeldGroups, releaseGroup } from './held-deliveries-store.ts';

const ENDPOINTS = 4;
const DELIVERIES_EACH = 500;
const FOR_MS = 4_000;

let world: DispatchFixture;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

/** Queues deliveries of one event for each endpoint. */
async function fill(): Promise<string[]> {
  const keyId = await world.addKey();
  for (let index = 0; index < ENDPOINTS; index++) await world.addEndpoint(`https://receiver${index}.example/`, keyId);
  await world.emit();
  const ids = Array.from({ length: DELIVERIES_EACH - 1 }, newUuid);
  const copied = 'app_id, endpoint_id, event_id, key_id, server_id';
  await world.rows(
    `with one as (select ${copied} from queue), id as (select unnest($1::uuid[]) as id),
     made as (
       insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status)
       select app_id, (overlay(id::text placing right(endpoint_id::text, 8) from 29))::uuid, endpoint_id, event_id, key_id,
         server_id, 'scheduled', 'pending' from one, id
       returning app_id, delivery_id, endpoint_id, event_id, key_id, server_id)
     insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id) select * from made`,
    [ids],
  );
  const rows = await world.rows<{ endpoint_id: string }>('select endpoint_id from endpoints');
  return rows.map((row) => row.endpoint_id);
}

function claim(endpointIds: readonly string[], workerId: string): Promise<CandidateRow[]> {
  return world.dispatch.transaction(async (tx) => {
    const rows = await lockDueDeliveries(
      tx,
      endpointIds.map((endpointId) => ({ endpointId, examineLimit: 8 })),
    );
    const allow = { verdict: 'allow', reason: null, resource_scope: null } as const;
    applyDecisions(
      tx,
      workerId,
      rows.map(({ app_id, delivery_id, key_id }) => ({ app_id, delivery_id, key_id, ...allow })),
    );
    return rows;
  });
}

const UNSENT = {
  next: 'unsent',
  delay_ms: 0,
  started_at_ms: 0,
  duration_us: 1,
  outcome: null,
  status: null,
  detail: null,
  response_headers: null,
  response_body: null,
  is_body_cut: false,
  url: null,
} as const;

/** Records that nothing was sent, so that the deliveries wait again. */
async function settle(rows: readonly CandidateRow[], workerId: string): Promise<void> {
  const settled = rows.map(({ app_id, delivery_id, attempt_no, key_id }): AttemptResultRow => {
    return { app_id, delivery_id, attempt_no, key_id, worker_id: workerId, ...UNSENT };
  });
  const recorded = await recordAttempts(world.dispatch, settled, false);
  // A concurrent transaction locks all rows that it examines until it ends, also those that it does not change.
  for (const one of settled) {
    if (!recorded.has(one.delivery_id)) expect((await recordAttempts(world.dispatch, [one], true)).size).toBe(1);
  }
}

test('rows stay consistent when stops, claims and recorded attempts change them concurrently', async () => {
  const endpointIds = await fill();
  const inApp = (run: Parameters<typeof runAsTenant<unknown>>[2]) =>
    runAsTenant(world.plane.db.manager, world.appId, run);
  const claiming = (workerId: string) => async () => settle(await claim(endpointIds, workerId), workerId);
  const work = [
    () => inApp(holdDeliveriesOfApp),
    () => inApp(releaseDeliveriesOfApp),
    async () => {
      for (const group of await listHeldGroups(world.worker)) await releaseGroup(world.worker, group);
    },
    ...[newUuid(), newUuid(), newUuid()].map(claiming),
  ];
  const untilMs = performance.now() + FOR_MS;
  const turns = await Promise.all(
    work.map(async (turn) => {
      let count = 0;
      for (; performance.now() < untilMs; count++) await turn();
      return count;
    }),
  );
  expect(Math.min(...turns)).toBeGreaterThan(3);
  const states = await world.rows<{ state: string; status: string }>(
    'select distinct q.state, d.status from queue q join deliveries d using (app_id, delivery_id)',
  );
  for (const { state, status } of states)
    expect([state, status]).toEqual(state === 'held' ? ['held', 'held'] : ['waiting', 'pending']);
  expect(await world.rows('select from queue')).toHaveLength(ENDPOINTS * DELIVERIES_EACH);
});
