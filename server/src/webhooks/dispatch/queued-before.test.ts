// What a delivery is stands in the queue. A row of before it did, or of an older node while this version is rolled out, does not say it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { testWorld, type World } from './dispatch.fixture.ts';

let world: World;
beforeEach(async () => {
  world = await testWorld();
});
afterEach(() => world.close());

/** Sent by a worker that comes after the change of what is stored. */
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

test('is not looked up among the deliveries', async () => {
  const change = "update deliveries set trigger = 'manual', schema_version = 2";
  expect(await sentAfter(change)).toEqual(['scheduled', '1', 1]);
});

test('unless the queue does not say it', async () => {
  const change = 'update queue set trigger = null, schema_version = null';
  expect(await sentAfter(change)).toEqual(['scheduled', '1', 1]);
});
