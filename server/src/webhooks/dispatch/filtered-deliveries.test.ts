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

test('a redelivery job evaluates the filter for deliveries that access refused before, and for deliveries that it holds', async () => {
  const shop = await home.newShop();
  const conditions = [{ pointer: '/data/priority', equals: 'urgent' }];
  await shop.manage('PATCH', `/endpoints/${shop.endpointId}`, { conditions });
  const grant = (state: string) =>
    shop.manage('PUT', `/servers/${shop.serverId}/installation/scopes/events:read`, { state });
  async function miss(): Promise<void> {
    await shop.setEndpoint("state = 'disabled'");
    for (const priority of ['low', 'urgent']) {
      const ticket = { subject: 's', body: 'b', priority };
      await home.sandbox.call(`/v1/servers/${shop.serverId}/tickets`, shop.key.token, json(ticket));
    }
    await shop.setEndpoint("state = 'enabled'");
  }
  const outcomesOf = async (id: string) =>
    (await shop.deliveries(`?redeliveryId=${id}`)).map(({ status, reason }) => [status, reason]);
  const start = async (reason: string) => (await shop.start({ reason })).body.id;
  const sent = home.received.length;
  const ended = [
    ['succeeded', null],
    ['skipped', 'filtered'],
  ];
  await miss();
  const first = await start('endpoint_disabled');
  expect(await shop.finish(first, home.run)).toMatchObject({ done: 2, skipped: 1 });
  await until(async () => (await outcomesOf(first)).every(([status]) => status !== 'pending'));
  expect(await outcomesOf(first)).toEqual(ended);

  await miss();
  await grant('paused');
  const second = await start('endpoint_disabled');
  await shop.finish(second, home.run);
  expect((await outcomesOf(second)).map(([status]) => status)).toEqual(['held', 'held']);
  await grant('authorised');
  await until(async () => (await outcomesOf(second)).every(([status]) => status !== 'held' && status !== 'pending'));
  expect(await outcomesOf(second)).toEqual(ended);
  expect(home.received.slice(sent).map(({ body }) => JSON.parse(body).data.priority)).toEqual(['urgent', 'urgent']);

  const withheld = await start('filtered');
  await shop.finish(withheld, home.run);
  await until(async () => (await outcomesOf(withheld)).every(([status]) => status === 'succeeded'));
  expect(home.received.slice(sent + 2).map(({ body }) => JSON.parse(body).data.priority)).toEqual(['low', 'low']);
});
