// A held delivery whose event the filter withholds, with a real receiver: it ends as filtered after the release.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { startRedeliverySandbox } from '../../../test/redelivery.fixture.ts';

let home: Awaited<ReturnType<typeof startRedeliverySandbox>>;
beforeAll(async () => {
  home = await startRedeliverySandbox();
});
afterAll(async () => {
  await home.close();
  expect(home.errors).toEqual([]);
});

test('a held delivery that the filter withholds is skipped after its release, and the others are sent', async () => {
  const shop = await home.newShop();
  const conditions = [{ pointer: '/data/priority', equals: 'urgent' }];
  await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { conditions });
  const grant = (state: string) =>
    shop.manage('PUT', `/servers/${shop.serverId}/installation/scopes/events:read`, { state });
  await grant('paused');
  for (const priority of ['low', 'urgent']) {
    const ticket = { subject: 's', body: 'b', priority };
    await home.sandbox.call(`/v1/servers/${shop.serverId}/tickets`, shop.key.token, json(ticket));
  }
  expect((await shop.deliveries()).map(({ status }) => status)).toEqual(['held', 'held']);
  await grant('authorised');
  await until(async () => (await shop.deliveries()).every(({ status }) => status !== 'held' && status !== 'pending'));
  const ended = await shop.deliveries();
  expect(ended.map(({ status, reason }) => [status, reason])).toEqual([
    ['succeeded', null],
    ['skipped', 'filtered'],
  ]);
  expect(home.received.map(({ body }) => JSON.parse(body).data.priority)).toEqual(['urgent']);
});
