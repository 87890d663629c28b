// The end of a rotated key is a time on the database's clock. It takes effect without a job, on every node and path
// that checks the key, and cannot be moved.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type ApiNode, startNode } from '../../../test/node.ts';
import { createGate } from '../../../test/request-gate.ts';
import { type RoleContext, type RoleResult, runAsRole, SQLSTATES } from '../../../test/run-as-role.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
const nodes: ApiNode[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await sandbox.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});

const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const uuid = (): string => fromId('key', key.id) ?? '';
/** Sets the end of the key. The database rejects a second end. */
const endIn = (span: string) =>
  query(`update keys set ends_at = clock_timestamp() + interval '${span}' where key_id = $1`, [uuid()]);
const hasEnded = async (): Promise<boolean> =>
  (await query('select ends_at <= clock_timestamp() as has_ended from keys where key_id = $1', [uuid()]))[0].has_ended;

function start(...given: Parameters<typeof startNode> extends [unknown, ...infer Rest] ? Rest : never): ApiNode {
  const node = startNode(sandbox, ...given);
  nodes.push(node);
  return node;
}

describe('after its end, a rotated key', () => {
  test('is rejected by every node exactly at the time of the database’s clock', async () => {
    const both = [start(), start()];
    await endIn('1 second');
    const seen = { before: 0, after: 0 };
    while (seen.after < 10) {
      const node = both[(seen.before + seen.after) % 2];
      const [wasOver, answer, isOver] = [
        await hasEnded(),
        await node?.call('GET', '/v1/me', key.token),
        await hasEnded(),
      ];
      if (wasOver) expect([answer?.status, answer?.code]).toEqual([401, 'revoked_key']);
      else if (!isOver) expect(answer?.status).toBe(200);
      seen[wasOver ? 'after' : 'before'] += 1;
    }
    expect(seen.before).toBeGreaterThan(0);
  });

  test('cannot commit a mutation that was allowed before the end', async () => {
    const gate = createGate();
    gate.shut();
    const node = start({}, gate.exchange);
    const path = `/v1/servers/${app.serverIds[0]}/tickets`;
    const answer = node.call('POST', path, key.token, { subject: 'too late', body: 'b' });
    await until(() => gate.authenticatedCount() === 1);
    await endIn('0 seconds');
    gate.open();
    expect((await answer).code).toBe('revoked_key');
    expect(await query("select from tickets where subject = 'too late'")).toEqual([]);
  });

  test('is rejected in a person’s call by the key’s id', async () => {
    await endIn('0 seconds');
    const call = await sandbox.manage<{ status: number; body: string }>('POST', `/apps/${app.id}/calls`, {
      keyId: key.id,
      method: 'GET',
      path: '/v1/me',
    });
    expect([call.body.status, JSON.parse(call.body.body).code]).toEqual([401, 'revoked_key']);
  });

  test('leaves its endpoints without deliveries: the endpoint shows the key’s state, and an event records the reason', async () => {
    const other = await app.key();
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ticket.created'] };
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint);
    await endIn('0 seconds');
    const endpoints = await sandbox.manage<{ data: object[] }>('GET', `/apps/${app.id}/endpoints`);
    expect(endpoints.body.data).toMatchObject([{ keyState: 'revoked' }]);
    const made = await start().call('POST', `/v1/servers/${app.serverIds[0]}/tickets`, other.token, {
      subject: 's',
      body: 'b',
    });
    expect(made.status).toBe(201);
    expect(await query('select status, reason from deliveries where key_id = $1', [uuid()])).toEqual([
      { status: 'skipped', reason: 'key_revoked' },
    ]);
  });
});

describe('the database rejects for every role', () => {
  const manager = (): RoleContext => ({ role: 'slipway_manager', appId: fromId('app', app.id) ?? '' });
  const asManager = (text: string, values: unknown[] = []): Promise<RoleResult> =>
    runAsRole(sandbox.database.superuser, manager(), text, values);
  const change = (what: string): Promise<string> =>
    query(`update keys set ${what} where key_id = $1`, [uuid()]).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const insert = (columns: string, values: string): Promise<RoleResult> =>
    asManager(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at,
         ${columns}) select app_id, gen_random_uuid(), 'abcdefghijkl', sha256('x'), 1, 'A key', scopes, 'a test', now(),
         now() + interval '1 day', ${values} from keys where key_id = $1 returning 1 as made`,
      [uuid()],
    );

  test.each([
    ['later', "ends_at = ends_at + interval '1 second'"],
    ['sooner, which is for a revoke to do', "ends_at = ends_at - interval '1 second'"],
    ['never', 'ends_at = null'],
  ])('moving the end of a key: %s', async (_, what) => {
    await endIn('1 hour');
    expect(await change(what)).toBe(SQLSTATES.check);
    expect(await asManager(`update keys set ${what} where key_id = $1`, [uuid()])).toEqual({
      refused: SQLSTATES.check,
    });
  });

  test('an end more than a day ahead', async () => {
    expect(await change("ends_at = clock_timestamp() + interval '24 hours 1 minute'")).toBe(SQLSTATES.check);
    expect(await change("ends_at = clock_timestamp() + interval '24 hours'")).toBe('done');
  });

  test('an end for a revoked key, and an end that cancels a revocation', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    expect(await change("ends_at = clock_timestamp() + interval '1 hour'")).toBe(SQLSTATES.check);
    expect(await change("state = 'active', revoked_at = null, ends_at = clock_timestamp()")).toBe(SQLSTATES.check);
  });

  test('creating a key with an end', async () => {
    expect(await insert('ends_at', "now() + interval '1 hour'")).toEqual({ refused: SQLSTATES.check });
  });

  test('a successor with more scopes, a second successor, or a later change of the predecessor', async () => {
    expect((await insert('predecessor_id', 'key_id')).rows).toEqual([{ made: 1 }]);
    const { rows } = await sandbox.database.superuser.query('select gen_random_uuid() as id');
    expect(await insert('predecessor_id', `'${rows[0].id}'`)).toEqual({ refused: SQLSTATES.check });
    const narrow = await app.key(['servers:read']);
    expect(await insert('predecessor_id', `'${fromId('key', narrow.id)}'`)).toEqual({ refused: SQLSTATES.check });
    const rotated = await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/rotate`, {
      expiresInDays: 1,
      overlapHours: 1,
    });
    expect(rotated.status).toBe(201);
    expect(await insert('predecessor_id', 'key_id')).toEqual({ refused: '23505' });
    for (const to of ['null', `'${fromId('key', narrow.id)}'`]) {
      const outcome = await asManager(`update keys set predecessor_id = ${to} where predecessor_id = $1`, [uuid()]);
      expect(outcome).toEqual({ refused: SQLSTATES.privilege });
      await expect(query(`update keys set predecessor_id = ${to} where predecessor_id = $1`, [uuid()])).rejects.toThrow(
        /fixed when it is made/,
      );
    }
  });
});
