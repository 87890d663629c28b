// A leaked key: a caller with the complete key can revoke it and learns its state. No caller learns anything about
// another key.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { newKeyToken } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { createAddressLimiter } from '../../kit/http/address-limiter.ts';
import { withChecksum } from './key-text.fixture.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
/** Records each cancellation, and the answer of the API for the key at that time. */
let stops: { denial: unknown; code: unknown }[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  const { cancelInFlight } = sandbox.plane.deliveries;
  sandbox.plane.deliveries.cancelInFlight = async (tx, denials) => {
    const cancellations = await cancelInFlight(tx, denials);
    for (const denial of denials) stops.push({ denial, code: await codeOf(key.token) });
    return cancellations;
  };
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.plane.keys.reportLimiter = createAddressLimiter({ perMinute: 600, burst: 600 });
  key = await app.key();
  stops = [];
});

const report = (text: string): Promise<Answer> => sandbox.call('/v1/leaked-keys', undefined, json({ key: text }));
const codeOf = async (token: string) => (await sandbox.call('/v1/me', token)).body.code ?? 'works';
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const auditRows = () =>
  query(
    'select actor_kind, actor, action, detail, client_address, request_id from audit_entries where target = $1 order by audit_id',
    [key.id],
  );
const notices = async () => {
  const { body } = await sandbox.manage<{ data: Record<string, unknown>[] }>('GET', '/notices?limit=100');
  return body.data.filter((notice) => notice.keyId === key.id);
};
const kidOf = (token: string): string => token.slice(9, 21);
const anonymous = ({ status, text, body, headers }: Answer) => [
  status,
  text.replace(String(body.requestId), ''),
  headers.get('www-authenticate'),
];

describe('a report of a leaked key', () => {
  test('revokes the key immediately, cancels its in-flight deliveries and notifies the organisation', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.id,
      eventTypes: ['ticket.created'],
    });
    await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, json({ subject: 's', body: 'b' }));
    const { status, body, headers } = await report(key.token);
    expect([status, body, headers.get('cache-control')]).toEqual([
      200,
      { kid: kidOf(key.token), state: 'revoked' },
      'no-store',
    ]);
    expect(await codeOf(key.token)).toBe('revoked_key');
    const appId = fromId('app', app.id);
    const keyId = fromId('key', key.id);
    expect(stops).toEqual([{ denial: { appId, keyId, serverId: null }, code: 'revoked_key' }]);
    expect(await query('select status, reason from deliveries where key_id = $1', [keyId])).toEqual([
      { status: 'cancelled', reason: 'key_revoked' },
    ]);
    expect((await auditRows()).at(-1)).toEqual({
      actor_kind: 'machine',
      actor: 'leak report',
      action: 'key.revoke',
      detail: {
        kid: kidOf(key.token),
        reason: 'leaked',
        reportedBy: 'holder',
        foundAt: null,
        receiptId: expect.stringMatching(/^rct_/),
      },
      client_address: '127.0.0.0/24',
      request_id: headers.get('request-id'),
    });
    expect(await notices()).toMatchObject([{ kind: 'key_leaked', keyId: key.id, daysAhead: null, readAt: null }]);
  });

  test('returns the same response when repeated, and changes nothing', async () => {
    const first = await Promise.all([report(key.token), report(key.token)]);
    const again = await report(key.token);
    for (const { status, body } of [...first, again]) {
      expect([status, body]).toEqual([200, { kid: kidOf(key.token), state: 'revoked' }]);
    }
    expect((await auditRows()).filter(({ action }) => action === 'key.revoke')).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });

  test('ends a key in its overlap immediately, and the successor keeps working', async () => {
    const rotation = { expiresInDays: 7, overlapHours: 24 };
    const rotated = await sandbox.manage<{ token: string }>('POST', `/apps/${app.id}/keys/${key.id}/rotate`, rotation);
    expect((await report(key.token)).body.state).toBe('revoked');
    expect([await codeOf(key.token), await codeOf(rotated.body.token)]).toEqual(['revoked_key', 'works']);
  });

  test('returns the state of a revoked or expired key to its holder, and writes no notice', async () => {
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    const expired = await app.key();
    await query('alter table keys disable trigger guard_key');
    await query(
      "update keys set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days' where key_id = $1",
      [fromId('key', expired.id)],
    );
    await query('alter table keys enable trigger guard_key');
    expect((await report(key.token)).body.state).toBe('revoked');
    expect((await report(expired.token)).body.state).toBe('expired');
    expect(await codeOf(expired.token)).toBe('expired_key');
    expect((await auditRows()).filter(({ actor }) => actor === 'leak report')).toEqual([]);
    expect(await notices()).toEqual([]);
  });

  test('returns the same rejection for every text that is not a valid key, and changes nothing', async () => {
    const stranger = newKeyToken('sandbox').token;
    // The right public half and checksum with another secret: only the verifier detects the difference.
    const guess = withChecksum(`${key.token.slice(0, 22)}${stranger.slice(22, 54)}`);
    const answers = [stranger, guess, `${key.token}0`, key.token.slice(0, -1), 'x', '\u0000'.slice(1) || ' '];
    const refusals = [];
    for (const text of answers) refusals.push(anonymous(await report(text)));
    expect(new Set(refusals.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(refusals[0]?.[0]).toBe(401);
    expect(await codeOf(key.token)).toBe('works');
    expect(stops).toEqual([]);
  });

  test('returns `wrong_environment` for a key of the other environment', async () => {
    expect((await report(newKeyToken('production').token)).body.code).toBe('wrong_environment');
  });

  test('is rate-limited by address, also for a valid key', async () => {
    sandbox.plane.keys.reportLimiter = createAddressLimiter({ perMinute: 1, burst: 2 });
    const codes = [];
    for (let at = 0; at < 3; at++) codes.push((await report('slw_test_no')).body.code);
    expect(codes).toEqual(['invalid_key', 'invalid_key', 'rate_limited']);
    const last = await report(key.token);
    expect([last.status, Number(last.headers.get('retry-after')) > 30]).toEqual([429, true]);
    expect(await codeOf(key.token)).toBe('works');
  });

  test('stores the key in no table', async () => {
    await report(key.token);
    const tables = await query(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const found = await query(`select from ${name} t where strpos(t::text, $1) > 0`, [key.token.slice(22)]);
      expect([name, found.length]).toEqual([name, 0]);
    }
  });
});
