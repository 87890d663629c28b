// The filters of the list of deliveries.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { countExaminedRows } from '../../../test/rows-read.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import { fromId, msOfUuid, newUuid } from '../../kit/crypto/ids.ts';
import { type DeliveryFilter, listDeliveryRows, MAX_EXAMINED_DELIVERIES } from './store.ts';

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

describe('filters that few deliveries match', () => {
  // Postgres reads a table of a few thousand rows as a whole, because that is cheaper than its index.
  const EMPTY_PAGES = 10;
  interface Page {
    data: Delivery[];
    nextCursor: string | null;
  }
  const read = async (query: string): Promise<Page> =>
    (await sandbox.manage<Page>('GET', `/apps/${app.id}/deliveries?${query}`)).body;

  // Newer deliveries, which succeeded and are of another type, in front of the two of a ticket.
  beforeAll(async () => {
    const { superuser } = sandbox.database;
    await superuser.query(
      `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, trigger, status)
        select d.app_id, id, d.endpoint_id, d.event_id, d.key_id, 'scheduled', 'succeeded'
        from deliveries d, unnest($2::uuid[]) id where d.delivery_id = $1`,
      [
        fromId('dlv', deliveries[0]?.id ?? ''),
        Array.from({ length: EMPTY_PAGES * MAX_EXAMINED_DELIVERIES }, () => newUuid()),
      ],
    );
    await superuser.query('analyze deliveries');
  });

  test.each([
    ['an event type', 'eventType=ticket.created'],
    ['a status', 'status=pending'],
    ['a status and an event type', 'status=pending&eventType=ticket.created'],
  ])('pages under %s end early, and the cursors lead to all deliveries', async (_, query) => {
    const pages = [await read(query)];
    for (let next = pages[0]?.nextCursor; typeof next === 'string'; next = pages.at(-1)?.nextCursor) {
      pages.push(await read(`${query}&cursor=${next}`));
    }
    expect(pages.map(({ data }) => data.length > 0)).toEqual([...Array<boolean>(EMPTY_PAGES).fill(false), true]);
    const older = await read(
      `${query}&until=${new Date(msOfUuid(fromId('dlv', deliveries[0]?.id ?? '') ?? '') + 1).toISOString()}`,
    );
    expect(idsOf(pages.flatMap(({ data }) => data))).toEqual(idsOf(older.data));
    expect(older.data.length).toBeGreaterThanOrEqual(2);
  });

  test.each<[string, Partial<DeliveryFilter>]>([
    ['an event type', { eventType: 'ticket.created' }],
    ['a rare status', { status: 'failed' }],
    ['a common status', { status: 'succeeded' }],
    ['a rare status and an event type', { status: 'failed', eventType: 'ticket.created' }],
    ['failed attempts', { status: 'failing' }],
    ['failed attempts and an event type', { status: 'failing', eventType: 'ticket.created' }],
  ])('a page under %s examines a bounded number of rows of any table', async (_, part) => {
    const none = { endpointId: undefined, status: undefined, redeliveryId: undefined, eventId: undefined };
    const filter = { ...none, eventType: undefined, from: undefined, before: undefined, ...part };
    const count = await runAsTenant(sandbox.plane.db.manager, fromId('app', app.id) ?? '', (tenant) =>
      countExaminedRows(tenant, (one) => listDeliveryRows(one, filter, undefined, 26)),
    );
    expect(count).toBeLessThanOrEqual(MAX_EXAMINED_DELIVERIES);
  });

  test('the first page of the status failing has a pending delivery with a failed attempt behind newer deliveries', async () => {
    const [, failing] = deliveries;
    const findAfter = async (change: string, query = ''): Promise<string[]> => {
      const update = `update queue set ${change} where delivery_id = $1`;
      await sandbox.database.superuser.query(update, [fromId('dlv', failing?.id ?? '')]);
      return idsOf((await read(`status=failing${query}`)).data);
    };
    expect(await findAfter('attempt_no = 0')).toEqual([]);
    expect(await findAfter('attempt_no = 1')).toEqual([failing?.id]);
    expect(await findAfter("state = 'held'")).toEqual([]);
    // The attempt in flight has not failed yet.
    expect(await findAfter("state = 'in_flight'")).toEqual([]);
    expect(await findAfter('attempt_no = 2')).toEqual([failing?.id]);
    expect(await findAfter('attempt_no = 2', '&eventType=ticket.created')).toEqual([failing?.id]);
    expect(await findAfter('attempt_no = 2', '&eventType=ping')).toEqual([]);
    expect(await findAfter('attempt_no = 2', `&eventId=${failing?.eventId}`)).toEqual([failing?.id]);
    expect(await findAfter('attempt_no = 2', '&until=2000-01-01T00:00:00Z')).toEqual([]);
    await findAfter("attempt_no = 0, state = 'waiting'");
  });
});
