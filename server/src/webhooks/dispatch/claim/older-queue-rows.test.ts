// The queue row contains trigger, schema version and scope of a delivery. Rows of older versions, or of older nodes
// during a rollout, lack them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { type DispatchFixture, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

/** Sends a delivery with a worker that starts after a change of the stored rows. */
async function sentAfter(change: string) {
  const { url, received } = await world.receiver((response) => response.writeHead(204).end());
  await world.addEndpoint(url, await world.addKey(), { 'ticket.created': 1 });
  await world.emit();
  await world.rows(change);
  await world.dispatcher();
  const { headers, body } = await until(() => received[0]);
  const { schemaVersion } = JSON.parse(body.toString());
  return [headers['slipway-trigger'], headers['slipway-schema-version'], schemaVersion];
}

test('the details of a delivery are not read from the deliveries table if the queue has them', async () => {
  const change = "update deliveries set trigger = 'manual', schema_version = 2";
  expect(await sentAfter(change)).toEqual(['scheduled', '1', 1]);
});

test('the details of a delivery are read from the deliveries table if the queue lacks them', async () => {
  const change = 'update queue set trigger = null, schema_version = null';
  expect(await sentAfter(change)).toEqual(['scheduled', '1', 1]);
});
