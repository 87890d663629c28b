// The filters of the list of deliveries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId, msOfUuid, newUuid } from '../../kit/crypto/ids.ts';
import { MAX_EXAMINED_DELIVERIES } from './store.ts';

interface Delivery {
  id: string;
  eventId: string;
  eventType: string | null;
}

let sandbox: Sandbox;
let app: TestApp;
/** All deliveries, newest first: two of a ticket and one of a test event. */
let deliveries: Delivery[];
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  const key = await app.key();
  const add = async (): Promise<string> => {
    const input = { url: 'https://bridge.example.org/', keyId: key.id, eventTypes: ['ticket.created', 'ping'] };
    const made = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, input);
    return made.body.endpoint.id;
  };
  const [endpoint] = [await add(), await add()];
  const init = json({ subject: 's', body: 'b' });
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, init)).status).toBe(201);
  const ping = await sandbox.manage('POST', `/apps/${app.id}/endpoints/${endpoint}/test`, { type: 'ping' });
  expect(ping.status).toBeLessThan(300);
  deliveries = await list('');
});
afterAll(() => sandbox.close());

async function list(query: string): Promise<Delivery[]> {
  const { status, body } = await sandbox.manage<{ data: Delivery[] }>('GET', `/apps/${app.id}/deliveries${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data;
}
const idsOf = (some: Delivery[]): string[] => some.map(({ id }) => id);

test('the filter of an event type or of an event lists its deliveries, newest first', async () => {
  expect(deliveries.map(({ eventType }) => eventType)).toEqual(['ping', 'ticket.created', 'ticket.created']);
  const [ping, ...ofTicket] = deliveries;
  expect(idsOf(await list('?eventType=ping'))).toEqual([ping?.id]);
  expect(idsOf(await list('?eventType=ticket.created'))).toEqual(idsOf(ofTicket));
  expect(await list('?eventType=ticket.closed')).toEqual([]);
  expect(idsOf(await list(`?eventId=${ofTicket[0]?.eventId}`))).toEqual(idsOf(ofTicket));
  expect(idsOf(await list(`?eventId=${ping?.eventId}&eventType=ticket.created`))).toEqual([]);
});

test('the time range includes its start, excludes its end, and rejects a time that does not exist', async () => {
  const [ping] = deliveries;
  const createdMs = msOfUuid(fromId('dlv', ping?.id ?? '') ?? '');
  const at = (ms: number): string => new Date(ms).toISOString();
  expect(idsOf(await list(`?since=${at(createdMs)}`))).toContain(ping?.id);
  expect(await list(`?since=${at(createdMs + 1)}`)).toEqual([]);
  expect(idsOf(await list(`?until=${at(createdMs)}`))).not.toContain(ping?.id);
  expect(idsOf(await list(`?until=${at(createdMs + 1)}`))).toEqual(idsOf(deliveries));
  const leap = await sandbox.manage('GET', `/apps/${app.id}/deliveries?since=2016-12-31T23:59:60Z`);
  expect([leap.status, JSON.stringify(leap.body)]).toEqual([400, expect.stringContaining('/query/since')]);
});

test('a page under a rare event type examines a bounded number of deliveries, and the next page continues after them', async () => {
  const [ping, ...ofTicket] = deliveries;
  const ids = Array.from({ length: MAX_EXAMINED_DELIVERIES + 5 }, () => newUuid());
  await sandbox.database.superuser.query(
    `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status)
      select d.app_id, id, d.endpoint_id, d.event_id, d.key_id, 'scheduled', 'succeeded'
      from deliveries d, unnest($2::uuid[]) id where d.delivery_id = $1`,
    [fromId('dlv', ping?.id ?? ''), ids],
  );
  const page = async (cursor?: string | null) => {
    const query = cursor ? `&cursor=${cursor}` : '';
    const path = `/apps/${app.id}/deliveries?eventType=ticket.created${query}`;
    return (await sandbox.manage<{ data: Delivery[]; nextCursor: string | null }>('GET', path)).body;
  };
  const first = await page();
  expect([first.data, typeof first.nextCursor]).toEqual([[], 'string']);
  const second = await page(first.nextCursor);
  expect([idsOf(second.data), second.nextCursor]).toEqual([idsOf(ofTicket), null]);
});
