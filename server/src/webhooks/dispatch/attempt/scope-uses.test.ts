// A delivery uses scopes, which the worker counts together with the attempts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterEach(() => world.close());

const succeeded = async () => {
  const all = await deliveriesOf(world);
  return all.length > 0 && all.every(({ status }) => status === 'succeeded');
};

test("a delivery counts as a use of events:read and of its resource's scope, for its key and its grant", async () => {
  const { url } = await world.receiver((response) => response.writeHead(204).end());
  await world.addEndpoint(url, keyId);
  const dispatcher = await world.dispatcher();
  await world.emit();
  await until(() => succeeded());
  await dispatcher.stop();
  const used = ['events:read', 'tickets:create'];
  const ofKey = await world.rows('select key_id, scope, uses::int from key_scope_uses order by scope');
  expect(ofKey).toEqual(used.map((scope) => ({ key_id: keyId, scope, uses: 1 })));
  const ofGrant = await world.rows<{ scope: string; server_id: string }>(
    'select scope, server_id from grant_uses order by scope',
  );
  expect(ofGrant.map(({ scope }) => scope)).toEqual(used);
  const [delivered] = await world.rows<{ server_id: string }>('select server_id from deliveries');
  expect(new Set(ofGrant.map((row) => row.server_id))).toEqual(new Set([delivered?.server_id]));
});
