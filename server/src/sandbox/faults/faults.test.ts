// Fault rules of an app: each applies from the response on that confirms it, only to that app, and costs apps without
// rules nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { startNode } from '../../../test/node.ts';
import { createSandboxApi } from '../../listeners/sandbox-api.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Fault {
  id: string;
  isEnabled: boolean;
  code?: string;
  errors?: { pointer: string; detail: string }[];
}

async function freshApp(): Promise<void> {
  app = await sandbox.newApp();
  token = (await app.key()).token;
}
const add = (effect: object, share = 1, operationId: string | null = null): Promise<Answer<Fault>> =>
  sandbox.manage<Fault>('POST', `/apps/${app.id}/faults`, { operationId, share, effect });
const change = (id: string, body: object): Promise<Answer<Fault>> =>
  sandbox.manage<Fault>('PATCH', `/apps/${app.id}/faults/${id}`, body);
const me = (headers: Record<string, string> = {}): Promise<Answer> => sandbox.call('/v1/me', token, { headers });
const codeOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body.code;

describe('fault rules of an app', () => {
  beforeAll(freshApp);

  test('a rule can be added, disabled, enabled, changed and deleted, each effective for the next call', async () => {
    const made = await add({ code: 'gone' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ operationId: null, share: 1, effect: { code: 'gone' }, isEnabled: true });
    const { id } = made.body;
    const answer = await me();
    expect([answer.status, answer.body.code, answer.headers.get('sandbox-simulated')]).toEqual([
      410,
      'gone',
      'code=gone',
    ]);
    expect((await change(id, { isEnabled: false })).body.isEnabled).toBe(false);
    expect((await me()).status).toBe(200);
    await change(id, { isEnabled: true });
    expect(await codeOf(me())).toBe('gone');
    expect((await change(id, { share: 0 })).body).toMatchObject({ share: 0, isEnabled: true });
    expect((await me()).status).toBe(200);
    await change(id, { share: 1 });
    expect(await codeOf(me())).toBe('gone');
    const list = await sandbox.manage<{ data: Fault[] }>('GET', `/apps/${app.id}/faults`);
    expect(list.body.data.map((fault) => fault.id)).toEqual([id]);
    expect((await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`)).status).toBe(204);
    expect((await me()).status).toBe(200);
    expect((await change(id, { isEnabled: true })).status).toBe(404);
    expect((await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`)).status).toBe(404);
  });

  test('each change of a rule is in the audit log', async () => {
    const { rows } = await sandbox.database.superuser.query(
      "select action, actor, detail from audit_entries where action like 'fault.%' order by audit_id",
    );
    expect(rows.map((row) => row.action)).toEqual([
      'fault.create',
      ...Array<string>(4).fill('fault.update'),
      'fault.delete',
    ]);
    expect(rows[0]).toMatchObject({ actor: 'tester@example.org', detail: { effect: 'code=gone', share: 1 } });
  });

  test('the record of a call names the rule’s effect', async () => {
    const { id } = (await add({ latencyMs: 20, code: 'timeout' })).body;
    const answer = await me();
    const record = await sandbox.manage('GET', `/apps/${app.id}/requests/${answer.headers.get('request-id')}`);
    expect(record.body).toMatchObject({ status: 504, code: 'timeout', simulated: 'latency=20, code=timeout' });
    await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
  });

  test('a rule for one operation affects no other', async () => {
    const { id } = (await add({ code: 'gone' }, 1, 'listServers')).body;
    expect((await me()).status).toBe(200);
    expect(await codeOf(sandbox.call('/v1/servers', token))).toBe('gone');
    await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
  });

  test('a rule gives way to the effect that the call itself requests', async () => {
    const { id } = (await add({ code: 'gone' })).body;
    const answer = await me({ 'sandbox-simulate': 'latency=1' });
    expect([answer.status, answer.headers.get('sandbox-simulated')]).toEqual([200, 'latency=1']);
    await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
  });

  test('a rule that resets the connection of a mutation prevents every write', async () => {
    const count = async (): Promise<string> =>
      (await sandbox.database.superuser.query('select count(*) from tickets')).rows[0].count;
    const before = await count();
    const { id } = (await add({ reset: true }, 1, 'createTicket')).body;
    const call = sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, token, json({ subject: 's', body: 'b' }));
    await expect(call).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await count()).toBe(before);
    await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
  });

  test('a rule hits about its share of the calls', async () => {
    const { id } = (await add({ code: 'gone' }, 0.5)).body;
    const answers = await Promise.all(Array.from({ length: 200 }, () => me()));
    const hits = answers.filter((answer) => answer.status === 410).length;
    // Six standard deviations on either side: a false failure once in a billion runs.
    expect(hits).toBeGreaterThan(57);
    expect(hits).toBeLessThan(143);
    expect(answers.filter((answer) => answer.status !== 410 && answer.status !== 200)).toEqual([]);
    await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
  });

  test('a rule applies on every node immediately', async () => {
    const node = startNode(sandbox);
    try {
      // The node opens its connections with its first calls.
      await until(async () => (await node.call('GET', '/v1/me', token)).status === 200);
      const { id } = (await add({ code: 'gone' })).body;
      expect((await node.call('GET', '/v1/me', token)).code).toBe('gone');
      await sandbox.manage('DELETE', `/apps/${app.id}/faults/${id}`);
      expect((await node.call('GET', '/v1/me', token)).status).toBe(200);
    } finally {
      await node.close();
    }
  });
});

describe('invalid fault rules', () => {
  beforeAll(freshApp);

  test.each([
    [{}, '/effect'],
    [{ code: 'gone', reset: true }, '/effect/reset'],
    [{ code: 'upstream_invalid' }, '/effect/code'],
    [{ code: 'sign_in_required' }, '/effect/code'],
    [{ latencyMs: 0 }, '/effect/latencyMs'],
    [{ latencyMs: 30_001 }, '/effect/latencyMs'],
    [{ reset: false }, '/effect/reset'],
    [{ nonsense: 1 }, '/effect/nonsense'],
  ])('the effect %j is refused', async (effect, pointer) => {
    const { status, body } = await add(effect);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors?.map((one) => one.pointer)).toContain(pointer);
  });

  test('an empty effect is refused with one sentence', async () => {
    const detail = 'needs at least one of latencyMs, code, reset';
    expect((await add({})).body.errors).toEqual([{ pointer: '/effect', detail }]);
  });

  test.each([
    [-0.1, null, '/share'],
    [1.1, null, '/share'],
    [1, 'noSuchOperation', '/operationId'],
    [1, 'getOpenapi', '/operationId'],
  ])('the share %d of operation %s is refused', async (share, operationId, pointer) => {
    const { status, body } = await add({ code: 'gone' }, share, operationId);
    expect(status).toBe(400);
    expect(body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  test('the twenty-first rule is refused, even among concurrent requests', async () => {
    for (let made = 0; made < 18; made++) expect((await add({ code: 'gone' }, 0)).status).toBe(201);
    const together = await Promise.all(Array.from({ length: 4 }, () => add({ code: 'gone' }, 0)));
    expect(together.map((answer) => answer.body.code ?? 'made').sort()).toEqual([
      'made',
      'made',
      'quota_exceeded',
      'quota_exceeded',
    ]);
  });
});

test('the rules of one app do not affect another app', async () => {
  await freshApp();
  await add({ code: 'gone' });
  const other = await (await sandbox.newApp()).key();
  expect((await sandbox.call('/v1/me', other.token)).status).toBe(200);
});

describe('the cost of rules per call', () => {
  async function queriesOf(calls: number): Promise<number> {
    let queries = 0;
    const { api: db } = sandbox.plane.db;
    const counted: typeof db = {
      ...db,
      transaction: (run) => {
        queries += 1;
        return db.transaction(run);
      },
      together: (statements) => {
        queries += 1;
        return db.together(statements);
      },
    };
    const node = createSandboxApi(
      { ...sandbox.plane, db: { ...sandbox.plane.db, api: counted } },
      { recorder: sandbox.recorder, trustedProxies: [], onInternalError: () => {} },
    );
    for (let call = 0; call < calls; call++) {
      const answer = await node.inject({ url: '/v1/me', headers: { authorization: `Bearer ${token}` } });
      expect(answer.statusCode).toBe(200);
    }
    await node.close();
    return queries;
  }

  test('rules cost no query for an app without rules, and one query after a change for an app with rules', async () => {
    await freshApp();
    expect(await queriesOf(5)).toBe(0);
    await add({ code: 'gone' }, 0);
    expect(await queriesOf(5)).toBe(1);
  });
});
