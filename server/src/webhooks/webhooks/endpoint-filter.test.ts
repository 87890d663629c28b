// The filter of an endpoint over HTTP: which deliveries it withholds, that access is judged before it, and that its
// preview counts the same events.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { firstUuidAt, fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});

const URL = 'http://127.0.0.1:1/hooks';
const manage = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
const query = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const ticket = (fields: object, at = 0) =>
  sandbox.call(`/v1/servers/${app.serverIds[at]}/tickets`, key.token, json({ subject: 's', body: 'b', ...fields }));
const addEndpoint = async (filter: object): Promise<string> => {
  const input = { url: URL, keyId: key.id, eventTypes: ['ticket.created'], ...filter };
  const { status, body } = await manage<{ endpoint: { id: string } }>('POST', '/endpoints', input);
  expect(status).toBe(201);
  return body.endpoint.id;
};
interface Delivery {
  id: string;
  status: string;
  reason: string | null;
}
/** Returns the outcomes of an endpoint's deliveries, oldest first. */
const outcomes = async (endpointId: string): Promise<string[]> => {
  const { body } = await manage<{ data: Delivery[] }>('GET', `/deliveries?endpointId=${endpointId}`);
  return body.data.map(({ status, reason }) => reason ?? status).reverse();
};
const preview = (filter: object) => manage('POST', '/filter-previews', { eventTypes: ['ticket.created'], ...filter });

const CONDITIONS: [string, object[], string[]][] = [
  ['equals', [{ pointer: '/data/priority', equals: 'urgent' }], ['filtered', 'pending', 'filtered']],
  ['in', [{ pointer: '/data/priority', in: ['urgent', 'low'] }], ['pending', 'pending', 'filtered']],
  ['exists', [{ pointer: '/data/metadata/region', exists: true }], ['pending', 'filtered', 'filtered']],
  ['does not exist', [{ pointer: '/data/metadata/region', exists: false }], ['filtered', 'pending', 'pending']],
  ['prefix', [{ pointer: '/data/metadata/region', prefix: 'eu-' }], ['pending', 'filtered', 'filtered']],
  ['null', [{ pointer: '/data/requester', equals: null }], ['pending', 'filtered', 'pending']],
  ['item of an array', [{ pointer: '/data/labels/0', equals: 'a/b~c' }], ['filtered', 'filtered', 'pending']],
  [
    'two conditions',
    [
      { pointer: '/data/priority', in: ['urgent', 'low'] },
      { pointer: '/data/requester', equals: null },
    ],
    ['pending', 'filtered', 'filtered'],
  ],
];
const TICKETS = [
  { priority: 'low', metadata: { region: 'eu-west' } },
  { priority: 'urgent', requester: { name: 'Imke', reference: 'u' } },
  { priority: 'normal', labels: ['a/b~c'] },
];

test('a condition keeps the events that meet it, and the others become skipped deliveries', async () => {
  const endpoints = [];
  for (const [, conditions] of CONDITIONS) endpoints.push(await addEndpoint({ conditions }));
  for (const one of TICKETS) expect((await ticket(one)).status).toBe(201);
  for (const [at, [name, conditions, expected]] of CONDITIONS.entries()) {
    expect([name, await outcomes(endpoints[at] ?? '')]).toEqual([name, expected]);
    const kept = expected.filter((one) => one === 'pending').length;
    expect([name, (await preview({ conditions })).body]).toMatchObject([name, { kept, total: 3, isComplete: true }]);
  }
});

test('conditions and the preview use the pinned schema version', async () => {
  const conditions = [{ pointer: '/data/bodyMarkdown', exists: true }];
  const [first, second] = [{ 'ticket.created': 1 }, { 'ticket.created': 2 }];
  const [old, current] = [
    await addEndpoint({ conditions, schemaVersions: first }),
    await addEndpoint({ conditions, schemaVersions: second }),
  ];
  await ticket({});
  expect([await outcomes(old), await outcomes(current)]).toEqual([['filtered'], ['pending']]);
  expect((await preview({ conditions, schemaVersions: first })).body.kept).toBe(0);
  expect((await preview({ conditions, schemaVersions: second })).body.kept).toBe(1);
});

test('a filter by server keeps the events of its servers, and * keeps every type', async () => {
  const [serverId] = app.serverIds;
  const one = await addEndpoint({ eventTypes: ['*'], serverIds: [serverId] });
  await ticket({}, 0);
  await ticket({}, 1);
  expect(await outcomes(one)).toEqual(['pending', 'filtered']);
  expect((await preview({ eventTypes: ['*'], serverIds: [serverId] })).body).toMatchObject({ kept: 1, total: 2 });
  expect((await preview({ eventTypes: ['ping'] })).body).toMatchObject({ kept: 0, total: 2 });
  const shown = await manage('GET', `/endpoints/${one}`);
  expect(shown.body).toMatchObject({ eventTypes: ['*'], serverIds: [serverId], conditions: [] });
  // A type of a later release: the row lists only the types of its own release.
  await query("update endpoints set event_types = '{ping}' where endpoint_id = $1", fromId('whe', one));
  await ticket({}, 0);
  expect(await outcomes(one)).toEqual(['pending', 'filtered', 'pending']);
  const changed = await manage('PATCH', `/endpoints/${one}`, { serverIds: null, eventTypes: ['ticket.created'] });
  expect(changed.body).toMatchObject({ eventTypes: ['ticket.created'], serverIds: null });
  await ticket({}, 1);
  expect((await outcomes(one)).at(-1)).toBe('pending');
});

test('the preview covers 30 days, or the time for which events are stored if that is shorter', async () => {
  const DAY_MS = 86_400_000;
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const addDay = (daysAgo: number) => {
    const [from, to] = [daysAgo, daysAgo - 1].map((days) => firstUuidAt(todayMs - days * DAY_MS));
    return query(`create table events_${daysAgo} partition of events for values from ('${from}') to ('${to}')`);
  };
  const sinceMs = async () => Date.parse(String((await preview({})).body.since));
  await addDay(40);
  await addDay(9);
  expect(Math.abs(Date.now() - 30 * DAY_MS - (await sinceMs()))).toBeLessThan(60_000);
  await query('drop table events_40'); // as housekeeping does after the retention
  expect(await sinceMs()).toBe(todayMs - 9 * DAY_MS);
  await query('drop table events_9');
});

test('a filter that no event can meet is refused', async () => {
  const keys = { url: URL, keyId: key.id, eventTypes: ['ticket.created'] };
  const detail = 'must have exactly one of `equals`, `in`, `exists`, `prefix`';
  const pointer = '/data/priority';
  const refusals: [object, object][] = [
    [{ conditions: [{ pointer }] }, { pointer: '/conditions/0', detail }],
    [{ conditions: [{ pointer, equals: 'a', prefix: 'a' }] }, { pointer: '/conditions/0', detail }],
    [{ conditions: [{ pointer: '/data/number', equals: 1 }] }, { pointer: '/conditions/0/pointer' }],
    [{ conditions: [{ pointer: 'data', exists: true }] }, { pointer: '/conditions/0/pointer' }],
    [{ eventTypes: ['*', 'ping'] }, { pointer: '/eventTypes', detail: 'must contain only `*`, or no `*`' }],
    [{ serverIds: ['srv_01j9z3v8k6e5t8m2n4p6q8r0s4'] }, { pointer: '/serverIds/0' }],
    [{ serverIds: [(await sandbox.newApp()).serverIds[0]] }, { pointer: '/serverIds/0' }],
  ];
  const endpoint = await addEndpoint({});
  for (const [filter, error] of refusals) {
    for (const answer of [
      await manage('POST', '/endpoints', { ...keys, ...filter }),
      await manage('PATCH', `/endpoints/${endpoint}`, filter),
      await preview(filter),
    ]) {
      expect([answer.status, answer.body.errors]).toMatchObject([400, [error]]);
    }
  }
});

test('the status of a delivery that access withholds does not reveal whether the filter keeps the event', async () => {
  const conditions = [{ pointer: '/data/priority', equals: 'urgent' }];
  const endpoint = await addEndpoint({ conditions });
  const installation = `/servers/${app.serverIds[0]}/installation`;
  // events:read is paused or revoked, while the key may still create tickets.
  const grant = (state: string) => manage('PUT', `${installation}/scopes/events:read`, { state });
  await grant('paused');
  await ticket({ priority: 'urgent' });
  await ticket({ priority: 'low' });
  expect(await outcomes(endpoint)).toEqual(['installation_paused', 'installation_paused']);
  // The pause itself is an event, without a resource.
  expect((await preview({ conditions })).body).toMatchObject({ kept: 0, total: 1 });
  const marks = 'select is_filtered from queue where app_id = $1 order by delivery_id';
  expect(await query(marks, fromId('app', app.id))).toEqual([{ is_filtered: null }, { is_filtered: true }]);
  await grant('authorised');
  expect((await preview({ conditions })).body).toMatchObject({ kept: 1, total: 4 });
  await grant('revoked');
  await ticket({ priority: 'urgent' });
  await ticket({ priority: 'low' });
  const ended = await outcomes(endpoint);
  expect(ended).toEqual(Array.from({ length: 4 }, () => 'installation_revoked'));
});

test('a filtered delivery is redelivered on its own or by a job with the reason filtered, and by no other job', async () => {
  const endpoint = await addEndpoint({ conditions: [{ pointer: '/data/priority', equals: 'urgent' }] });
  await ticket({ priority: 'low' });
  const since = '2000-01-01T00:00:00Z';
  const count = async (filter: object) =>
    (await manage('POST', '/redeliveries', { since, isDryRun: true, ...filter })).body.total;
  expect(await count({ statuses: ['failed', 'skipped', 'cancelled'] })).toBe(0);
  expect(await count({ reason: 'filtered' })).toBe(1);
  const list = await manage<{ data: Delivery[] }>('GET', `/deliveries?endpointId=${endpoint}`);
  const made = await manage('POST', `/deliveries/${list.body.data[0]?.id}/redeliver`);
  expect([made.status, made.body.status]).toEqual([201, 'pending']);
});

test('a test event is sent even if the filter withholds it', async () => {
  const endpoint = await addEndpoint({ conditions: [{ pointer: '/data/priority', equals: 'nothing' }] });
  const sent = await manage('POST', `/endpoints/${endpoint}/test`, { type: 'ticket.created' });
  expect([sent.status, sent.body.status]).toEqual([201, 'pending']);
});
