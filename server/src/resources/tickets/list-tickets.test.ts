// The list of tickets: pages, isolation between apps and servers, grants, and cached pages.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import type { Scope } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Ticket } from './ticket.ts';

interface TicketPage {
  data: Ticket[];
  nextCursor: string | null;
  code?: string;
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
let server: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
  server = app.serverIds[0] ?? '';
});

const list = (query = '', as = token, on = server): Promise<Answer<TicketPage>> =>
  sandbox.call(`/v1/servers/${on}/tickets${query}`, as);
const create = async (subject: string, as = token, on = server): Promise<Ticket> => {
  const made = await sandbox.call<Ticket>(`/v1/servers/${on}/tickets`, as, json({ subject, body: 'Text.' }));
  expect(made.status).toBe(201);
  return made.body;
};
const subjectsOf = ({ body }: Answer<TicketPage>): string[] => body.data.map(({ subject }) => subject);
const setGrant = (state: string, scope?: Scope): Promise<Answer> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${scope ? `/scopes/${scope}` : ''}`, { state });

test('pages contain each ticket once, newest first, by cursor and by Link header', async () => {
  const earlier = (await list('?limit=100')).body.data;
  const made: Ticket[] = [];
  for (const subject of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) made.unshift(await create(subject));
  const walked: Ticket[] = [];
  let query: string | undefined = '?limit=2';
  while (query !== undefined) {
    const { body, headers }: Answer<TicketPage> = await list(query);
    walked.push(...body.data);
    query = body.nextCursor === null ? undefined : `?limit=2&cursor=${body.nextCursor}`;
    expect(
      /<http:\/\/sandbox\.test\/v1\/servers\/\w+\/tickets(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1],
    ).toBe(query);
  }
  expect(walked).toEqual([...made, ...earlier]);
});

test('an entry of the list equals the single ticket', async () => {
  const made = await create('Cannot join');
  const [listed] = (await list()).body.data;
  expect([listed, (await sandbox.call(`/v1/tickets/${made.id}`, token)).body]).toEqual([made, made]);
});

test('the list contains no ticket of another app or of another server', async () => {
  const [, second = ''] = app.serverIds;
  const other = await sandbox.newApp();
  const { token: otherToken } = await other.key();
  await create('By the app');
  await create('Elsewhere', token, second);
  await create('By another app', otherToken, other.serverIds[0]);
  expect(subjectsOf(await list())).toContain('By the app');
  expect(subjectsOf(await list())).not.toContain('Elsewhere');
  expect(subjectsOf(await list())).not.toContain('By another app');
  const refused = await list('', token, other.serverIds[0]);
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
});

test('a cursor of one server or app is refused for another', async () => {
  await create('First');
  await create('Second');
  const cursor = (await list('?limit=1')).body.nextCursor;
  const { token: otherToken } = await (await sandbox.newApp()).key();
  const elsewhere = await list(`?cursor=${cursor}`, token, app.serverIds[1]);
  const byAnother = await list(`?cursor=${cursor}`, otherToken);
  expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'invalid_request']);
  expect([400, 404]).toContain(byAnother.status);
});

test('a key without tickets:create is refused with missing_scope', async () => {
  const { token: narrow } = await app.key(['servers:read', 'events:read']);
  const refused = await list('', narrow);
  expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope']);
});

test('pausing or revoking the scope or the server ends the list immediately, and resuming restores it', async () => {
  const code = async (): Promise<string | undefined> => (await list()).body.code;
  expect(await code()).toBeUndefined();
  await setGrant('paused', 'tickets:create');
  expect(await code()).toBe('installation_paused');
  await setGrant('authorised', 'tickets:create');
  await setGrant('paused');
  expect(await code()).toBe('installation_paused');
  await setGrant('authorised');
  expect(await code()).toBeUndefined();
  await setGrant('revoked', 'tickets:create');
  expect(await code()).toBe('installation_revoked');
});

test('a cached page shows a new, a changed and a replaced ticket, and otherwise keeps its ETag', async () => {
  const etag = (await list()).headers.get('etag') ?? '';
  const unchanged = await sandbox.call(`/v1/servers/${server}/tickets`, token, { headers: { 'if-none-match': etag } });
  expect(unchanged.status).toBe(304);
  const made = await create('New');
  expect(subjectsOf(await list())[0]).toBe('New');
  await sandbox.database.superuser.query("update tickets set status = 'pending' where ticket_id = $1", [
    fromId('tkt', made.id),
  ]);
  expect((await list()).body.data[0]?.status).toBe('pending');
  await sandbox.database.superuser.query('delete from tickets where app_id = $1', [fromId('app', app.id)]);
  expect((await list()).body.data).toEqual([]);
  // A reset inserts tickets without events.
  await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { preset: 'busy' });
  const lists = await Promise.all(app.serverIds.map((id) => list('', token, id)));
  expect(lists.flatMap(subjectsOf).length).toBeGreaterThan(0);
});

test('the list reads only the index of the server, among many tickets of another server', async () => {
  const appId = fromId('app', app.id);
  const [first, second] = app.serverIds.map((id) => fromId('srv', id));
  const { superuser } = sandbox.database;
  await superuser.query(
    `insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, requester, labels, metadata)
     select $1, gen_random_uuid(), $2, 100000 + i, 's', 'b', 'bug', 'low', 'null', '{}', '{}' from generate_series(1, 5000) i`,
    [appId, second],
  );
  await superuser.query('analyze tickets');
  const { rows } = await superuser.query<{ 'QUERY PLAN': string }>(
    'explain (analyze, costs off, timing off, summary off) select * from tickets where app_id = $1 and server_id = $2 order by ticket_id desc limit 26',
    [appId, first],
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('tickets_by_server');
  expect(plan).not.toMatch(/Sort|Rows Removed/);
});
