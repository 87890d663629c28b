// Warnings of keys that expire are written once with any number of workers, and notices reach only their organisation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { expiringKey } from '../../../test/expiring-key.ts';
import { signAssertion, signConsoleAssertion } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { warnAboutExpiry } from '../../tenancy/keys/warn-about-expiry.job.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
});

const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;

interface Notice {
  id: string;
  appId: string;
  keyId: string;
  kind: string;
  endpointId: string | null;
  daysAhead: number | null;
  readAt: string | null;
  readBy: string | null;
}
async function noticesOf(organisationId = sandbox.organisationId, search = ''): Promise<Notice[]> {
  const { body } = await sandbox.manage<{ data: Notice[] }>('GET', `/notices?limit=100${search}`, undefined, {
    organisationId,
  });
  return body.data.filter(({ appId }) => appId === app.id);
}
const listWarnings = async (): Promise<[string, number | null][]> =>
  (await noticesOf()).map(({ keyId, daysAhead }) => [keyId, daysAhead]);

describe('warnings of expiring keys', () => {
  test.each([
    ['30 days', '7 days 1 minute', []],
    ['30 days', '7 days', [7]],
    ['30 days', '1 day 1 minute', [7]],
    ['30 days', '1 day', [1]],
    ['30 days', '1 minute', [1]],
    ['30 days', '-1 minute', []],
    // A lifetime that is not longer than the warning period needs no warning: the creator of the key knows it.
    ['7 days', '6 days 23 hours', []],
    ['7 days', '23 hours', [1]],
    ['1 day', '23 hours', []],
    ['1 hour', '10 minutes', []],
  ])('a key made for %s with %s left has the warnings %j', async (life, left, days) => {
    const id = await expiringKey(sandbox, app, life, left);
    await warnAboutExpiry(sandbox.worker);
    expect(await listWarnings()).toEqual(days.map((one) => [id, one]));
  });

  test('a key has one warning for 7 days and one for 1 day, with any number of workers and repeats', async () => {
    const ids = [
      await expiringKey(sandbox, app, '30 days', '6 days'),
      await expiringKey(sandbox, app, '30 days', '5 hours'),
    ];
    const warn = (): Promise<void> => warnAboutExpiry(sandbox.worker);
    await Promise.all([warn(), warn(), warn(), warn()]);
    await warn();
    expect(await listWarnings()).toEqual(
      [
        [ids[1], 1],
        [ids[0], 7],
      ].sort((a, b) => Number(a[1]) - Number(b[1])),
    );
    await query('alter table keys disable trigger guard_key');
    await query("update keys set expires_at = now() + interval '20 hours' where key_id = $1", [
      fromId('key', ids[0] ?? ''),
    ]);
    await query('alter table keys enable trigger guard_key');
    await Promise.all([warn(), warn()]);
    expect((await listWarnings()).filter(([id]) => id === ids[0]).map(([, days]) => days)).toEqual([1, 7]);
  });

  test('a rotated or revoked key and a key of a suspended app have no warning', async () => {
    const [rotated, revoked, idle] = [
      await expiringKey(sandbox, app, '30 days', '6 days'),
      await expiringKey(sandbox, app, '30 days', '6 days'),
      await expiringKey(sandbox, app, '30 days', '6 days'),
    ];
    await sandbox.manage('POST', `/apps/${app.id}/keys/${rotated}/rotate`, { expiresInDays: 30, overlapHours: 24 });
    await sandbox.manage('POST', `/apps/${app.id}/keys/${revoked}/revoke`);
    await query("update apps set state = 'suspended' where app_id = $1", [fromId('app', app.id)]);
    await warnAboutExpiry(sandbox.worker);
    expect(await listWarnings()).toEqual([]);
    await query("update apps set state = 'active' where app_id = $1", [fromId('app', app.id)]);
    await warnAboutExpiry(sandbox.worker);
    expect(await listWarnings()).toEqual([[idle, 7]]);
  });
});

describe('warnings of the last key of an endpoint', () => {
  const lastKeys = async (): Promise<unknown[]> =>
    (await noticesOf())
      .filter(({ kind }) => kind === 'endpoint_keys_end')
      .map(({ keyId, endpointId }) => [keyId, endpointId]);
  const addEndpoint = async (keyIds: string[]): Promise<string> => {
    const input = { url: 'https://bridge.example.org/hooks', keyIds, eventTypes: ['ping'] };
    const { body } = await sandbox.manage<{ endpoint: { id: string } }>('POST', `/apps/${app.id}/endpoints`, input);
    return body.endpoint.id;
  };

  test('an endpoint whose last usable key expires within 7 days has one warning that names the key', async () => {
    const [sooner, later] = [
      await expiringKey(sandbox, app, '30 days', '2 days'),
      await expiringKey(sandbox, app, '30 days', '6 days'),
    ];
    const endpointId = await addEndpoint([sooner, later]);
    const warn = (): Promise<void> => warnAboutExpiry(sandbox.worker);
    await Promise.all([warn(), warn()]);
    await warn();
    expect(await lastKeys()).toEqual([[later, endpointId]]);
  });

  test('an endpoint with a key that lives longer has no warning until that key is revoked', async () => {
    const expiring = await expiringKey(sandbox, app, '30 days', '6 days');
    const { id: other } = await app.key();
    const endpointId = await addEndpoint([expiring, other]);
    await warnAboutExpiry(sandbox.worker);
    expect(await lastKeys()).toEqual([]);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${other}/revoke`);
    await warnAboutExpiry(sandbox.worker);
    expect(await lastKeys()).toEqual([[expiring, endpointId]]);
  });
});

describe('reading notices', () => {
  test('a notice belongs to its organisation, and names the member who first read it', async () => {
    await expiringKey(sandbox, app, '30 days', '6 days');
    await warnAboutExpiry(sandbox.worker);
    const [notice] = await noticesOf();
    const elsewhere = { organisationId: newUuid() };
    expect(await noticesOf(elsewhere.organisationId)).toEqual([]);
    const path = `/notices/${notice?.id}/read`;
    expect((await sandbox.manage('POST', path, undefined, elsewhere)).status).toBe(404);
    expect((await sandbox.manage('POST', path, undefined, { role: 'auditor' })).body.code).toBe('role_not_allowed');
    const read = await sandbox.manage<Notice>('POST', path);
    expect(read.body).toMatchObject({ readBy: 'tester@example.org', readAt: expect.any(String) });
    expect((await sandbox.manage<Notice>('POST', path)).body).toEqual(read.body);
    expect([await noticesOf(), await noticesOf(undefined, '&unread=true')]).toMatchObject([[read.body], []]);
  });

  test('only the Console’s own process gets the notices of all organisations', async () => {
    const { managementKey } = sandbox.options;
    const statusOf = async (assertion: string, path = '/console/notices/pull'): Promise<unknown> => {
      const response = await fetch(sandbox.managementUrl + path, {
        method: path.startsWith('/console/') ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${assertion}`, 'content-type': 'application/json' },
        ...(path.startsWith('/console/') && { body: '{"taken":[]}' }),
      });
      return response.status;
    };
    const actor = {
      kind: 'person',
      personId: 'p',
      address: null,
      name: 'p@example.org',
      organisationId: sandbox.organisationId,
      role: 'owner',
    } as const;
    expect(await statusOf(await signConsoleAssertion('sandbox', managementKey))).toBe(200);
    expect(await statusOf(await signAssertion(actor, 'sandbox', managementKey))).toBe(401);
    expect(await statusOf(await signConsoleAssertion('production', managementKey))).toBe(401);
    expect(await statusOf(await signConsoleAssertion('sandbox', secret('another key, long enough for this')))).toBe(
      401,
    );
    // The assertion of the process opens no operation of a member.
    const { body } = await sandbox.manage<{ data: { id: string }[] }>('GET', '/apps');
    expect(body.data).not.toEqual([]);
    const apps = toId('org', sandbox.organisationId);
    expect(await statusOf(await signConsoleAssertion('sandbox', managementKey), `/organisations/${apps}/apps`)).toBe(
      401,
    );
  });
});
