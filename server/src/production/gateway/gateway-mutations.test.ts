// Mutations that an upstream API carries out: each once in spite of lost responses, and none after its access has
// ended.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';

/** Longer than access may be held for a waiting request, whose connection is not released earlier. */
const DEADLINE_MS = 1_500;

let upstream: ReferenceUpstream;
let production: Production;
let app: LiveApp;
let token: string;
let server: string;
beforeAll(async () => {
  upstream = await startReferenceUpstream();
  // Another test covers the circuit breaker.
  const breaker = { failures: 1_000_000, pauseMs: 1 };
  production = await startProduction({}, { url: upstream.url, deadlineMs: DEADLINE_MS, connections: 1, breaker });
  app = await production.newApp();
  for (const serverId of upstream.serverIds) await app.install(serverId);
  token = (await app.key()).token;
  server = upstream.serverIds[0] ?? '';
});
afterEach(() => {
  Object.assign(upstream, { respond: undefined, before: undefined, losesResponses: false });
});
afterAll(async () => {
  await production.close();
  await upstream.close();
});

const answers =
  (status: number, body: string): NonNullable<ReferenceUpstream['respond']> =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const ticket = { subject: 'Cannot join', body: 'Since this morning.' };
const create = (key?: string, as = token): Promise<Answer> => {
  const init = json(ticket);
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
  return production.call(`/v1/servers/${server}/tickets`, as, { ...init, headers });
};
const sent = (): number => upstream.requests.filter(({ method }) => method === 'POST').length;
describe('a forwarded mutation is carried out once', () => {
  test.each([
    ['its answer is lost', () => Object.assign(upstream, { losesResponses: true }), 504, 'timeout'],
    [
      'its answer does not come',
      () => Object.assign(upstream, { before: () => new Promise((resolve) => setTimeout(resolve, DEADLINE_MS + 300)) }),
      504,
      'timeout',
    ],
    ['its response is invalid', () => {}, 502, 'upstream_invalid'],
  ] as const)('when %s, the outcome is unknown, a repeat must wait, and then gets the one response', async (title, arrange, status, code) => {
    const [before, sentBefore] = [upstream.mutations.tickets, sent()];
    arrange();
    if (code === 'upstream_invalid')
      upstream.respond = (_request, response) => answers(201, `{"lie":1}`)(_request, response, '');
    const lost = await create(title);
    expect([lost.status, lost.body.code]).toEqual([status, code]);
    expect(await production.waitFor(app, '1 minute')).toBe(1);
    const early = await create(title);
    expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_in_progress',
      '1',
    ]);
    expect(sent() - sentBefore).toBe(1);
    Object.assign(upstream, { respond: undefined, before: undefined, losesResponses: false });
    await production.waitFor(app, '0');
    const again = await create(title);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const replayed = await create(title);
    expect([replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([again.body, 'true']);
    expect(sent() - sentBefore).toBe(2);
    await until(() => upstream.mutations.tickets === before + 1);
    const keys = upstream.requests.slice(-2).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  test('a repeat must wait while the mutation is in flight', async () => {
    let goOn = (): void => {};
    upstream.before = () =>
      new Promise((resolve) => {
        goOn = resolve;
      });
    const first = create('under way');
    await until(
      () =>
        upstream.requests.at(-1)?.method === 'POST' &&
        upstream.requests.at(-1)?.headers['idempotency-key'] !== undefined &&
        goOn.length === 1,
    );
    expect((await create('under way')).body.code).toBe('idempotency_in_progress');
    goOn();
    expect((await first).status).toBe(201);
    const { rows } = await production.database.superuser.query('select from forwarded_mutations where app_id = $1', [
      app.uuid,
    ]);
    expect(rows).toEqual([]);
  });

  test('a mutation without an Idempotency-Key gets its own key and is never sent again', async () => {
    upstream.losesResponses = true;
    const sentBefore = sent();
    expect((await create()).status).toBe(504);
    expect(sent() - sentBefore).toBe(1);
    expect(upstream.requests.at(-1)?.headers['idempotency-key']).toMatch(/^slw_req_/);
  });

  test('another request under a key with an unknown outcome is refused, and a refusal frees its key', async () => {
    upstream.losesResponses = true;
    await create('taken');
    upstream.losesResponses = false;
    await production.waitFor(app, '0');
    const other = await production.call(`/v1/servers/${server}/tickets`, token, {
      ...json({ ...ticket, subject: 'Other' }),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'taken' },
    });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    upstream.respond = answers(429, '{}');
    expect((await create('refused')).status).toBe(429);
    upstream.respond = undefined;
    expect((await create('refused')).status).toBe(201);
  });

  test('the same key of two apps is two keys at the upstream API', async () => {
    const other = await production.newApp();
    await other.install(server);
    const before = upstream.mutations.tickets;
    await create('the same');
    await create('the same', (await other.key()).token);
    expect(upstream.mutations.tickets - before).toBe(2);
  });

  test('a stored response of a run is returned while the upstream API is unreachable, and other runs fail', async () => {
    const workflow = upstream.objects.workflow(server);
    const run = (key: string, memberName: string): Promise<Answer> =>
      production.call(`/v1/workflows/${workflow}/runs`, token, {
        ...json({ input: { memberName } }),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
    const first = await run('a run', 'Maren');
    expect(first.status).toBe(202);
    upstream.respond = (_request, response) => void response.destroy();
    const again = await run('a run', 'Maren');
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([202, first.body, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect((await run('a run', 'Jonas')).status).toBe(504);
    expect((await run('another run', 'Maren')).status).toBe(504);
  });

  test('a mutation whose access is revoked is not sent, not even to learn its outcome', async () => {
    const other = await production.newApp();
    await other.install(server);
    const { token: theirs } = await other.key();
    upstream.losesResponses = true;
    expect((await create('revoked', theirs)).status).toBe(504);
    upstream.losesResponses = false;
    await production.database.superuser.query("update installations set state = 'revoked' where app_id = $1", [
      other.uuid,
    ]);
    await production.database.superuser.query('update forwarded_mutations set leased_until = now()');
    const sentBefore = sent();
    expect((await create('revoked', theirs)).body.code).toBe('installation_revoked');
    expect(sent()).toBe(sentBefore);
  });
});

test('a mutation that waits for a connection longer than its access may be held is not sent, and its key is free', async () => {
  const held: (() => void)[] = [];
  upstream.before = () => new Promise((resolve) => void held.push(resolve));
  // This request uses the only connection.
  const slow = production.call(`/v1/servers/${server}`, token);
  await until(() => held.length === 1);
  const sentBefore = sent();
  const waiting = await create('waited');
  expect([waiting.status, waiting.body.code]).toEqual([503, 'unavailable']);
  for (const goOn of held) goOn();
  upstream.before = undefined;
  await slow;
  expect(sent()).toBe(sentBefore);
  expect((await create('waited')).status).toBe(201);
});

test('a mutation that waits for a connection is not sent after Postgres released its access', async () => {
  const { superuser } = production.database;
  const other = await production.newApp();
  await other.install(server);
  const { token: otherToken } = await other.key();
  const held: (() => void)[] = [];
  upstream.before = () => new Promise((resolve) => void held.push(resolve));
  // This request uses the only connection to the upstream API.
  const slow = production.call(`/v1/servers/${server}`, token);
  await until(() => held.length === 1);
  const sentBefore = sent();
  const waiting = create('lost', otherToken);
  // The transaction that stores the intent has ended, so only the one that holds the access is found.
  await until(async () => {
    const text = 'select from forwarded_mutations where app_id = $1';
    return (await superuser.query(text, [other.uuid])).rowCount === 1;
  });
  const holder = await until(async () => {
    const { rows } = await superuser.query<{ pid: number }>(
      `select pid from pg_stat_activity join pg_locks using (pid)
      where datname = current_database() and locktype = 'advisory' and state = 'idle in transaction'`,
    );
    return rows[0];
  });
  await superuser.query('select pg_terminate_backend($1, 5000)', [holder.pid]);
  await superuser.query("update installations set state = 'revoked' where app_id = $1", [other.uuid]);
  for (const goOn of held) goOn();
  upstream.before = undefined;
  await slow;
  const refused = await waiting;
  expect([refused.status, refused.body.code, sent() - sentBefore]).toEqual([503, 'unavailable', 0]);
});

test('waiting mutations of one app do not delay other apps', async () => {
  const { superuser } = production.database;
  const other = await production.newApp();
  await other.install(server);
  const { token: theirs } = await other.key();
  await superuser.query('begin');
  await superuser.query('select pg_advisory_xact_lock(access_lock($1, $1))', [app.uuid]);
  const waiting = Array.from({ length: 20 }, () => create());
  await untilLocksWaited(superuser, 8);
  const read = await production.call(`/v1/servers/${server}`, theirs);
  const made = await create(undefined, theirs);
  await superuser.query('rollback');
  expect([read.status, made.status]).toEqual([200, 201]);
  await Promise.all(waiting);
});
