// A page in a browser that uses a key: its organisation gets one notice for each key, origin and day, and at most five
// notices per key and day.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type ApiNode, startNode } from '../../../test/node.ts';
import { startProduction } from '../../../test/production.fixture.ts';
import { newKeyToken } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { lockPageSlots } from './browser-use-store.ts';

interface Notice {
  kind: string;
  appId: string;
  keyId: string;
  pageOrigin: string | null;
}

let sandbox: Sandbox;
let other: ApiNode;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
  other = startNode(sandbox);
});
afterAll(async () => {
  await other.close();
  await sandbox.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});

const PAGE = 'https://app.example.com';
const fromPage = (token: string, origin = PAGE) => sandbox.call('/v1/servers', token, { headers: { origin } });
const fromPageTo = (node: ApiNode, token: string, origin = PAGE) =>
  node.call('GET', '/v1/servers', token, undefined, { origin });
const flush = (...nodes: { flush(): Promise<void> }[]) => Promise.all(nodes.map((node) => node.flush()));

async function noticesOf(keyId = key.id): Promise<Notice[]> {
  const { body } = await sandbox.manage<{ data: Notice[] }>('GET', '/notices?limit=100');
  return body.data.filter((notice) => notice.appId === app.id && notice.keyId === keyId);
}
const origins = async (keyId = key.id) => (await noticesOf(keyId)).map(({ pageOrigin }) => pageOrigin).sort();
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const aDayPasses = () =>
  query("update notices set created_at = created_at - interval '1 day' where app_id = $1", [fromId('app', app.id)]);

describe('a notice of a key in a browser', () => {
  test('is written once for concurrent requests on two nodes, and again on the next day', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? fromPageTo(other, key.token) : fromPage(key.token))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    await flush(sandbox, other.open);
    await fromPage(key.token);
    await flush(sandbox);
    expect(await noticesOf()).toMatchObject([
      { kind: 'key_in_browser', appId: app.id, keyId: key.id, keyName: 'A key', appName: 'An app', pageOrigin: PAGE },
    ]);
    await aDayPasses();
    await fromPage(key.token);
    await flush(sandbox);
    expect(await origins()).toEqual([PAGE, PAGE]);
  });

  test('is written for at most five origins per key and day, also if several nodes see further origins', async () => {
    const page = (n: number) => `https://page-${n}.example`;
    for (let round = 0; round < 4; round += 1) {
      const used = await app.key();
      await Promise.all(
        [0, 1, 2, 3].flatMap((n) => [fromPage(used.token, page(n)), fromPageTo(other, used.token, page(n + 4))]),
      );
      await flush(sandbox, other.open);
      expect((await origins(used.id)).length).toBe(5);
      await fromPage(used.token, 'https://sixth.example');
      await flush(sandbox);
      expect(await origins(used.id)).not.toContain('https://sixth.example');
      // The limit of five applies per key and per day.
      if (round > 0) continue;
      await aDayPasses();
      await fromPage(used.token, 'https://sixth.example');
      await flush(sandbox);
      expect(await origins(used.id)).toContain('https://sixth.example');
    }
  });

  test('is not lost when another node writes a notice of the same key concurrently', async () => {
    const [app_id = '', key_id = ''] = [fromId('app', app.id), fromId('key', key.id)];
    const names = { app_name: 'An app', name: 'A key', kid: 'k'.repeat(12), created_by: 'c', expires_at: new Date() };
    const noticed = { organisation_id: sandbox.organisationId, app_id, key_id, ...names };
    const isWaiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await fromPage(key.token);
    const flushed = await sandbox.worker.transaction(async (tx) => {
      await lockPageSlots(tx, key_id);
      await insertNotice(tx, noticed, { kind: 'key_in_browser', pageOrigin: 'https://other.example', slot: 1 });
      const flushing = sandbox.flush();
      await until(async () => (await query(isWaiting)).length > 0);
      return { flushing };
    });
    await flushed.flushing;
    expect(await origins()).toEqual([PAGE, 'https://other.example']);
  });

  test('is limited by the database, which rejects a repeated number or origin on the same day', async () => {
    await fromPage(key.token);
    await flush(sandbox);
    const copy = (slot: number, origin: string) =>
      query(
        `insert into notices (organisation_id, notice_id, app_id, key_id, kind, app_name, key_name, kid, key_created_by, expires_at,
           taken_at, page_origin, page_slot)
         select organisation_id, gen_random_uuid(), app_id, key_id, kind, app_name, key_name, kid, key_created_by, expires_at, taken_at,
           $2, $3 from notices where key_id = $1 limit 1`,
        [fromId('key', key.id), origin, slot],
      );
    await expect(copy(1, 'https://b.example')).rejects.toThrow('notices_of_pages_bounded');
    await expect(copy(2, PAGE)).rejects.toThrow('notices_of_pages_once');
    await expect(copy(6, 'https://b.example')).rejects.toThrow('notices_page_check');
    await expect(copy(2, 'a'.repeat(256))).rejects.toThrow('notices_page_check');
  });

  test('is written once without an origin for all origins that cannot be shown', async () => {
    for (const origin of [
      'null',
      '<b>https://a.example</b>',
      `https://${'a'.repeat(300)}`,
      'https://user:pw@a.example',
    ])
      await fromPage(key.token, origin);
    await sandbox.call('/v1/servers', key.token, { headers: { 'sec-fetch-site': 'same-origin' } });
    await flush(sandbox);
    expect(await origins()).toEqual([null]);
  });

  test('contains only the origin of the Referer header for a same-origin GET of the page', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', referer: 'http://localhost:5173/start?session=1' };
    await sandbox.call('/v1/servers', key.token, { headers });
    await flush(sandbox);
    expect(await origins()).toEqual(['http://localhost:5173']);
  });

  test('is written for a valid key whose request is rejected for its address or its rate', async () => {
    const input = { name: 'k', scopes: ['servers:read'], expiresInDays: 1, allowedCidrs: ['10.0.0.0/8'] };
    const { body } = await sandbox.manage<{ key: { id: string }; token: string }>(
      'POST',
      `/apps/${app.id}/keys`,
      input,
    );
    expect((await fromPage(body.token)).body.code).toBe('address_not_allowed');
    const slow = startNode(sandbox, { rate: { perSecond: 1, burst: 1 } });
    expect((await slow.call('GET', '/v1/servers', key.token)).status).toBe(200);
    expect((await fromPageTo(slow, key.token)).code).toBe('rate_limited');
    await slow.close();
    await flush(sandbox);
    expect([await origins(body.key.id), await origins()]).toEqual([[PAGE], [PAGE]]);
  });

  test('is written during a graceful shutdown of the node', async () => {
    const node = startNode(sandbox);
    await fromPageTo(node, key.token);
    await node.close();
    expect(await origins()).toEqual([PAGE]);
  });

  test('does not delay the response to the request', async () => {
    await query('begin');
    await query('lock table notices in access exclusive mode');
    const answer = await fromPage(key.token);
    await query('commit');
    expect(answer.body.code).toBe('browser_use');
    await flush(sandbox);
    expect(await origins()).toEqual([PAGE]);
  });
});

describe('no notice of a key in a browser is written', () => {
  const count = async () =>
    (await query("select count(*)::int as count from notices where kind = 'key_in_browser'"))[0];

  test('for a key that is missing, malformed, unknown, forged or from the other environment', async () => {
    const before = await count();
    const unknown = newKeyToken('sandbox').token;
    // The checksum of the other token is valid only for that token, so this text with the kid of the known key is
    // malformed.
    const forged = key.token.slice(0, 22) + unknown.slice(22);
    for (const token of [unknown, forged, `${key.token}x`, 'nonsense', newKeyToken('production').token])
      expect([401, 403]).toContain((await fromPage(token)).status);
    expect((await sandbox.call('/v1/servers', undefined, { headers: { origin: PAGE } })).body.code).toBe('missing_key');
    await flush(sandbox);
    expect(await count()).toEqual(before);
  });

  test('for a key that is revoked or expired, or whose app is suspended', async () => {
    const [revoked, expired] = [await app.key(), await app.key()];
    await sandbox.manage('POST', `/apps/${app.id}/keys/${revoked.id}/revoke`);
    await query('alter table keys disable trigger guard_key');
    await query(
      "update keys set created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' where key_id = $1",
      [fromId('key', expired.id)],
    );
    await query('alter table keys enable trigger guard_key');
    expect((await fromPage(revoked.token)).body.code).toBe('revoked_key');
    expect((await fromPage(expired.token)).body.code).toBe('expired_key');
    await query("update apps set state = 'suspended' where app_id = $1", [fromId('app', app.id)]);
    expect((await fromPage(key.token)).body.code).toBe('app_suspended');
    await flush(sandbox);
    for (const { id } of [revoked, expired, key]) expect(await noticesOf(id)).toEqual([]);
  });

  test('for a request from a server, a preflight, a page without the key or a simulated rejection', async () => {
    const before = await count();
    expect((await sandbox.call('/v1/servers', key.token, { headers: { referer: `${PAGE}/` } })).status).toBe(200);
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-headers': 'authorization' },
    };
    const refused = await sandbox.call('/v1/servers', undefined, preflight);
    expect([refused.status, [...refused.headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([
      405,
      [],
    ]);
    const simulated = await sandbox.call('/v1/servers', key.token, {
      headers: { 'Sandbox-Simulate': 'code=browser_use' },
    });
    expect(simulated.body.code).toBe('browser_use');
    await flush(sandbox);
    expect(await count()).toEqual(before);
  });
});

test('lets a member mark the notice as read, and never includes the secret', async () => {
  await fromPage(key.token);
  await flush(sandbox);
  const [row] = await query('select notice_id from notices where key_id = $1', [fromId('key', key.id)]);
  const { body } = await sandbox.manage<Notice>('POST', `/notices/${toId('ntc', row.notice_id)}/read`);
  expect(body).toMatchObject({ kind: 'key_in_browser', pageOrigin: PAGE, readBy: 'tester@example.org' });
  expect(JSON.stringify(body)).not.toContain(key.token.slice(22));
});

test('writes the same notice in production', async () => {
  const production = await startProduction();
  const live = await production.newApp();
  const used = await live.key();
  const answer = await production.call('/v1/servers', used.token, { headers: { origin: PAGE } });
  expect(answer.body.code).toBe('browser_use');
  await production.flush();
  const text = 'select kind, app_id, key_id, page_origin from notices';
  const { rows } = await production.database.superuser.query(text);
  await production.close();
  const ids = { app_id: live.uuid, key_id: fromId('key', used.id) };
  expect(rows).toEqual([{ kind: 'key_in_browser', ...ids, page_origin: PAGE }]);
});
