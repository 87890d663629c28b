// Effects of an organisation's restriction on explanations, bulk changes and events. A process of the previous release
// cannot undo them.

import { describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { useInstalledApp } from '../../../test/installed-app.fixture.ts';
import { type GrantBody, publish as publishOn, scopeState } from '../../../test/restrictions.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import type { GrantState } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';

const {
  production,
  upstreamApi,
  app,
  newApp,
  server,
  serverAt,
  state,
  report,
  restrict,
  grantOn,
  manage,
  read,
  write,
  call,
  query,
} = useInstalledApp();
const publish = (id: string) => publishOn(production(), server(), id);

describe('an explanation in production', () => {
  interface Explanation {
    isAllowed: boolean;
    code: string | null;
    rules: { rule: string; outcome: string; fix: string | null }[];
  }
  const broken = async (): Promise<[string, string | null][]> => {
    const path = `/access/createTicket?serverId=${server()}`;
    const { body } = await manage<Explanation>('GET', path);
    return body.rules.filter(({ outcome }) => outcome === 'broken').map(({ rule, fix }) => [rule, fix]);
  };

  test('names the organisation or the upstream API as the cause, like the rejected request', async () => {
    await restrict(server(), 'paused');
    await restrict(server(), 'revoked', 'tickets:create');
    const found = await broken();
    expect(found.map(([rule]) => rule)).toEqual([
      'server_not_paused_by_organisation',
      'scope_not_revoked_by_organisation',
    ]);
    expect(found[0]?.[1]).toContain('Your organisation');
    const refused = await call(`/v1/servers/${server()}`);
    expect(refused.body.detail).toBe(found[0]?.[1]);
    await state(server(), 'paused');
    expect((await broken()).map(([rule]) => rule)).toContain('installation_not_paused');
    await restrict(server(), 'authorised');
    await restrict(server(), 'authorised', 'tickets:create');
    expect((await broken()).map(([rule]) => rule)).toEqual(['installation_not_paused']);
  });

  test('names the organisation or the upstream API as the cause for the scope of an event’s resource', async () => {
    await report('publications:read', server());
    const type = 'publication.updated';
    const found = await until(async () => {
      const { body } = await call(`/v1/events?type=${type}`);
      return (body as { data: { id: string }[] }).data[0]; // as the contract says
    });
    const ruleOf = async (): Promise<string[]> => {
      const { body } = await manage<Explanation>('GET', `/access/listEvents?serverId=${server()}&eventType=${type}`);
      return body.rules.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule);
    };
    const detail = async () => String((await call(`/v1/events/${found.id}`)).body.detail);
    for (const withheld of ['paused', 'revoked'] as const) {
      await restrict(server(), withheld, 'publications:read');
      expect(await ruleOf()).toEqual([`resource_scope_not_${withheld}_by_organisation`]);
      expect(await detail()).toContain('Your organisation withholds the scope of the event’s resource');
      await restrict(server(), 'authorised', 'publications:read');
      await state(server(), 'authorised', { 'publications:read': withheld });
      expect(await ruleOf()).toEqual([`resource_scope_not_${withheld}`]);
      expect(await detail()).not.toContain('Your organisation');
      await state(server(), 'authorised');
    }
  });
});

describe('the reason of a delivery in production', () => {
  const reasons = async (): Promise<Set<string | null>> => {
    const rows = await query<{ reason: string | null }>('select reason from deliveries where app_id = $1', [
      app().uuid,
    ]);
    return new Set(rows.map(({ reason }) => reason));
  };

  test.each([
    ['paused', undefined, 'installation_paused'],
    ['revoked', undefined, 'installation_revoked'],
    ['paused', 'events:read', 'installation_paused'],
    ['revoked', 'events:read', 'installation_revoked'],
    ['paused', 'publications:read', 'resource_scope_paused'],
    ['revoked', 'publications:read', 'resource_scope_revoked'],
  ] as const)('names the organisation only if the organisation has %s the server or scope (%s)', async (withheld, scope, reason) => {
    const withholdByServer = () =>
      scope === undefined ? state(server(), withheld) : state(server(), 'authorised', { [scope]: withheld });
    const withholdByOrganisation = () => restrict(server(), withheld, scope);
    for (const [withhold, expected] of [
      [withholdByOrganisation, `${reason}_by_organisation`],
      [withholdByServer, reason],
    ] as const) {
      await newApp();
      await state(server(), 'authorised');
      const { id: keyId } = await app().key();
      const endpoint = { url: 'https://receiver.example.org/hooks', keyId, eventTypes: ['publication.published'] };
      expect((await manage('POST', '/endpoints', endpoint, 'owner')).status).toBe(201);
      await publish(`${expected}-${scope}-1`);
      expect(await reasons()).toEqual(new Set([null]));
      await withhold();
      expect(await reasons()).toEqual(new Set([expected]));
      await publish(`${expected}-${scope}-2`);
      expect(await reasons()).toEqual(new Set([expected]));
    }
  });
});

describe('a bulk change in production', () => {
  interface Bulk {
    changed: number;
    unchanged: number;
    impossible: number;
    data: { serverId: string; outcome: string; from: GrantState; to: GrantState; reason: string | null }[];
  }
  const bulk = async (body: object): Promise<Bulk> => (await manage<Bulk>('POST', '/installation-changes', body)).body;
  const states = async (): Promise<GrantBody[]> => Promise.all(servers().map((one) => grantOn(one)));
  const servers = (): string[] => upstreamApi().serverIds.slice(0, 3);

  test('restricts every server, and with includeRevoked lifts the restriction to the statement of each server', async () => {
    const [, second = '', third = ''] = servers();
    await state(second, 'paused');
    await state(third, 'authorised', { 'roadmap:read': 'paused' });
    const dry = await bulk({ state: 'revoked', isDryRun: true });
    expect([dry.changed, dry.data.every(({ to }) => to === 'revoked')]).toEqual([3, true]);
    expect((await states()).map(({ restrictions }) => restrictions)).toEqual([[], [], []]);
    expect((await bulk({ state: 'revoked', reason: 'Audit.' })).changed).toBe(3);
    expect((await states()).map(({ installation }) => installation?.state)).toEqual(['revoked', 'revoked', 'revoked']);
    for (const wanted of ['authorised', 'paused'])
      expect(await bulk({ state: wanted })).toMatchObject({ changed: 0, excluded: 3, changedFrom: { revoked: 0 } });
    expect((await states()).map(({ installation }) => installation?.state)).toEqual(['revoked', 'revoked', 'revoked']);
    const lifted = await bulk({ state: 'authorised', includeRevoked: true });
    expect(lifted).toMatchObject({ changed: 3, excluded: 0, changedFrom: { revoked: 3 } });
    const to = new Map(lifted.data.map((one) => [one.serverId, one.to]));
    expect(servers().map((one) => to.get(one))).toEqual(['authorised', 'paused', 'authorised']);
    const now = await states();
    expect(now.map(({ installation }) => installation?.state)).toEqual(['authorised', 'paused', 'authorised']);
    expect(now.map((one) => scopeState(one, 'roadmap:read'))).toEqual(['authorised', 'authorised', 'paused']);
    const again = await bulk({ state: 'authorised' });
    expect(again).toMatchObject({ changed: 0, unchanged: 2, impossible: 1 });
    expect(again.data.find(({ serverId }) => serverId === second)).toMatchObject({
      reason: 'upstream_withholds',
      to: 'paused',
    });
  });

  test('restricts many servers with as many SQL statements as one server', async () => {
    const many = Array.from({ length: 10 }, () => toId('srv', newUuid()));
    for (const one of many) await state(one, 'authorised');
    const revision = async (): Promise<number> => {
      const [row] = await query<{ sum: string }>('select sum(grants) from revisions where app_id = $1', [app().uuid]);
      return Number(row?.sum);
    };
    const statementsOf = async (serverIds: readonly string[], body: object): Promise<number> => {
      const before = await revision();
      expect((await bulk({ ...body, serverIds })).changed).toBeGreaterThanOrEqual(serverIds.length);
      return (await revision()) - before;
    };
    const [first = '', ...rest] = many;
    for (const body of [{ state: 'paused' }, { state: 'revoked', scopes: ['events:read', 'tickets:create'] }])
      expect(await statementsOf(rest, body)).toBe(await statementsOf([first], body));
  });

  test('restricts one scope on all servers', async () => {
    await state(serverAt(1), 'authorised');
    const { changed } = await bulk({ state: 'paused', scopes: ['tickets:create', 'roadmap:read'] });
    expect(changed).toBe(4);
    expect(await write()).toBe('installation_paused');
    expect(await read()).toBeUndefined();
    expect((await bulk({ state: 'authorised', scopes: ['tickets:create'] })).changed).toBe(2);
    expect(await write()).toBeUndefined();
  });
});

test('emits an event with the effective states for each change of them', async () => {
  await restrict(server(), 'paused');
  await state(server(), 'authorised');
  await restrict(server(), 'authorised');
  await restrict(server(), 'revoked', 'roadmap:read');
  await state(server(), 'authorised');
  const events = await query<{ type: string; body: string }>(
    'select type, body from events where app_id = $1 order by event_id offset 1',
    [app().uuid],
  );
  expect(events.map(({ type }) => type)).toEqual([
    'installation.paused',
    'installation.resumed',
    'installation.scope_changed',
  ]);
  expect(JSON.stringify(events[2])).toContain('revoked');
});

describe('a process of the previous release', () => {
  // The statements of its ingest, which knows neither complete statements nor restrictions.
  const bump = () =>
    query('update upstream_installations set version = version + 1000000 where app_id = $1 and server_id = $2', [
      app().uuid,
      uuidOf(server()),
    ]);
  const set = (to: GrantState) =>
    query(
      `update installations set state = $2 where app_id = $1 and installation_id = (
        select installation_id from installations where app_id = $1 order by installation_id desc limit 1)`,
      [app().uuid, to],
    );

  test.each([
    'paused',
    'revoked',
  ] as const)('lifts no restriction of a server that is %s, and its statement grants no more than the current state', async (withheld) => {
    await restrict(server(), withheld);
    await bump();
    await set('authorised');
    expect(await read()).toBe(`installation_${withheld}`);
    await query(
      withheld === 'revoked'
        ? `insert into installations (app_id, installation_id, server_id) values ($1, $2, $3)`
        : `select $1::uuid, $2::uuid, $3::uuid`,
      [app().uuid, newUuid(), uuidOf(server())],
    );
    expect(await read()).toBe(`installation_${withheld}`);
    await restrict(server(), 'authorised');
    expect(await read()).toBe(`installation_${withheld}`);
    // A process of this release stores a complete statement again.
    await query('update upstream_installations set version = 1 where app_id = $1', [app().uuid]);
    await state(server(), 'authorised');
    expect(await read()).toBeUndefined();
  });

  test('can restrict a server further by pausing it', async () => {
    await bump();
    await set('paused');
    expect(await read()).toBe('installation_paused');
    await set('authorised');
    expect(await read()).toBeUndefined();
  });

  test('keeps a scope that the organisation has revoked out of a new grant', async () => {
    await restrict(server(), 'revoked', 'tickets:create');
    await bump();
    const [{ installation_id = '' } = {}] = await query<{ installation_id: string }>(
      'select installation_id from installations where app_id = $1',
      [app().uuid],
    );
    await query(
      `insert into installation_scopes (app_id, grant_id, installation_id, scope, since_epoch)
       values ($1, $2, $3, 'tickets:create', 0)`,
      [app().uuid, newUuid(), installation_id],
    );
    expect(await write()).toBe('installation_revoked');
  });
});

test('a server without a complete statement can be restricted and resumed', async () => {
  const old = await newApp();
  await old.install(server(), ['servers:read', 'tickets:create']);
  expect(await write()).toBeUndefined();
  await restrict(server(), 'revoked');
  expect(await write()).toBe('installation_revoked');
  expect(await grantOn(server())).toMatchObject({ upstream: { state: 'authorised' } });
  await restrict(server(), 'authorised');
  expect(await write()).toBeUndefined();
  expect((await grantOn(server())).installation?.scopes.map(({ scope }) => scope)).toEqual([
    'servers:read',
    'tickets:create',
  ]);
});
