// The rotation of a key: it creates one successor with a secret that is shown once, and sets the end of the old key
// once, regardless of the number of requests.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key(['servers:read', 'tickets:create', 'events:read'], 30);
});

interface KeyBody {
  id: string;
  kid: string;
  state: string;
  createdAt: string;
  expiresAt: string;
  endsAt: string | null;
  revokedAt: string | null;
  predecessorId: string | null;
  successorId: string | null;
}
interface RotationResponse extends Record<string, unknown> {
  key: KeyBody;
  token: string;
  predecessor: KeyBody;
  code?: string;
}

const HOUR_MS = 3_600_000;
const rotate = (input: object = {}, id = key.id): Promise<Answer<RotationResponse>> =>
  sandbox.manage('POST', `/apps/${app.id}/keys/${id}/rotate`, { expiresInDays: 7, overlapHours: 1, ...input });
const revoke = (id: string) => sandbox.manage<KeyBody>('POST', `/apps/${app.id}/keys/${id}/revoke`);
const codeOf = async (token: string) => (await sandbox.call('/v1/me', token)).body.code ?? 'works';
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const keys = async (): Promise<KeyBody[]> =>
  (await sandbox.manage<{ data: KeyBody[] }>('GET', `/apps/${app.id}/keys`)).body.data;

describe('the rotation of a key', () => {
  test('creates a successor with the same rights and its own expiry, and both keys work until the old key ends', async () => {
    await sandbox.manage('PATCH', `/apps/${app.id}/keys/${key.id}`, { name: 'Bridge', note: 'In the vault.' });
    const { status, body, headers } = await rotate({ expiresInDays: 7, overlapHours: 24 });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body.key).toMatchObject({
      name: 'Bridge',
      note: 'In the vault.',
      scopes: ['servers:read', 'tickets:create', 'events:read'],
      state: 'active',
      endsAt: null,
      predecessorId: key.id,
      successorId: null,
      lastUsedAt: null,
    });
    expect(Date.parse(body.key.expiresAt) - Date.parse(body.key.createdAt)).toBeGreaterThan(7 * 24 * HOUR_MS - 1_000);
    expect(Date.parse(body.key.expiresAt) - Date.parse(body.key.createdAt)).toBeLessThanOrEqual(7 * 24 * HOUR_MS);
    expect(body.predecessor).toMatchObject({ id: key.id, state: 'active', revokedAt: null, successorId: body.key.id });
    const aheadMs = Date.parse(body.predecessor.endsAt ?? '') - Date.parse(body.key.createdAt);
    expect(Math.abs(aheadMs - 24 * HOUR_MS)).toBeLessThan(1_000);
    expect([await codeOf(key.token), await codeOf(body.token)]).toEqual(['works', 'works']);
    expect(await keys()).toEqual([body.key, body.predecessor].map((one) => expect.objectContaining({ ...one })));
  });

  test('with an overlap of 0 hours revokes the old key immediately', async () => {
    const { body } = await rotate({ overlapHours: 0 });
    expect(body.predecessor).toMatchObject({ state: 'revoked', endsAt: null, revokedAt: expect.any(String) });
    expect([await codeOf(key.token), await codeOf(body.token)]).toEqual(['revoked_key', 'works']);
    expect(await query('select revoked_by from keys where key_id = $1', [fromId('key', key.id)])).toEqual([
      { revoked_by: 'tester@example.org' },
    ]);
  });

  test('ends the old key no later than its expiry', async () => {
    await query('alter table keys disable trigger guard_key');
    await query("update keys set expires_at = now() + interval '1 hour' where key_id = $1", [fromId('key', key.id)]);
    await query('alter table keys enable trigger guard_key');
    const { body } = await rotate({ overlapHours: 24 });
    expect(body.predecessor.endsAt).toBe(body.predecessor.expiresAt);
  });

  test('can be applied to the successor', async () => {
    const second = await rotate();
    const third = await rotate({}, second.body.key.id);
    expect(third.body).toMatchObject({
      key: { predecessorId: second.body.key.id },
      predecessor: { predecessorId: key.id, successorId: third.body.key.id },
    });
    expect((await keys()).map(({ id }) => id)).toEqual([third.body.key.id, second.body.key.id, key.id]);
  });

  test('is in the audit log with both keys and without a secret', async () => {
    const { body } = await rotate({ overlapHours: 2 });
    const rows = await query(
      "select actor, target, detail from audit_entries where action = 'key.rotate' and target = $1",
      [key.id],
    );
    const detail = {
      kid: body.predecessor.kid,
      successorId: body.key.id,
      successorKid: body.key.kid,
      scopes: ['servers:read', 'tickets:create', 'events:read'],
      expiresInDays: 7,
      overlapHours: 2,
    };
    expect(rows).toEqual([{ actor: 'tester@example.org', target: key.id, detail }]);
  });

  test('shows the secret once: no later response and no table contains it', async () => {
    const { body } = await rotate();
    const list = await sandbox.manage('GET', `/apps/${app.id}/keys`);
    const answers = [list, await rotate(), await rotate({}, body.key.id), await revoke(key.id)];
    for (const { text } of answers)
      for (const part of [body.token, body.token.slice(22)]) expect(text).not.toContain(part);
    const tables = await query(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const found = await query(`select from ${name} t where strpos(t::text, $1) > 0`, [body.token.slice(22)]);
      expect([name, found.length]).toEqual([name, 0]);
    }
  });
});

describe('the rotation of a key is rejected', () => {
  const expectConflict = async (detail: string, id = key.id): Promise<void> => {
    const count = (await keys()).length;
    const { status, body } = await rotate({}, id);
    expect([status, body.code, body.detail]).toEqual([409, 'conflict', detail]);
    expect((await keys()).length).toBe(count);
  };

  test('if the key is revoked, expired or ended by another rotation', async () => {
    await revoke(key.id);
    await expectConflict('The key is revoked and cannot be rotated. Generate a new key.');
    const [expired, ended] = [await app.key(), await app.key()];
    await query('alter table keys disable trigger guard_key');
    await query(
      "update keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days' where key_id = $1",
      [fromId('key', expired.id)],
    );
    await query('alter table keys enable trigger guard_key');
    await expectConflict('The key is expired and cannot be rotated. Generate a new key.', expired.id);
    await query('update keys set ends_at = now() where key_id = $1', [fromId('key', ended.id)]);
    await expectConflict('The key is revoked and cannot be rotated. Generate a new key.', ended.id);
  });

  test('if the key was rotated already, within its overlap or revoked by the rotation', async () => {
    await rotate();
    await expectConflict('The key has already been rotated. Rotate its successor instead.');
    const other = await app.key();
    await rotate({ overlapHours: 0 }, other.id);
    await expectConflict('The key is revoked and cannot be rotated. Generate a new key.', other.id);
  });

  test('if the key belongs to another app or does not exist', async () => {
    const foreign = await (await sandbox.newApp()).key();
    expect((await rotate({}, foreign.id)).status).toBe(404);
    expect((await rotate({}, 'key_00000000000000000000000000')).status).toBe(404);
    expect(await codeOf(foreign.token)).toBe('works');
  });

  test.each([
    { overlapHours: -1 },
    { overlapHours: 25 },
    { overlapHours: 1.5 },
    { overlapHours: null },
    { expiresInDays: 0 },
    { expiresInDays: 31 },
    { scopes: [] },
    { scopes: ['servers:write'] },
  ])('with %j', async (input) => {
    const { status } = await rotate(input);
    expect([status, (await keys()).length]).toEqual([400, 1]);
  });
});

describe('concurrent rotations of a key', () => {
  test.each([0, 1])('create one successor with an overlap of %i hours', async (overlapHours) => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query('select from keys where key_id = $1 for update', [fromId('key', key.id)]);
    const rotations = Array.from({ length: 4 }, () => rotate({ overlapHours }));
    await untilLocksWaited(superuser, 4);
    await superuser.query('commit');
    const answers = await Promise.all(rotations);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await keys()).toHaveLength(2);
    const made = answers.find(({ status }) => status === 201)?.body;
    expect(await codeOf(made?.token ?? '')).toBe('works');
  });
});

describe('the revocation of a rotated key', () => {
  test('moves its end forward and keeps the successor', async () => {
    const { body } = await rotate({ overlapHours: 24 });
    const revoked = await revoke(key.id);
    expect(revoked.body).toMatchObject({
      state: 'revoked',
      endsAt: body.predecessor.endsAt,
      successorId: body.key.id,
      revokedAt: expect.any(String),
    });
    expect(Date.parse(revoked.body.revokedAt ?? '')).toBeLessThan(Date.parse(revoked.body.endsAt ?? ''));
    expect([await codeOf(key.token), await codeOf(body.token)]).toEqual(['revoked_key', 'works']);
  });

  test('does not postpone an end that has passed', async () => {
    await query("update keys set ends_at = now() - interval '1 hour' where key_id = $1", [fromId('key', key.id)]);
    const [before] = await keys();
    expect(before).toMatchObject({ state: 'revoked', revokedAt: before?.endsAt });
    const receiptId = expect.stringMatching(/^rct_/);
    expect((await revoke(key.id)).body).toEqual({ ...before, continuingEndpoints: [], receiptId });
  });
});

describe('the endpoints of a rotated key', () => {
  test.each([
    0, 1,
  ])('deliver pending and new events through the successor with an overlap of %i hours', async (overlapHours) => {
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.id,
      eventTypes: ['ticket.created'],
    });
    const ticket = json({ subject: 's', body: 'b' });
    const tickets = `/v1/servers/${app.serverIds[0]}/tickets`;
    expect((await sandbox.call(tickets, key.token, ticket)).status).toBe(201);
    const { body } = await rotate({ overlapHours });
    expect((await sandbox.call(tickets, body.token, ticket)).status).toBe(201);
    const endpoints = await sandbox.manage<{ data: object[] }>('GET', `/apps/${app.id}/endpoints`);
    expect(endpoints.body.data).toMatchObject([{ keyId: body.key.id, keyKid: body.key.kid, keyState: 'active' }]);
    await revoke(key.id);
    const waiting = 'select status from deliveries join queue using (app_id, delivery_id) where app_id = $1';
    expect(await query(waiting, [fromId('app', app.id)])).toEqual([{ status: 'pending' }, { status: 'pending' }]);
    await revoke(body.key.id);
    expect(await query('select from queue where app_id = $1', [fromId('app', app.id)])).toEqual([]);
  });
});
