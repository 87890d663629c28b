// The control of installations in production: the effective state is the strictest of the upstream API's statement, the
// cap and the organisation's restriction, in every order of changes.
import { describe, expect, test } from 'vitest';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { MEMBER, scopeState } from '../../../test/restrictions.fixture.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

const { upstreamApi, app, server, state, restrict, grantOn, manage, read, write, query } = useInstalledApp();

describe('a member of the organisation', () => {
  test('pauses and resumes a server: calls fail and succeed again, and the upstream API is not called', async () => {
    expect(await read()).toBeUndefined();
    const requestCount = upstreamApi().requests.length;
    const paused = await restrict(server(), 'paused', undefined, 'A leaked laptop.');
    expect(paused.body).toMatchObject({
      installation: { state: 'paused' },
      upstream: { state: 'authorised' },
      restrictions: [{ scope: null, state: 'paused', restrictedBy: MEMBER, reason: 'A leaked laptop.' }],
    });
    expect([await read(), await write()]).toEqual(['installation_paused', 'installation_paused']);
    expect(upstreamApi().requests.length).toBe(requestCount);
    const resumed = await restrict(server(), 'authorised');
    expect(resumed.body).toMatchObject({ installation: { state: 'authorised' }, restrictions: [] });
    expect([await read(), await write()]).toEqual([undefined, undefined]);
  });

  test('revokes a server, and lifting the revocation creates a new grant while the revoked grant stays revoked', async () => {
    const before = await grantOn(server());
    expect((await restrict(server(), 'revoked')).body.installation?.state).toBe('revoked');
    expect([await read(), await write()]).toEqual(['installation_revoked', 'installation_revoked']);
    const after = (await restrict(server(), 'authorised')).body;
    expect(after.installation?.state).toBe('authorised');
    expect(after.installation?.id).not.toBe(before.installation?.id);
    const epochs = await query<{ since_epoch: string; state: string }>(
      `select g.since_epoch, i.state from installation_scopes g join installations i using (app_id, installation_id)
       where app_id = $1 and scope = 'events:read' order by installation_id`,
      [app().uuid],
    );
    expect(epochs.map((one) => one.state)).toEqual(['revoked', 'authorised']);
    expect(Number(epochs[1]?.since_epoch)).toBeGreaterThan(Number(epochs[0]?.since_epoch));
  });

  test('revokes one scope and lifts the revocation: the other scopes stay, and the scope gets a new grant', async () => {
    const changed = await restrict(server(), 'revoked', 'tickets:create');
    expect(scopeState(changed.body, 'tickets:create')).toBe('revoked');
    expect([await read(), await write()]).toEqual([undefined, 'installation_revoked']);
    await restrict(server(), 'authorised', 'tickets:create');
    expect([await read(), await write()]).toEqual([undefined, undefined]);
    const grants = await query<{ state: string }>(
      `select state from installation_scopes where app_id = $1 and scope = 'tickets:create' order by grant_id`,
      [app().uuid],
    );
    expect(grants.map((one) => one.state)).toEqual(['revoked', 'authorised']);
  });

  test('changes a revocation to a pause without authorising the server in between', async () => {
    await restrict(server(), 'revoked');
    expect((await restrict(server(), 'paused')).body.installation?.state).toBe('paused');
    const changes = await query<{ to_state: string }>(
      `select to_state from installation_changes where app_id = $1 and scopes is null order by change_id`,
      [app().uuid],
    );
    expect(changes.map((one) => one.to_state)).toEqual(['authorised', 'revoked', 'paused']);
  });

  test('creates an audit entry and a row of history, with reason and request', async () => {
    const answer = await restrict(server(), 'paused', 'roadmap:read', 'Not used.');
    const requestId = answer.headers.get('request-id');
    const history = await manage<{ data: unknown[] }>('GET', '/installation-changes?limit=1');
    expect(history.body.data).toMatchObject([
      { scopes: ['roadmap:read'], from: 'authorised', to: 'paused', changedBy: MEMBER, reason: 'Not used.', requestId },
    ]);
    const entries = await query(`select actor, target, detail from audit_entries where app_id = $1 and action = $2`, [
      app().uuid,
      'installation_scope.paused',
    ]);
    expect(entries).toMatchObject([
      { actor: MEMBER, target: server(), detail: { scope: 'roadmap:read', reason: 'Not used.' } },
    ]);
  });

  test('is rejected without a role that may change installations', async () => {
    const path = `/servers/${server()}/installation`;
    for (const role of ['viewer', 'auditor'] as const) {
      const answer = await manage('PUT', path, { state: 'paused' }, role);
      expect([answer.status, answer.body.code]).toEqual([403, 'role_not_allowed']);
    }
    expect(await read()).toBeUndefined();
  });

  test('returns 404 for a restriction of a server that the app does not know', async () => {
    expect((await restrict(toId('srv', newUuid()), 'paused')).status).toBe(404);
  });
});

describe('an organisation never grants more than the upstream API allows', () => {
  test.each([
    'paused',
    'revoked',
  ] as const)('when it authorises a server that the upstream API has %s: the request is rejected with the reason', async (withheld) => {
    await state(server(), withheld);
    const answer = await restrict(server(), 'authorised');
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'conflict' }]);
    expect(Reflect.get(answer.body, 'detail')).toContain('only the upstream API can grant it');
    await state(server(), 'authorised', { 'tickets:create': withheld });
    expect((await restrict(server(), 'authorised', 'tickets:create')).status).toBe(409);
    expect(await write()).toBe(withheld === 'paused' ? 'installation_paused' : 'scope_not_authorised');
  });

  test('when it lifts a restriction: grants that the upstream API has restricted in the meantime stay restricted', async () => {
    await restrict(server(), 'revoked');
    await state(server(), 'paused', { 'tickets:create': 'revoked' });
    const lifted = (await restrict(server(), 'authorised')).body;
    expect(lifted).toMatchObject({ installation: { state: 'paused' }, restrictions: [] });
    expect(scopeState(lifted, 'tickets:create') ?? 'revoked').toBe('revoked');
    expect(await read()).toBe('installation_paused');
  });
});

describe('a statement of the upstream API lifts no restriction', () => {
  test.each([
    'paused',
    'revoked',
  ] as const)('of a server that is %s: the response contains the stated and the effective state', async (withheld) => {
    await restrict(server(), withheld);
    for (const stated of ['authorised', 'paused', 'authorised'] as const) {
      const answer = await state(server(), stated);
      expect(answer.body).toEqual({ isNews: true, state: stated, effectiveState: withheld });
      expect(await read()).toBe(`installation_${withheld}`);
    }
    const revoked = await state(server(), 'revoked');
    expect(revoked.body).toEqual({ isNews: true, state: 'revoked', effectiveState: 'revoked' });
    await state(server(), 'authorised');
    expect(await read()).toBe(`installation_${withheld}`);
    await restrict(server(), 'authorised');
    expect(await read()).toBeUndefined();
  });

  test('of a scope, also if the upstream API creates a new installation', async () => {
    await restrict(server(), 'revoked', 'tickets:create');
    await state(server(), 'revoked');
    await state(server(), 'authorised');
    expect([await read(), await write()]).toEqual([undefined, 'installation_revoked']);
    await restrict(server(), 'authorised', 'tickets:create');
    expect(await write()).toBeUndefined();
  });
});
