// The history of grants: every change by any actor writes a permanent row in its own transaction.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { runAsRole, SQLSTATES } from '../../../test/run-as-role.ts';
import type { Scope } from '../../access/authority/index.ts';
import { PLANE_ROLES } from '../../boot/provision.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let server: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  server = app.serverIds[0] ?? '';
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

interface Change {
  id: string;
  at: string;
  serverId: string;
  serverName: string | null;
  installationId: string;
  scopes: Scope[] | null;
  from: string | null;
  to: string | null;
  changedBy: string | null;
  reason: string | null;
  requestId: string | null;
}
interface Page {
  data: Change[];
  nextCursor: string | null;
}

const history = (query = `limit=100&serverId=${server}`): Promise<Answer<Page>> =>
  sandbox.manage<Page>('GET', `/apps/${app.id}/installation-changes?${query}`);
const set = (body: unknown, scope?: Scope, on = server): Promise<Answer> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${on}/installation${scope ? `/scopes/${scope}` : ''}`, body);
/** Returns the changes since the sandbox data was created, oldest first. */
const changesAfterCreation = async (): Promise<Change[]> =>
  (await history()).body.data.filter((change) => change.reason !== 'The world was made.').reverse();
const steps = (changes: Change[]): unknown[] => changes.map(({ scopes, from, to }) => [scopes, from, to]);

describe('the history of grants', () => {
  test('records each change of an installation and of a scope with its member, reason and request', async () => {
    const first = await set({ state: 'paused', reason: 'Away until Monday.' });
    const second = await set({ state: 'revoked' }, 'tickets:create');
    const changes = await changesAfterCreation();
    const { installation } = first.body as { installation: { id: string } };
    const common = { serverId: server, installationId: installation.id, changedBy: 'tester@example.org' };
    expect(changes).toMatchObject([
      {
        ...common,
        ...{ scopes: null, from: 'authorised', to: 'paused', reason: 'Away until Monday.' },
        requestId: first.headers.get('request-id'),
      },
      {
        ...common,
        ...{ scopes: ['tickets:create'], from: 'authorised', to: 'revoked', reason: null },
        requestId: second.headers.get('request-id'),
      },
    ]);
    const [audit] = (
      await sandbox.database.superuser.query(`select detail from audit_entries where action = 'installation.paused'`)
    ).rows;
    expect(audit.detail).toEqual({ reason: 'Away until Monday.' });
  });

  test('records a new grant with its six scopes in one row, and the end of the old grant as revoked', async () => {
    await set({ state: 'revoked' });
    await set({ state: 'authorised' });
    await set({ state: 'revoked' }, 'events:read');
    await set({ state: 'authorised' }, 'events:read');
    const changes = await changesAfterCreation();
    expect(steps(changes)).toEqual([
      [null, 'authorised', 'revoked'],
      [null, null, 'authorised'],
      [expect.arrayContaining(['events:read', 'workflows:run']), null, 'authorised'],
      [['events:read'], 'authorised', 'revoked'],
      [['events:read'], null, 'authorised'],
    ]);
    expect(changes[2]?.scopes).toHaveLength(6);
    expect(new Set(changes.map((change) => change.installationId)).size).toBe(2);
  });

  test('records neither a change without effect nor a rejected change', async () => {
    await set({ state: 'authorised' });
    await set({ state: 'authorised' }, 'events:read');
    await set({ state: 'revoked' }, 'events:read');
    expect((await set({ state: 'paused' }, 'events:read')).status).toBe(409);
    expect((await set({ state: 'gone' })).status).toBe(400);
    expect(steps(await changesAfterCreation())).toEqual([[['events:read'], 'authorised', 'revoked']]);
  });

  test('requires a reason of at most 500 characters without a key', async () => {
    const { token } = await app.key();
    for (const reason of ['', 'x'.repeat(501), `it leaked: ${token}`]) {
      const answer = await set({ state: 'paused', reason });
      expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: '/reason' }]]);
    }
    expect((await set({ state: 'paused', reason: '✂'.repeat(500) })).status).toBe(200);
    expect((await changesAfterCreation()).map(({ reason }) => reason)).toEqual(['✂'.repeat(500)]);
  });
});

describe('the history of automatic changes', () => {
  test('names Slipway as the actor when sandbox data is created and reset', async () => {
    const old = server;
    await set({ state: 'revoked' }, 'events:read');
    const made = (await history()).body.data.filter((change) => change.reason === 'The world was made.');
    const reset = await sandbox.manage('POST', `/apps/${app.id}/world/reset`, { seed: 'another' });
    const removals = (await changesAfterCreation()).filter((change) => change.serverId === old && change.to === null);
    expect(steps(made.reverse())).toEqual([
      [null, null, 'authorised'],
      [expect.arrayContaining(['servers:read']), null, 'authorised'],
    ]);
    expect(steps(removals)).toEqual([
      [['publications:read', 'roadmap:read', 'servers:read', 'tickets:create', 'workflows:run'], 'authorised', null],
      [null, 'authorised', null],
    ]);
    for (const change of made) expect(change).toMatchObject({ changedBy: null });
    for (const change of removals) {
      const requestId = reset.headers.get('request-id');
      expect(change).toMatchObject({ changedBy: null, reason: 'The world was reset.', serverName: null, requestId });
    }
    const fresh = (await history('limit=1')).body.data[0];
    expect(fresh).toMatchObject({ changedBy: null, reason: 'The world was reset.' });
  });

  test.each(['slipway_manager', undefined] as const)('records a change by direct SQL as %s', async (role) => {
    const { superuser } = sandbox.database;
    const appId = fromId('app', app.id);
    await superuser.query('begin');
    if (role) await superuser.query(`set local role ${role}`);
    if (role) await superuser.query("select set_config('slipway.app_id', $1, true)", [appId]);
    await superuser.query(`update installations set state = 'paused' where app_id = $1`, [appId]);
    await superuser.query(`update installation_scopes set state = 'paused' where app_id = $1`, [appId]);
    const setting = await superuser.query("select current_setting('slipway.app_id', true) as id");
    await superuser.query('commit');
    const changes = await changesAfterCreation();
    expect(steps(changes)).toEqual([
      [null, 'authorised', 'paused'],
      [expect.arrayContaining(['servers:read']), 'authorised', 'paused'],
    ]);
    for (const change of changes) expect(change).toMatchObject({ changedBy: null, requestId: null, reason: null });
    // The trigger restores the tenant setting.
    expect(setting.rows[0].id || null).toBe(role ? appId : null);
  });

  test('records no change that is rolled back', async () => {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query(`update installations set state = 'paused' where app_id = $1`, [fromId('app', app.id)]);
    await superuser.query('rollback');
    expect(await changesAfterCreation()).toEqual([]);
  });
});

describe('the list of changes', () => {
  test('pages newest first without gaps or duplicates while changes are written', async () => {
    for (const state of ['paused', 'authorised', 'paused', 'authorised', 'paused']) await set({ state });
    const whole = (await history(`limit=100`)).body.data;
    const seen: Change[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = (await history(`limit=3${cursor && `&cursor=${cursor}`}`)).body;
      expect(page.data.length).toBeLessThanOrEqual(3);
      seen.push(...page.data);
      cursor = page.nextCursor;
      if (seen.length === 3) await set({ state: 'authorised' });
    }
    expect(seen).toEqual(whole);
    expect(seen.map(({ id }) => id)).toEqual(
      seen
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
  });

  test('filters by scope, with changes of the whole installation, and by server', async () => {
    await set({ state: 'paused' }, 'events:read');
    await set({ state: 'paused' }, 'tickets:create');
    await set({ state: 'paused' });
    await set({ state: 'paused' }, undefined, app.serverIds[1]);
    const { data } = (await history(`serverId=${server}&scope=events:read`)).body;
    expect(steps(data).slice(0, 2)).toEqual([
      [null, 'authorised', 'paused'],
      [['events:read'], 'authorised', 'paused'],
    ]);
    expect(data.every(({ serverId }) => serverId === server)).toBe(true);
    expect(data.some(({ scopes }) => scopes && !scopes.includes('events:read'))).toBe(false);
  });

  test('accepts a cursor only for its own app and filter', async () => {
    const { nextCursor } = (await history('limit=1')).body;
    expect((await history(`limit=1&cursor=${nextCursor}`)).status).toBe(200);
    expect((await history(`limit=1&cursor=${nextCursor}&scope=events:read`)).status).toBe(400);
    app = await sandbox.newApp();
    expect((await history(`limit=1&cursor=${nextCursor}`)).status).toBe(400);
  });
});

test.each(PLANE_ROLES)('rejects a write to the history by the database role %s', async (role) => {
  const stage = { role, appId: fromId('app', app.id) ?? '', organisationId: sandbox.organisationId };
  for (const statement of [
    'insert into installation_changes select * from installation_changes',
    "update installation_changes set actor = 'nobody'",
    'delete from installation_changes',
    'truncate installation_changes',
    'alter table installations disable trigger record_update',
  ]) {
    expect([statement, await runAsRole(sandbox.database.superuser, stage, statement)]).toEqual([
      statement,
      { refused: SQLSTATES.privilege },
    ]);
  }
});
