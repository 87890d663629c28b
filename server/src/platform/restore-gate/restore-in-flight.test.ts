// The restore gate closes while a delivery is in flight: the worker returns the delivery to the queue, and after
// `reopen` it is not sent with a revoked key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { createLifetime } from '../../boot/process.ts';
import { runWorker } from '../../boot/worker.ts';
import { withDatabase } from '../../kit/db/short-lived-database.ts';
import { createLog } from '../../kit/telemetry/log.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../../webhooks/dispatch/dispatch.fixture.ts';
import { openPlaneGate, revokePlaneAccess } from './index.ts';

let world: DispatchFixture;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

test('a delivery in flight when the gate closes returns to the queue, waits, and is cancelled by a reopen without its key', async () => {
  const log = createLog(false);
  const lifetime = createLifetime(log);
  let started = 0;
  let stopped = 0;
  const start: Parameters<typeof runWorker>[1] = async (_open, _options, _log, jobs) => {
    const dispatcher = await world.dispatcher({ timing: { finishMs: 100 } });
    started += 1;
    jobs.onStop(async () => {
      await dispatcher.stop();
      stopped += 1;
    });
    return dispatcher;
  };
  const options = {
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    eventScopes: 'announced' as const,
    retention: { requestDays: 1, eventDays: 1, heldDays: 1 },
  };
  const hanging = await world.hangingReceiver();
  const answering = await world.receiver((response) => response.writeHead(204).end());
  await world.addEndpoint(hanging.url, await world.addKey());
  await runWorker(world, start, options, { log, countJobFailure: () => {} }, lifetime);
  await world.emit();
  await until(() => hanging.seen.firstBytesAtMs.length === 1);

  await world.rows("update plane_state set closed_at = now(), closed_because = 'regressed'");
  await until(() => stopped === 1);
  expect((await deliveriesOf(world)).map(({ status }) => status)).toEqual(['pending']);
  await world.emit();
  const revoked = await withDatabase({ url: world.database.url }, async (owner) => {
    const counts = await withDatabase({ url: world.database.url, role: 'slipway_manager' }, (manager) =>
      revokePlaneAccess(owner, manager),
    );
    await openPlaneGate(owner);
    return counts;
  });
  expect(revoked.keys).toBe(1);
  await until(() => started === 2);
  await world.rows("update installations set state = 'authorised'");
  await world.rows("update installation_scopes set state = 'authorised'");
  await world.addEndpoint(answering.url, await world.addKey());
  await world.emit();
  await until(() => answering.received.length === 1);
  await until(async () => (await deliveriesOf(world)).every(({ status }) => status !== 'pending'));
  expect((await deliveriesOf(world)).map(({ status }) => status).sort()).toEqual([
    'cancelled',
    'cancelled',
    'skipped',
    'succeeded',
  ]);
  expect(hanging.seen.firstBytesAtMs).toHaveLength(1);
  await lifetime.stop();
});
