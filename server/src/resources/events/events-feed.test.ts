// The feed of events: oldest first, complete with overlapping writers, with the bytes of the webhooks, and without
// events of servers that do not or no longer allow the app to read them. Includes the tickets that the events describe.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

interface Event {
  id: string;
  type: string;
  serverId: string;
  subject: { type: string; id: string };
  sequence: number;
  requestId: string;
  data: Record<string, unknown>;
}
interface Feed {
  data: Event[];
  nextAfter: string | null;
  code?: string;
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});

const createTicket = (subject = 's', server = app.serverIds[0]): Promise<Answer<{ id: string }>> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject, body: 'b' }));
const feed = (query: Record<string, string> = {}): Promise<Answer<Feed>> =>
  sandbox.call(`/v1/events?${new URLSearchParams(query)}`, token);
/**
 * Returns the feed as soon as it contains `count` events. It waits for older transactions of the whole Postgres
 * instance, including those of other tests.
 */
const feedOf = (count: number, query: Record<string, string> = {}): Promise<Answer<Feed>> =>
  until(async () => {
    const answer = await feed(query);
    return answer.body.data.length === count ? answer : undefined;
  });
const subjects = ({ body }: Answer<Feed>): unknown[] => body.data.map((event) => event.data.subject);
const setGrant = (state: string, server = app.serverIds[0], scope = ''): Promise<Answer> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${scope}`, { state });

describe('the feed of events', () => {
  test('is empty and has no position for an app without events', async () => {
    expect((await feed()).body).toEqual({ data: [], nextAfter: null, hasMore: false });
  });

  test('returns each event once, oldest first, and continues after its last position', async () => {
    for (const subject of ['1', '2', '3', '4', '5']) await createTicket(subject);
    await feedOf(5);
    const first = await feed({ limit: '3' });
    expect(subjects(first)).toEqual(['1', '2', '3']);
    const second = await feed({ limit: '3', after: first.body.nextAfter ?? '' });
    expect(subjects(second)).toEqual(['4', '5']);
    const third = await feed({ after: second.body.nextAfter ?? '' });
    expect(third.body).toEqual({ data: [], nextAfter: second.body.nextAfter, hasMore: false });
    await createTicket('6');
    expect(subjects(await feedOf(1, { after: third.body.nextAfter ?? '' }))).toEqual(['6']);
  });

  test('contains the request that caused the event and the resource at that time', async () => {
    const created = await createTicket('Seen');
    const [event] = (await feedOf(1)).body.data;
    expect(event).toMatchObject({ type: 'ticket.created', sequence: 1, data: created.body });
    expect([event?.requestId, event?.subject]).toEqual([
      created.headers.get('request-id'),
      { type: 'ticket', id: created.body.id },
    ]);
    const alone = await sandbox.call(`/v1/events/${event?.id}`, token);
    expect(alone.body).toEqual(event);
  });

  test('waits for an older open transaction, so that its event is not skipped when it commits later', async () => {
    await createTicket('before');
    const { body: start } = await feedOf(1);
    const slow = sandbox.database.superuser;
    await slow.query('begin');
    await slow.query('select pg_current_xact_id()');
    await createTicket('fast');
    const meanwhile = await feed({ after: start.nextAfter ?? '' });
    expect(subjects(meanwhile)).toEqual([]);
    await slow.query(
      `insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body)
       select app_id, $2, type, schema_version, server_id, subject_type, $3, 1,
         (body::jsonb || jsonb_build_object('id', $4::text) || '{"data": {"subject": "slow"}}')::text
       from events where app_id = $1 limit 1`,
      [fromId('app', app.id), newUuid(), newUuid(), toId('evt', newUuid())],
    );
    await slow.query('commit');
    const after = await feedOf(2, { after: meanwhile.body.nextAfter ?? '' });
    expect(subjects(after).sort()).toEqual(['fast', 'slow']);
  });

  test('returns the delayed events as soon as the older transaction has ended, without a further change', async () => {
    const slow = sandbox.database.superuser;
    await slow.query('begin');
    await slow.query('select pg_current_xact_id()');
    await createTicket('left out');
    expect(subjects(await feed())).toEqual([]);
    await slow.query('rollback');
    expect(subjects(await feedOf(1))).toEqual(['left out']);
  });

  test('omits servers with a paused or revoked installation or scope, and rejects a query for such a server', async () => {
    await createTicket('A', app.serverIds[0]);
    await createTicket('B', app.serverIds[1]);
    await createTicket('C', app.serverIds[2]);
    await setGrant('paused', app.serverIds[0]);
    await setGrant('revoked', app.serverIds[1], '/scopes/events:read');
    const tickets = { type: 'ticket.created' };
    expect(subjects(await feedOf(1, tickets))).toEqual(['C']);
    expect((await feed({ serverId: app.serverIds[0] ?? '' })).body.code).toBe('installation_paused');
    expect((await feed({ serverId: app.serverIds[1] ?? '' })).body.code).toBe('installation_revoked');
    await setGrant('authorised', app.serverIds[0]);
    expect(subjects(await feedOf(2, tickets))).toEqual(['A', 'C']);
    expect(subjects(await feed({ ...tickets, serverId: app.serverIds[0] ?? '' }))).toEqual(['A']);
    expect(subjects(await feed({ type: 'ping' }))).toEqual([]);
  });

  test('contains a pause while it lasts and its end, without a resource and independently of grants', async () => {
    await setGrant('paused');
    await setGrant('authorised');
    await setGrant('revoked', app.serverIds[0], '/scopes/events:read');
    await setGrant('paused');
    await setGrant('revoked');
    const { data } = (await feedOf(5)).body;
    expect(data.map(({ type, sequence, data: resource }) => [type, sequence, resource])).toEqual([
      ['installation.paused', 1, {}],
      ['installation.resumed', 2, {}],
      ['installation.scope_changed', 3, expect.objectContaining({ scopes: ['events:read'] })],
      ['installation.paused', 4, {}],
      ['installation.scope_changed', 5, expect.objectContaining({ scopes: expect.any(Array) })],
    ]);
    expect(new Set(data.map((event) => event.subject.id)).size).toBe(1);
    const one = await sandbox.call(`/v1/events/${data[2]?.id}`, token);
    expect([one.status, one.body]).toEqual([200, data[2]]);
  });

  test('excludes events of another app, and rejects a position of another app', async () => {
    await createTicket();
    const position = (await feedOf(1)).body.nextAfter ?? '';
    const other = await (await sandbox.newApp()).key();
    expect((await sandbox.call<Feed>('/v1/events', other.token)).body.data).toEqual([]);
    const stolen = await sandbox.call(`/v1/events?after=${position}`, other.token);
    expect([stolen.status, stolen.body.errors]).toMatchObject([400, [{ pointer: '/query/after' }]]);
    const filtered = await feed({ after: position, type: 'ping' });
    expect(filtered.status).toBe(400);
  });
});

describe('a ticket of the app', () => {
  test('is returned with an ETag to the app that created it, until the grant ends', async () => {
    const { body: ticket, headers } = await createTicket();
    const path = new URL(headers.get('location') ?? '').pathname;
    const read = await sandbox.call(path, token);
    expect(read.body).toEqual(ticket);
    const again = await sandbox.call(path, token, { headers: { 'if-none-match': read.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    await setGrant('paused');
    expect((await sandbox.call(path, token)).body.code).toBe('installation_paused');
  });
});
