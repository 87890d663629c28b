// A record holds masks in place of values that it does not keep. A replay or a call never sends a mask as data by
// mistake.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

interface Call extends Record<string, unknown> {
  status: number;
  body: string;
  errors?: { pointer: string; detail: string }[];
}
const tickets = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const idOf = ({ headers }: Answer): string => headers.get('request-id') ?? '';
const refuse = async (ticket: object): Promise<string> => {
  const answer = await sandbox.call(tickets(), key.token, json(ticket));
  expect(answer.status).toBe(400);
  return idOf(answer);
};
const replay = (id: string, body: unknown, more: object = {}) =>
  sandbox.manage<Call>('POST', `/apps/${app.id}/requests/${id}/replay`, { body: JSON.stringify(body), ...more });
const call = (body: unknown, more: object = {}) =>
  sandbox.manage<Call>('POST', `/apps/${app.id}/calls`, {
    keyId: key.id,
    method: 'POST',
    path: tickets(),
    body: JSON.stringify(body),
    ...more,
  });
const pointersOf = ({ body }: { body: Call }): (string | undefined)[] =>
  (body.errors ?? []).map(({ pointer }) => pointer);
const countTickets = async (): Promise<unknown> =>
  (await sandbox.database.superuser.query('select count(*)::int as n from tickets')).rows[0]?.n;

test('a record names the pointers of the values that it masks', async () => {
  const id = await refuse({ subject: 'x', body: '', nonsense: 'secret', more: 1 });
  const { body } = await sandbox.manage<{ errorContext: { body: object }; maskedPointers: string[] }>(
    'GET',
    `/apps/${app.id}/requests/${id}`,
  );
  expect(body.errorContext.body).toEqual({ subject: '[string of 1 character]', body: '', '*': '[2 unknown fields]' });
  expect(body.maskedPointers.toSorted()).toEqual(['/*', '/subject']);
});

test('a replay with the masks of its record is refused, names each pointer and creates no ticket', async () => {
  const id = await refuse({ subject: 'Hello', body: 'From a test.', nonsense: 1 });
  const before = await countTickets();
  const kept = { subject: '[string of 5 characters]', body: '[string of 12 characters]', '*': '[1 unknown field]' };
  const refused = await replay(id, kept);
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  expect(pointersOf(refused)).toEqual(['/body/subject', '/body/body', '/body/*']);
  expect(refused.body.errors?.[0]?.detail).toContain('add `/body/subject` to `literals`');
  const half = await replay(id, { subject: 'Hello', body: kept.body });
  expect([half.status, pointersOf(half)]).toEqual([400, ['/body/body']]);
  expect(await countTickets()).toBe(before);
  const filled = await replay(id, { subject: 'Hello', body: 'From a test.' });
  expect([filled.status, filled.body.status, await countTickets()]).toEqual([200, 201, Number(before) + 1]);
});

test('a text that looks like a mask is sent only if its pointer is in `literals`', async () => {
  const id = await refuse({ subject: 7, body: 'x' });
  // This text equals its own mask.
  const ticket = { subject: '[string of 25 characters]', body: '[number]' };
  const one = await replay(id, ticket, { literals: ['/body/subject'] });
  expect([one.status, pointersOf(one)]).toEqual([400, ['/body/body']]);
  const both = await replay(id, ticket, { literals: ['/body/subject', '/body/body'] });
  expect([both.body.status, JSON.parse(both.body.body)]).toEqual([201, expect.objectContaining(ticket)]);
});

test('a call with a mask of a record is refused: in the body, in a header, and as the whole body', async () => {
  const masked = await call({ subject: 'Hello', body: '[string of 12 characters]' });
  expect([masked.status, pointersOf(masked)]).toEqual([400, ['/body/body']]);
  const ticket = { subject: 'Hello', body: 'x' };
  const header = await call(ticket, { headers: { 'Idempotency-Key': '[string of 7 characters]' } });
  expect([header.status, pointersOf(header)]).toEqual([400, ['/headers/Idempotency-Key']]);
  const whole = await call(null, { body: '[object of 30 fields]' });
  expect([whole.status, pointersOf(whole)]).toEqual([400, ['/body']]);
  expect((await call(ticket)).body.status).toBe(201);
});

test('a request with a masked query is replayed only with a query without masks', async () => {
  const id = idOf(await sandbox.call('/v1/servers?limit=1000&nonsense=1', key.token));
  const of = (path: string) => `/apps/${app.id}/requests/${path}`;
  const detail = await sandbox.manage<{ maskedParameters: string[]; isPathComplete: boolean }>('GET', of(id));
  expect(detail.body).toMatchObject({ maskedParameters: ['limit=*', '*=*'], isPathComplete: true });
  const again = (input: object) => sandbox.manage<Call & { omittedParts: string[] }>('POST', of(`${id}/replay`), input);
  const conflict = await again({});
  expect([conflict.status, conflict.body.detail]).toEqual([409, expect.stringMatching(/Give the `query` to send/)]);
  for (const query of ['limit=2&*=*', 'limit=*']) {
    const refused = await again({ query });
    expect([refused.status, pointersOf(refused)]).toEqual([400, ['/query']]);
  }
  const made = await again({ query: 'limit=2' });
  expect([made.status, made.body.status, made.body.omittedParts]).toEqual([200, 200, []]);
  expect(JSON.parse(made.body.body).data).toHaveLength(2);
  const whole = idOf(await sandbox.call('/v1/servers?limit=2', key.token));
  const kept = await sandbox.manage<Call>('POST', of(`${whole}/replay`), { query: 'limit=3' });
  expect([kept.status, pointersOf(kept)]).toEqual([400, ['/query']]);
});
