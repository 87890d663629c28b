// The list of an app's events over HTTP: filters, causes, pages, and the boundary of the organisation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { countExaminedRows } from '../../../test/rows-read.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import type { AppEvent } from './app-event.ts';
import { MAX_EXAMINED_EVENTS } from './app-event-store.ts';
import { findEventTypes } from './event-types-store.ts';

let sandbox: Sandbox;
let app: TestApp;
/** The identifiers of the events, oldest first. */
const made: Record<'request' | 'paused' | 'ping' | 'world', string> = { request: '', paused: '', ping: '', world: '' };
let ticket: { id: string; requestId: string };

const trigger = async (type: string, objectId: string | undefined): Promise<string> =>
  (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/world/events`, { type, objectId })).body.id;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  const key = await app.key();
  const tickets = `/v1/servers/${app.serverIds[0]}/tickets`;
  const answer = await sandbox.call<{ id: string }>(tickets, key.token, json({ subject: 'Hello', body: 'A test.' }));
  ticket = { id: answer.body.id, requestId: answer.headers.get('request-id') ?? '' };
  made.request = (await list()).body.data[0]?.id ?? '';
  made.paused = await trigger('installation.paused', app.serverIds[1]);
  made.ping = await trigger('ping', app.serverIds[0]);
  made.world = await trigger('ping', app.serverIds[2]);
  await sandbox.database.superuser.query('update events set actor = null where event_id = $1', [
    fromId('evt', made.world),
  ]);
  const url = 'http://127.0.0.1:1/hooks';
  const endpoint = { url, keyId: key.id, eventTypes: ['ping', 'ticket.closed'] };
  const { id } = (await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, endpoint))
    .body.endpoint;
  for (const type of ['ping', 'ticket.closed']) {
    await sandbox.manage('POST', `/apps/${app.id}/endpoints/${id}/test`, { type });
  }
});
afterAll(() => sandbox.close());

interface Page {
  data: AppEvent[];
  nextCursor: string | null;
}
const list = (query = '', of = app, as = {}) =>
  sandbox.manage<Page>('GET', `/apps/${of.id}/events${query}`, undefined, as);
const idsOf = async (query: string): Promise<string[]> => (await list(query)).body.data.map(({ id }) => id);

test('lists events newest first with server, subject and cause, without test events', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  const none = { requestId: null, actor: null };
  expect(body.data).toMatchObject([
    { ...none, id: made.world, type: 'ping', serverId: app.serverIds[2], subject: app.serverIds[2] },
    { ...none, id: made.ping, actor: 'tester@example.org' },
    { id: made.paused, type: 'installation.paused', subject: expect.stringMatching(/^ins_/) },
    { ...none, id: made.request, type: 'ticket.created', subject: ticket.id, requestId: ticket.requestId },
  ]);
});

test.each<[string, () => string, () => string[]]>([
  ['a type', () => 'type=ping', () => [made.world, made.ping]],
  ['a server', () => `serverId=${app.serverIds[0]}`, () => [made.ping, made.request]],
  ['a subject', () => `subject=${ticket.id}`, () => [made.request]],
  ['a type and a server', () => `type=ping&serverId=${app.serverIds[0]}`, () => [made.ping]],
  ['a type and the subject of another type', () => `type=ping&subject=${ticket.id}`, () => []],
  ['a time in the future', () => 'since=2999-01-01T00:00:00Z', () => []],
  ['a time before all events', () => 'until=2000-01-01T00:00:00Z', () => []],
])('lists only events of %s', async (_, query, expected) => {
  expect(await idsOf(`?${query()}`)).toEqual(expected());
});

test('pages continue where the previous page ended, under the same filter only', async () => {
  const first = (await list('?type=ping&limit=1')).body;
  expect(first.data.map(({ id }) => id)).toEqual([made.world]);
  expect(await idsOf(`?type=ping&limit=1&cursor=${first.nextCursor}`)).toEqual([made.ping]);
  expect((await list(`?limit=1&cursor=${first.nextCursor}`)).status).toBe(400);
});

test.each([
  ['a subject of another form', 'subject=key_01j9z3v8k6e5t8m2n4p6q8r0s4', '/query/subject'],
  ['an invalid time', 'since=2026-13-01T00:00:00Z', '/query/since'],
])('refuses %s', async (_, query, pointer) => {
  const { status, body } = await sandbox.manage('GET', `/apps/${app.id}/events?${query}`);
  expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer })]]);
});

test('lists no event of another app, and answers 404 to another organisation', async () => {
  const other = await sandbox.newApp();
  expect((await list(`?subject=${ticket.id}`, other)).body.data).toEqual([]);
  const stranger = { organisationId: '0190a5b4-0000-7000-8000-000000000000' };
  expect((await list('', app, stranger)).status).toBe(404);
});

test('the types are those of stored events, with the types of test events apart', async () => {
  const typesOf = async ({ id }: TestApp) => (await sandbox.manage('GET', `/apps/${id}/event-types`)).body;
  expect(await typesOf(app)).toEqual({
    types: ['installation.paused', 'ping', 'ticket.created'],
    testTypes: ['ping', 'ticket.closed'],
  });
  expect(await typesOf(await sandbox.newApp())).toEqual({ types: [], testTypes: [] });
});

test('a page under two filters examines a bounded number of events, and the next page continues after them', async () => {
  await sandbox.database.superuser.query(
    `insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
      select app_id, id, 'ping', 1, server_id, 'server', server_id, 1, '{}' from events, unnest($2::uuid[]) id where event_id = $1`,
    [fromId('evt', made.request), Array.from({ length: MAX_EXAMINED_EVENTS + 5 }, () => newUuid())],
  );
  const both = `?type=ticket.created&serverId=${app.serverIds[0]}`;
  const first = (await list(both)).body;
  expect([first.data, typeof first.nextCursor]).toEqual([[], 'string']);
  const second = (await list(`${both}&cursor=${first.nextCursor}`)).body;
  expect([second.data.map(({ id }) => id), second.nextCursor]).toEqual([[made.request], null]);
  expect(await idsOf('?type=ticket.created')).toEqual([made.request]);
});

test('the types are read from a few entries of an index, however many events a type has', async () => {
  await sandbox.database.superuser.query('analyze events');
  const count = await runAsTenant(sandbox.plane.db.manager, fromId('app', app.id) ?? '', (tenant) =>
    countExaminedRows(tenant, findEventTypes),
  );
  // A type per entry, and the deliveries of two test events and of one ping.
  expect(count).toBeLessThan(20);
});
