// Least privilege: the uses of each scope are counted per key and day and per grant. A scope without a use for 30 days
// is reported. A rotation keeps the scopes that the caller selects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { startNode } from '../../../test/node.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { runHousekeeping } from '../../platform/housekeeping/index.ts';
import { scopesOfDelivery, scopesOfRequest } from './index.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
});

interface KeyBody {
  id: string;
  scopes: string[];
  scopeUses: { scope: string; uses: number; lastUsedOn: string | null }[];
  unusedScopes: string[] | null;
}
const query = async (text: string, ...values: unknown[]) => (await sandbox.database.superuser.query(text, values)).rows;
const keyOf = async (id: string): Promise<KeyBody | undefined> =>
  (await sandbox.manage<{ data: KeyBody[] }>('GET', `/apps/${app.id}/keys`)).body.data.find((key) => key.id === id);
const rotate = (id: string, body: object) =>
  sandbox.manage<{ key: KeyBody; token: string; errors: { pointer: string }[] }>(
    'POST',
    `/apps/${app.id}/keys/${id}/rotate`,
    {
      expiresInDays: 30,
      overlapHours: 0,
      ...body,
    },
  );
/** Sends the calls through a node, which writes the counts when it closes. */
async function calls(token: string, ...paths: string[]): Promise<void> {
  const node = startNode(sandbox);
  for (const path of paths) await node.call('GET', path, token);
  await node.close();
}
const setCountedDays = (days: number) =>
  query(`update plane_state set counts_scopes_since = (now() at time zone 'utc')::date - $1::int`, days);
/** Moves dates into the past. Outside of tests, triggers prevent such a change. */
async function updateWithoutTriggers(statement: string, ...values: unknown[]): Promise<void> {
  await query('set session_replication_role = replica');
  await query(statement, ...values).finally(() => query('set session_replication_role = origin'));
}
/**
 * Creates a key with a predecessor. A key lives 30 days at most, so only an active key with a predecessor can be
 * counted for longer.
 */
async function keyOfLine(scopes: readonly Scope[], days: number) {
  const first = await app.key(scopes);
  const { key, token } = (await rotate(first.id, {})).body;
  await updateWithoutTriggers(
    'update keys set created_at = created_at - make_interval(days => $2), expires_at = expires_at - make_interval(days => $2) where key_id = $1',
    uuidOf(first.id),
    days,
  );
  return { id: key.id, token, firstId: first.id };
}
const used = (key: KeyBody | undefined) =>
  key?.scopeUses.filter(({ uses }) => uses > 0).map(({ scope, uses }) => [scope, uses]);

describe('the uses of a key', () => {
  test('are counted for each scope that a request needs, also if the request is rejected for another reason', async () => {
    const { id, token } = await app.key(['servers:read', 'publications:read', 'tickets:create']);
    const [server] = app.serverIds;
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation`, { state: 'paused' });
    await calls(
      token,
      '/v1/servers',
      `/v1/servers/${server}`,
      `/v1/servers/${server}/publications`,
      '/v1/events',
      '/v1/me',
    );
    const key = await keyOf(id);
    expect(used(key)).toEqual([
      ['servers:read', 2],
      ['publications:read', 1],
    ]);
    expect(key?.scopeUses.find(({ uses }) => uses > 0)?.lastUsedOn).toBe(new Date().toISOString().slice(0, 10));
    await calls(token, '/v1/servers');
    expect(used(await keyOf(id))).toContainEqual(['servers:read', 3]);
  });

  test('suggest unused scopes only after 30 days of counting', async () => {
    const scopes = ['servers:read', 'roadmap:read', 'workflows:run'] as const;
    await setCountedDays(30);
    expect((await keyOf((await keyOfLine(scopes, 29)).id))?.unusedScopes).toBeNull();
    const { id, token } = await keyOfLine(scopes, 30);
    await calls(token, '/v1/servers');
    expect((await keyOf(id))?.unusedScopes).toEqual(['roadmap:read', 'workflows:run']);
    await setCountedDays(29);
    expect((await keyOf(id))?.unusedScopes).toBeNull();
  });

  test('older than 30 days no longer count, and are deleted', async () => {
    const { id } = await keyOfLine(['servers:read', 'roadmap:read'], 40);
    const day = (scope: string, days: number) =>
      query(
        `insert into key_scope_uses values ($1, $2, $3, (now() at time zone 'utc')::date - $4::int, 1)`,
        uuidOf(app.id),
        uuidOf(id),
        scope,
        days,
      );
    await day('servers:read', 29);
    await day('roadmap:read', 30);
    await day('roadmap:read', 40);
    await setCountedDays(60);
    expect((await keyOf(id))?.unusedScopes).toEqual(['roadmap:read']);
    await runHousekeeping(sandbox.worker);
    const remaining = await query('select scope from key_scope_uses where app_id = $1 order by 1', uuidOf(app.id));
    expect(remaining).toEqual([{ scope: 'roadmap:read' }, { scope: 'servers:read' }]);
  });

  test('include the uses and the counting time of its predecessors', async () => {
    const { id, firstId, token } = await keyOfLine(['servers:read', 'roadmap:read', 'events:read'], 31);
    await query(
      `insert into key_scope_uses values ($1, $2, 'servers:read', (now() at time zone 'utc')::date - 3, 7)`,
      uuidOf(app.id),
      uuidOf(firstId),
    );
    await setCountedDays(60);
    expect((await keyOf(id))?.unusedScopes).toEqual(['roadmap:read', 'events:read']);
    await calls(token, '/v1/events');
    expect((await keyOf(id))?.unusedScopes).toEqual(['roadmap:read']);
    const third = (await rotate(id, {})).body;
    expect(used(await keyOf(third.key.id))).toEqual([
      ['servers:read', 7],
      ['events:read', 1],
    ]);
  });

  test('never suggest to remove events:read while the key has endpoints', async () => {
    const { id } = await keyOfLine(['servers:read', 'events:read'], 31);
    await setCountedDays(60);
    expect((await keyOf(id))?.unusedScopes).toEqual(['servers:read', 'events:read']);
    await sandbox.manage('POST', `/apps/${app.id}/endpoints`, {
      url: 'http://127.0.0.1:1/h',
      keyId: id,
      eventTypes: ['ping'],
    });
    expect((await keyOf(id))?.unusedScopes).toEqual(['servers:read']);
    const refused = await rotate(id, { scopes: ['servers:read'] });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/scopes' }]]);
  });
});

describe('the rotation of a key', () => {
  test('keeps only the selected scopes in the successor', async () => {
    const { id } = await app.key();
    const { status, body } = await rotate(id, { scopes: ['servers:read', 'events:read'] });
    expect([status, body.key.scopes]).toEqual([201, ['servers:read', 'events:read']]);
    expect((await sandbox.call('/v1/servers', body.token)).status).toBe(200);
    const [server] = app.serverIds;
    const refused = await sandbox.call(`/v1/servers/${server}/tickets`, body.token, json({ subject: 's', body: 'b' }));
    expect(refused.body).toMatchObject({ status: 403, code: 'missing_scope' });
  });

  test('rejects a scope that the key lacks, in the response and in the database', async () => {
    const { id } = await app.key(['servers:read']);
    const { status, body } = await rotate(id, { scopes: ['servers:read', 'events:read'] });
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/scopes/1' }]]);
    expect(await keyOf(id)).toMatchObject({ state: 'active' });
    const wider = query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at, predecessor_id)
       select app_id, gen_random_uuid(), 'aaaaaaaaaaaa', verifier, pepper_version, name, $2, created_by, now(), expires_at, key_id
       from keys where key_id = $1`,
      uuidOf(id),
      SCOPES,
    );
    await expect(wider).rejects.toThrow('a successor has no scope that its predecessor lacks');
  });
});

describe('the uses of a grant', () => {
  interface ListedKey {
    data: { serverId: string; unusedScopes: string[] | null }[];
  }
  const unusedOn = async (server: string | undefined) => {
    const { body } = await sandbox.manage<ListedKey>('GET', `/apps/${app.id}/installations?limit=100`);
    return body.data.find(({ serverId }) => serverId === server)?.unusedScopes;
  };

  test('include requests about its server and lists, and a scope without a use is reported after 30 days', async () => {
    const [first, second] = app.serverIds;
    const { token } = await app.key();
    await calls(token, '/v1/servers', `/v1/servers/${first}/publications`, `/v1/servers/${first}/roadmap`);
    await setCountedDays(60);
    expect(await unusedOn(first)).toBeNull();
    await updateWithoutTriggers(
      'update installation_scopes set created_at = created_at - interval $$30 days$$ where app_id = $1',
      uuidOf(app.id),
    );
    expect(await unusedOn(first)).toEqual(['events:read', 'tickets:create', 'workflows:run']);
    expect(await unusedOn(second)).toEqual(SCOPES.filter((scope) => scope !== 'servers:read').sort());
    await sandbox.manage('PUT', `/apps/${app.id}/servers/${first}/installation/scopes/workflows:run`, {
      state: 'revoked',
    });
    expect(await unusedOn(first)).toEqual(['events:read', 'tickets:create']);
    await calls(token, '/v1/events');
    expect(await unusedOn(first)).toEqual([]);
  });
});

test('a delivery counts as a use of events:read and of the scope of its resource', () => {
  const body = (type: string) => JSON.stringify({ id: 'evt_1', type, data: { type: 'publication.published' } });
  expect(scopesOfDelivery(body('ticket.created'))).toEqual(['events:read', 'tickets:create']);
  expect(scopesOfDelivery(body('installation.scope_changed'))).toEqual(['events:read']);
  expect(scopesOfDelivery(body('ping'))).toEqual(['events:read']);
});

test('a read of events counts as a use of each resource’s grant, and of the key only as events:read', () => {
  expect(scopesOfRequest('roadmap:read')).toEqual([{ scope: 'roadmap:read', isOfKey: true }]);
  const read = scopesOfRequest('events:read');
  expect(read.map(({ scope }) => scope).sort()).toEqual([...SCOPES].sort());
  expect(read.filter(({ isOfKey }) => isOfKey)).toEqual([{ scope: 'events:read', isOfKey: true }]);
  expect(scopesOfRequest(undefined)).toEqual([]);
});
