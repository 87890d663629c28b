// Members may change the name and the note of a key, and never its rights. A preset contains the minimum of scopes for
// its task.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { runAsRole, SQLSTATES } from '../../../test/run-as-role.ts';
import { SCOPES } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { PRESETS } from './presets.ts';

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
});
afterAll(() => sandbox.close());

type KeyBody = Record<string, unknown> & { id: string; name: string; note: string | null; scopes: string[] };

const create = (input: object) =>
  sandbox.manage<{ key: KeyBody; token: string; errors?: object[] }>('POST', `/apps/${app.id}/keys`, {
    name: 'A key',
    expiresInDays: 1,
    ...input,
  });
const change = (id: string, body: object) =>
  sandbox.manage<KeyBody & { errors?: object[] }>('PATCH', `/apps/${app.id}/keys/${id}`, body);

describe('a preset', () => {
  test.each(
    Object.entries(PRESETS),
  )('%s creates a key with its set of scopes, and the key lists the scopes', async (preset, scopes) => {
    const { status, body } = await create({ preset });
    expect([status, body.key.scopes]).toEqual([201, [...scopes]]);
    const me = await sandbox.call<{ scopes: string[] }>('/v1/me', body.token);
    expect(me.body.scopes).toEqual(SCOPES.filter((scope) => (scopes as readonly string[]).includes(scope)));
  });

  test('for full access contains all scopes, and no other preset does', () => {
    const { everything, ...rest } = PRESETS;
    expect([...everything]).toEqual([...SCOPES]);
    for (const scopes of Object.values(rest)) expect(scopes.length).toBeLessThan(SCOPES.length - 1);
    expect(PRESETS['read-only'].every((scope) => scope.endsWith(':read'))).toBe(true);
  });

  test('replaces scopes: a request with both or with neither is rejected', async () => {
    const expected = [{ pointer: '/preset', detail: 'requires exactly one of preset and scopes' }];
    for (const input of [{ preset: 'tickets', scopes: ['servers:read'] }, {}]) {
      const { status, body } = await create(input);
      expect([status, body.errors]).toEqual([400, expected]);
    }
    expect((await create({ preset: 'root' })).status).toBe(400);
  });
});

describe('a note of a key', () => {
  test('can be set with the key or later, and is removed with null', async () => {
    const made = await create({ preset: 'tickets', note: 'Kept in the vault.' });
    const { id } = made.body.key;
    expect(made.body.key.note).toBe('Kept in the vault.');
    expect((await change(id, { name: ' Bridge ' })).body).toMatchObject({ name: 'Bridge', note: 'Kept in the vault.' });
    expect((await change(id, { note: '🔑'.repeat(500) })).body).toMatchObject({
      name: 'Bridge',
      note: '🔑'.repeat(500),
    });
    expect((await change(id, { note: null })).body).toMatchObject({ name: 'Bridge', note: null });
    expect((await change(id, {})).body).toMatchObject({ name: 'Bridge', note: null });
    expect((await create({ preset: 'tickets' })).body.key.note).toBeNull();
  });

  test('has a maximum length', async () => {
    const { id } = await app.key();
    for (const note of ['', 'n'.repeat(501), 'a\u0000b', 7])
      expect([note, (await change(id, { note })).status]).toEqual([note, 400]);
  });

  test('must not contain the secret of a key', async () => {
    const key = await app.key();
    const refused = [{ pointer: '/note', detail: 'must not contain the secret of a key' }];
    const note = `It is ${key.token}.`;
    expect((await create({ preset: 'tickets', note })).body.errors).toEqual(refused);
    expect((await change(key.id, { note })).body.errors).toEqual(refused);
  });

  test('can be changed for a revoked key, and the change is in the audit log', async () => {
    const key = await app.key();
    await sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`);
    expect((await change(key.id, { note: 'It leaked.' })).body).toMatchObject({ state: 'revoked', note: 'It leaked.' });
    const { rows } = await sandbox.database.superuser.query(
      "select actor, detail->>'note' as note from audit_entries where action = 'key.update' and target = $1",
      [key.id],
    );
    expect(rows).toEqual([{ actor: 'tester@example.org', note: 'It leaked.' }]);
  });
});

describe('the attributes of a key', () => {
  test.each([
    { scopes: ['servers:read'] },
    { preset: 'everything' },
    { expiresInDays: 30 },
    { expiresAt: '2030-01-01T00:00:00.000Z' },
    { state: 'active' },
  ])('cannot be changed by a request: %j', async (input) => {
    const { id } = await app.key(['servers:read']);
    const { status, body } = await change(id, input);
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: `/${Object.keys(input)[0]}`, detail: 'is not a known field' }],
    ]);
  });

  test('cannot be changed by the database role that changes notes', async () => {
    const { id } = await app.key(['servers:read']);
    const stage = { role: 'slipway_manager', appId: fromId('app', app.id) ?? '' } as const;
    const set = (what: string) =>
      runAsRole(sandbox.database.superuser, stage, `update keys set ${what} where key_id = $1`, [fromId('key', id)]);
    expect(await set("note = 'n', name = 'n'")).toEqual({ rows: [] });
    for (const what of ["scopes = '{tickets:create}'", "expires_at = now() + interval '1 day'"])
      expect([what, await set(what)]).toEqual([what, { refused: SQLSTATES.privilege }]);
  });
});

test('returns 404 for a key of another app and for an unknown key', async () => {
  const other = await sandbox.newApp();
  const { id } = await other.key();
  expect((await change(id, { note: 'n' })).status).toBe(404);
  expect((await change('key_00000000000000000000000000', { note: 'n' })).status).toBe(404);
});
