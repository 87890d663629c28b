// The cap on servers in production: which servers have a place, which servers wait, and which waiting server gets a
// free place.

import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { publish } from '../../../test/restrictions.fixture.ts';
import type { GrantState } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

const { production, app, server, serverAt, state, restrict, orderCap, grantOn, manage, call, query } =
  useInstalledApp();

const stateOf = async (serverId: string): Promise<GrantState | undefined> =>
  (await grantOn(serverId)).installation?.state;

describe('the cap on servers', () => {
  test.each([
    'paused',
    'revoked',
  ] as const)('keeps the place of a server that the organisation has %s', async (withheld) => {
    const other = serverAt(1);
    await orderCap(1);
    await restrict(server(), withheld);
    expect((await state(other, 'authorised')).body.effectiveState).toBe('paused');
    expect(await grantOn(other)).toMatchObject({ isOverCap: true, upstream: { state: 'authorised' } });
    expect((await restrict(server(), 'authorised')).body.installation?.state).toBe('authorised');
    expect(await stateOf(other)).toBe('paused');
  });

  test('is named as the reason when a member authorises a waiting server, and in an explanation', async () => {
    const other = serverAt(1);
    await orderCap(1);
    await state(other, 'authorised');
    const answer = await restrict(other, 'authorised');
    expect([answer.status, Reflect.get(answer.body, 'detail')]).toEqual([409, expect.stringContaining('approved for')]);
    const { body } = await manage<{ rules: { rule: string; outcome: string; fix: string | null }[] }>(
      'GET',
      `/access/getServer?serverId=${other}`,
    );
    const broken = body.rules.filter(({ outcome }) => outcome === 'broken');
    expect(broken).toMatchObject([
      {
        rule: 'installation_within_cap',
        fix: expect.stringContaining('oldest installation resumes when another server pauses'),
      },
    ]);
  });

  test('pauses no server that has a place when it is lowered', async () => {
    await state(serverAt(1), 'authorised');
    await orderCap(1);
    expect([await stateOf(server()), await stateOf(serverAt(1))]).toEqual(['authorised', 'authorised']);
    await state(serverAt(1), 'paused');
    await state(serverAt(1), 'authorised');
    expect([await stateOf(server()), await stateOf(serverAt(1))]).toEqual(['authorised', 'paused']);
  });
});

describe('a free place under the cap', () => {
  beforeEach(async () => {
    await orderCap(1);
    for (const one of [serverAt(2), serverAt(1)]) await state(one, 'authorised');
    expect([await stateOf(serverAt(2)), await stateOf(serverAt(1))]).toEqual(['paused', 'paused']);
  });

  test.each([
    'paused',
    'revoked',
  ] as const)('goes to the waiting server with the oldest installation if the upstream API has %s a server', async (stated) => {
    await state(server(), stated);
    expect([await stateOf(serverAt(2)), await stateOf(serverAt(1))]).toEqual(['authorised', 'paused']);
    expect((await call(`/v1/servers/${serverAt(2)}`)).status).toBe(200);
    const history = await manage<{ data: { serverId: string; from: GrantState; to: GrantState; reason: string }[] }>(
      'GET',
      '/installation-changes?limit=1',
    );
    expect(history.body.data).toMatchObject([
      {
        serverId: serverAt(2),
        from: 'paused',
        to: 'authorised',
        changedBy: null,
        reason: 'A place under the cap on servers became free.',
      },
    ]);
    const events = await query<{ type: string }>('select type from events where app_id = $1 order by event_id', [
      app().uuid,
    ]);
    expect(events.filter(({ type }) => type === 'installation.resumed')).toHaveLength(1);
    // One place for two waiting servers.
    await state(server(), 'authorised');
    expect(await stateOf(server())).toBe('paused');
    await state(serverAt(2), 'paused');
    const holders = [await stateOf(server()), await stateOf(serverAt(1))];
    expect(holders.sort()).toEqual(['authorised', 'paused']);
  });

  test('stays with a server that the organisation restricts, and lifts no restriction', async () => {
    await restrict(serverAt(2), 'paused');
    await state(server(), 'revoked');
    expect(await grantOn(serverAt(2))).toMatchObject({ isOverCap: false, installation: { state: 'paused' } });
    expect(await grantOn(serverAt(1))).toMatchObject({ isOverCap: true, installation: { state: 'paused' } });
    expect((await restrict(serverAt(2), 'authorised')).body.installation?.state).toBe('authorised');
  });

  test('goes to a waiting server that the organisation revoked, which gets its grant when a member lifts the restriction', async () => {
    await restrict(serverAt(2), 'revoked');
    await state(server(), 'revoked');
    expect(await grantOn(serverAt(2))).toMatchObject({ isOverCap: false, installation: { state: 'revoked' } });
    const dry = { state: 'authorised', serverIds: [serverAt(2)], includeRevoked: true, isDryRun: true };
    const { body } = await manage<{ data: { to: GrantState }[] }>('POST', '/installation-changes', dry);
    expect(body.data).toMatchObject([{ to: 'authorised' }]);
    expect((await restrict(serverAt(2), 'authorised')).body.installation?.state).toBe('authorised');
  });

  test('goes to as many servers as there are places when the cap is raised, and to all servers when it is removed', async () => {
    const last = toId('srv', newUuid());
    await state(last, 'authorised');
    await orderCap(2);
    expect(await stateOf(serverAt(2))).toBe('authorised');
    expect([await stateOf(serverAt(1)), await stateOf(last)]).toEqual(['paused', 'paused']);
    await orderCap(null);
    expect([await stateOf(serverAt(1)), await stateOf(last)]).toEqual(['authorised', 'authorised']);
  });
});

test('releases a held event of a waiting server when the server gets the place', async () => {
  const { id: keyId } = await app().key();
  const endpoint = { url: 'https://receiver.example.org/hooks', keyId, eventTypes: ['publication.published'] };
  expect((await manage('POST', '/endpoints', endpoint, 'owner')).status).toBe(201);
  await orderCap(1);
  await state(serverAt(1), 'authorised');
  expect((await publish(production(), serverAt(1), `waits-${app().id}`)).status).toBe(200);
  const queued = async () =>
    (await query<{ state: string }>('select state from queue where app_id = $1', [app().uuid])).map((row) => row.state);
  expect(await queued()).toEqual(['held']);
  await orderCap(2);
  expect(await queued()).toEqual(['waiting']);
});

test('a free place is neither lost nor assigned twice when statements about many servers are concurrent', async () => {
  const servers = [server(), ...Array.from({ length: 5 }, () => toId('srv', newUuid()))];
  const most = 2;
  await orderCap(most);
  for (let round = 0; round < 12; round++) {
    const stated = servers.map((_, index) => ((index * 7 + round * 5) % 3 === 0 ? 'revoked' : 'authorised'));
    await Promise.all(servers.map((one, index) => state(one, stated[index] ?? 'revoked')));
    const now = await Promise.all(servers.map(stateOf));
    const wanted = stated.filter((one) => one === 'authorised').length;
    expect(now.filter((one) => one === 'authorised')).toHaveLength(Math.min(most, wanted));
    expect(now.filter((one) => one === 'paused')).toHaveLength(Math.max(0, wanted - most));
  }
});

test('a free place goes to the server of a concurrent statement that was about to wait', async () => {
  await orderCap(1);
  const [other, own] = [newUuid(), app().uuid];
  await query('begin');
  // A separate slot, so that the two transactions do not conflict on the app's revision.
  await query("set local slipway.revision_slot = '4'");
  await query(
    `insert into servers (app_id, server_id, name, slug, description, icon_url, locale, timezone, created_at, member_count)
     values ($1, $2, 'Harbour', '', '', '', '', '', now(), 0)`,
    [own, other],
  );
  await query(
    `insert into upstream_installations (app_id, server_id, version, stated_version, state, scopes)
     values ($1, $2, 1, 1, 'authorised', '{}')`,
    [own, other],
  );
  await query('insert into installations (app_id, installation_id, server_id) values ($1, $2, $3)', [
    own,
    newUuid(),
    other,
  ]);
  let isAnswered = false;
  const freed = state(server(), 'revoked').finally(() => {
    isAnswered = true;
  });
  const isWaiting = async (): Promise<boolean> =>
    (await query("select from pg_locks where not granted and locktype = 'transactionid'")).length > 0;
  await until(async () => isAnswered || (await isWaiting()));
  await query('commit');
  expect((await freed).status).toBe(200);
  expect(await stateOf(toId('srv', other))).toBe('authorised');
});
