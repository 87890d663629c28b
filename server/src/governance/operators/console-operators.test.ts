// Operators: who has the role, what they decide, and that the role gives no access to organisations.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { openDatabase } from '../../kit/db/db.ts';
import { insertOperator, operatorOperations } from './index.ts';

let site: TestConsole;
let operator: TestVisitor;
beforeAll(async () => {
  site = await startConsole('local');
  operator = site.newVisitor();
  await operator.signInByLink(await site.identity.ensurePerson(OPERATOR, 'Operator'));
});
afterAll(() => site.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await site.database.superuser.query(text, values)).rows;
const actions = () =>
  query<{ action: string }>('select action, operator, target from operator_actions order by done_at');

async function newOrganisation(): Promise<{ owner: TestVisitor; id: string }> {
  const { visitor: owner } = await site.newPerson();
  const made = await owner.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  return { owner, id: made.body.id };
}

test('an operator can read requests without an authenticated key, newest first, with counts of the others', async () => {
  const { superuser } = site.plane.database;
  const ids = [newUuid(), newUuid(), newUuid()];
  await superuser.query(
    `insert into unproved_requests (request_id, at, duration_us, status, problem_code, path)
     select unnest($1::uuid[]), now(), 1500, 401, 'invalid_key', '/v1/servers'`,
    [ids],
  );
  await superuser.query(
    `insert into unproved_counts select date_trunc('hour', now()) - make_interval(hours => h), '192.0.2.0/24', '', 7, now(), now()
     from unnest('{0,1,30}'::int[]) as h`,
  );
  const list = (query: string) =>
    operator.call<{ data: { id: string }[]; counts: unknown[] }>(
      'GET',
      `/api/operator/unauthenticated-requests${query}`,
    );
  const first = await list('?limit=2');
  expect(first.body.data.map(({ id }) => id)).toEqual([toId('req', ids[2] ?? ''), toId('req', ids[1] ?? '')]);
  expect(first.body.data[0]).toMatchObject({ status: 401, code: 'invalid_key', durationMs: 1.5, clientAddress: null });
  expect(first.body.counts).toMatchObject([{ network: '192.0.2.0/24', code: null, requests: 14 }]);
  const rest = await list(`?environment=sandbox&before=${first.body.data[1]?.id}`);
  expect(rest.body.data.map(({ id }) => id)).toEqual([toId('req', ids[0] ?? '')]);
  expect((await list('?environment=production')).status).toBe(404);
});

describe('the role of an operator', () => {
  test.each(
    operatorOperations.map((one) => [one.id, one] as const),
  )('the operation %s requires an operator', async (_, one) => {
    const path = one.path
      .replace('{organisationId}', toId('org', newUuid()))
      .replace('{messageId}', toId('msg', newUuid()));
    const body = Object.values(one.examples ?? {})[0];
    const { owner } = await newOrganisation();
    const refused = await owner.call(one.method, path, body);
    expect([refused.status, refused.body.code]).toEqual([403, 'operator_required']);
    expect((await site.newVisitor().call(one.method, path, body)).status).toBe(401);
    expect((await operator.call(one.method, path, body, { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('an operator is a person with a verified address in the settings, or a person who was made one', async () => {
    const { person, visitor } = await site.newPerson();
    const policyStatus = async () => (await visitor.call('GET', '/api/operator/sign-up-policy')).status;
    const isOperator = async (who: TestVisitor) => (await who.call('GET', '/api/session')).body.isOperator;
    expect([await policyStatus(), await isOperator(visitor), await isOperator(operator)]).toEqual([403, false, true]);
    const db = openDatabase({ url: site.database.url, max: 1, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
    await insertOperator(db, person.id);
    await db.close();
    expect([await policyStatus(), await isOperator(visitor)]).toEqual([200, true]);
    await query('update "user" set "emailVerified" = false where email = $1', [OPERATOR]);
    expect((await operator.call('GET', '/api/operator/sign-up-policy')).body.code).toBe('email_not_verified');
    await query('update "user" set "emailVerified" = true where email = $1', [OPERATOR]);
  });

  test('an operator has no access to organisations', async () => {
    const { id } = await newOrganisation();
    const base = `/api/sandbox/organisations/${id}`;
    for (const [method, path, body] of [
      ['GET', `${base}/apps`],
      ['POST', `${base}/apps`, { name: 'Mine now' }],
    ] as const)
      expect((await operator.call(method, path, body)).status).toBe(404);
    const { body } = await operator.call('GET', '/api/operator/organisations?limit=1');
    expect(body.data).toEqual([
      {
        id,
        name: 'Harbour Tools',
        createdAt: expect.any(String),
        memberCount: 1,
        suspendedAt: null,
        suspendedReason: null,
        quotas: {},
      },
    ]);
  });

  test('actions of operators are recorded permanently', async () => {
    await operator.call('PUT', '/api/operator/sign-up-policy', { policy: 'domain', domains: ['example.org'] });
    expect((await actions()).at(-1)).toEqual({ action: 'sign_up_policy.set', operator: OPERATOR, target: 'domain' });
    await expect(query("update operator_actions set operator = 'nobody'")).rejects.toThrow(/only added to/);
    await expect(query('delete from operator_actions')).rejects.toThrow(/only added to/);
  });
});

describe('suspension of an organisation by an operator', () => {
  test('a suspended organisation refuses its members from the next request on, until it is resumed', async () => {
    const { owner, id } = await newOrganisation();
    const apps = `/api/sandbox/organisations/${id}/apps`;
    const at = `/api/operator/organisations/${id}`;
    const reason = 'The invoice of March is open.';
    const app = await owner.call<{ id: string }>('POST', apps, { name: 'An app' });
    const readStatus = async () => {
      const { superuser } = site.plane.database;
      const appId = fromId('app', app.body.id);
      return (await superuser.query('select standing from apps where app_id = $1', [appId])).rows[0]?.standing;
    };
    expect((await operator.call('POST', `${at}/suspend`, { reason })).body).toMatchObject({ suspendedReason: reason });
    for (const [method, body] of [['GET'], ['POST', { name: 'An app' }]] as const) {
      const refused = await owner.call(method, apps, body);
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([403, 'organisation_suspended', reason]);
    }
    expect(await readStatus()).toBe('suspended');
    expect((await (await newOrganisation()).owner.call('GET', apps)).status).toBe(404);
    expect((await operator.call('POST', `${at}/resume`)).body).toMatchObject({ suspendedAt: null });
    expect([(await owner.call('GET', apps)).status, await readStatus()]).toEqual([200, 'active']);
    const uuid = fromId('org', id);
    expect(
      await query('select actor_kind, actor, action from audit_entries where organisation_id = $1 order by sequence', [
        uuid,
      ]),
    ).toMatchObject([
      { actor_kind: 'person' },
      { actor_kind: 'operator', actor: OPERATOR, action: 'organisation.suspend' },
      { actor_kind: 'operator', actor: OPERATOR, action: 'organisation.resume' },
    ]);
  });

  test.each([
    'Contract terminated.',
    'socket',
    'timeout',
    'ECONNRESET',
  ])('a suspended organisation answers 403 without losing a database connection, if the reason is "%s"', async (reason) => {
    const { owner, id } = await newOrganisation();
    const at = `/api/operator/organisations/${id}`;
    const connections = async () => {
      const own = `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
      return new Set((await query<{ pid: number }>(own)).map(({ pid }) => pid));
    };
    expect((await operator.call('POST', `${at}/suspend`, { reason })).status).toBe(200);
    const before = await connections();
    for (const path of [`/api/organisations/${id}/members`, `/api/sandbox/organisations/${id}/apps`]) {
      const refused = await owner.call('GET', path);
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([403, 'organisation_suspended', reason]);
    }
    const after = await connections();
    expect([...before].filter((pid) => !after.has(pid))).toEqual([]);
  });

  test('suspending an unknown organisation gets 404 and records nothing', async () => {
    const before = (await actions()).length;
    const at = `/api/operator/organisations/${toId('org', newUuid())}`;
    expect((await operator.call('POST', `${at}/suspend`, { reason: 'None.' })).status).toBe(404);
    expect((await operator.call('PUT', `${at}/quotas`, { apps: 1 })).status).toBe(404);
    expect((await actions()).length).toBe(before);
  });

  test('setting quotas replaces all quotas', async () => {
    const { owner, id } = await newOrganisation();
    const set = async (body: object) =>
      (await operator.call('PUT', `/api/operator/organisations/${id}/quotas`, body)).body.quotas;
    expect(await set({ apps: 20, keysPerApp: 500 })).toEqual({ apps: 20, keysPerApp: 500 });
    expect(await set({ apps: 0 })).toEqual({ apps: 0 });
    const refused = await owner.call('POST', `/api/sandbox/organisations/${id}/apps`, { name: 'One too many' });
    expect(refused.body.code).toBe('quota_exceeded');
  });
});

test('a sign-up policy by domain requires domains, and other policies accept none', async () => {
  for (const body of [
    { policy: 'domain', domains: [] },
    { policy: 'open', domains: ['example.org'] },
    { policy: 'domain', domains: ['not a domain'] },
  ])
    expect((await operator.call('PUT', '/api/operator/sign-up-policy', body)).status).toBe(400);
});

describe('the outbox for operators', () => {
  interface ListedOrganisation {
    data: { id: string; to: string; state: string }[];
  }

  test('the outbox is listed without texts; reading a waiting message shows its text and is recorded', async () => {
    const { person, visitor } = await site.newPerson();
    await visitor.call('POST', '/api/password-resets', { email: person.email });
    await site.runLinks();
    const list = await operator.call<ListedOrganisation>('GET', '/api/operator/messages?limit=1');
    expect(list.body.data).toMatchObject([{ to: person.email, state: 'waiting' }]);
    expect(list.text).not.toContain('#token=');
    const id = list.body.data[0]?.id;
    const read = await operator.call('GET', `/api/operator/messages/${id}`);
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(read.body.text).toContain('#token=');
    expect((await actions()).at(-1)).toEqual({ action: 'message.read', operator: OPERATOR, target: id });
    const older = await operator.call<ListedOrganisation>('GET', `/api/operator/messages?before=${id}`);
    expect(older.body.data.map((one) => one.id)).not.toContain(id);
    await query("update outbox set state = 'failed', text = null, ended_at = now(), last_error = 'gone'");
    expect((await operator.call('GET', `/api/operator/messages/${id}`)).body.code).toBe('conflict');
    const inState = async (state: string) =>
      (await operator.call<ListedOrganisation>('GET', `/api/operator/messages?state=${state}`)).body.data.map(
        (one) => one.id,
      );
    expect(await inState('failed')).toContain(id);
    expect([await inState('waiting'), await inState('sent')]).toEqual([[], []]);
  });

  test('the outbox shows no text if a mail server is configured', async () => {
    const sending = await startConsole('local', { sendsMail: true });
    try {
      const visitor = sending.newVisitor();
      await visitor.signInByLink(await sending.identity.ensurePerson(OPERATOR, 'Operator'));
      await visitor.call('POST', '/api/password-resets', { email: OPERATOR });
      await sending.runLinks();
      const list = await visitor.call<ListedOrganisation>('GET', '/api/operator/messages');
      const { status, text } = await visitor.call('GET', `/api/operator/messages/${list.body.data[0]?.id}`);
      expect(status).toBe(409);
      expect(text).not.toContain('#token=');
    } finally {
      await sending.close();
    }
  });
});
