// Changes many grants in one request: all possible changes or none, with a result for each grant and without deadlocks.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

type State = 'authorised' | 'paused' | 'revoked';
interface Item {
  serverId: string;
  scope: Scope | null;
  outcome: string;
  from: State | null;
  reason: string | null;
}
interface Result {
  isDryRun: boolean;
  changed: number;
  unchanged: number;
  impossible: number;
  excluded: number;
  changedFrom: Record<State | 'absent', number>;
  deliveries: number;
  data: Item[];
  nextCursor: string | null;
}
interface Installation {
  serverId: string;
  installation: { id: string; state: State; scopes: { scope: Scope; state: State }[] } | null;
}

const bulk = (body: unknown): Promise<Answer<Result>> =>
  sandbox.manage<Result>('POST', `/apps/${app.id}/installation-changes`, body);
const set = (state: State, server: string | undefined, scope?: Scope): Promise<Answer> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${scope ? `/scopes/${scope}` : ''}`, { state });
const changes = (): Promise<Answer<{ data: Record<string, unknown>[] }>> =>
  sandbox.manage('GET', `/apps/${app.id}/installation-changes?limit=100`);
const createTicket = (server: string | undefined): Promise<Answer> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }));

/** Returns `installation/scope` states for each server in the order of the app's servers. */
async function states(scope: Scope = 'tickets:create'): Promise<string[]> {
  const { body } = await sandbox.manage<{ data: Installation[] }>('GET', `/apps/${app.id}/installations?limit=100`);
  return app.serverIds.map((id) => {
    const found = body.data.find((row) => row.serverId === id)?.installation;
    return `${found?.state}/${found?.scopes.find((grant) => grant.scope === scope)?.state}`;
  });
}
const outcomes = ({ body }: Answer<Result>): unknown[] =>
  body.data.map(({ outcome, from, reason }) => [outcome, from, reason].join(' ').trim());
const reversed = (): string[] => [...app.serverIds].sort().reverse();

describe('a change of many grants', () => {
  test('pauses one scope on all servers, takes effect before the response, and records each server', async () => {
    const answer = await bulk({ state: 'paused', scopes: ['tickets:create'], reason: 'Away.' });
    expect(answer.body).toMatchObject({ isDryRun: false, changed: 5, unchanged: 0, impossible: 0, nextCursor: null });
    expect(answer.body.data.map(({ serverId }) => serverId)).toEqual(reversed());
    for (const server of app.serverIds) expect((await createTicket(server)).body.code).toBe('installation_paused');
    expect(await states('events:read')).toEqual(Array(5).fill('authorised/authorised'));
    const ownChanges = (await changes()).body.data.filter((change) => change.reason === 'Away.');
    expect(ownChanges).toHaveLength(5);
    const common = { scopes: ['tickets:create'], from: 'authorised', to: 'paused', changedBy: 'tester@example.org' };
    const requestId = answer.headers.get('request-id');
    for (const change of ownChanges) expect(change).toMatchObject({ ...common, requestId });
    const audit = await sandbox.database.superuser.query(
      `select detail from audit_entries where action = 'installation.bulk' and app_id = $1`,
      [fromId('app', app.id)],
    );
    const detail = { state: 'paused', scopes: ['tickets:create'], from: null, reason: 'Away.' };
    expect(audit.rows).toEqual([
      {
        detail: {
          ...detail,
          changed: 5,
          unchanged: 0,
          impossible: 0,
          excluded: 0,
          changedFrom: { authorised: 5, paused: 0, revoked: 0, absent: 0 },
        },
      },
    ]);
  });

  test('returns changed, unchanged and impossible grants with reasons, and an impossible grant does not block the others', async () => {
    const [a, b, c, d] = app.serverIds;
    await set('paused', a);
    await set('revoked', b);
    await set('revoked', c, 'tickets:create');
    const never = toId('srv', newUuid());
    const foreign = (await sandbox.newApp()).serverIds[0];
    const serverIds = [a, b, c, d, never, foreign];
    const of = (answer: Answer<Result>): unknown[] =>
      serverIds.map((id) => outcomes(answer)[answer.body.data.findIndex((item) => item.serverId === id)]);
    expect(of(await bulk({ state: 'paused', serverIds }))).toEqual([
      'unchanged paused',
      'impossible revoked nothing_granted',
      'changed authorised',
      'changed authorised',
      'impossible  no_such_server',
      'impossible  no_such_server',
    ]);
    expect(of(await bulk({ state: 'paused', serverIds, scopes: ['tickets:create'] }))).toEqual([
      'changed authorised',
      'impossible authorised not_installed',
      'impossible revoked nothing_granted',
      'changed authorised',
      'impossible  no_such_server',
      'impossible  no_such_server',
    ]);
    const resumed = { state: 'authorised', serverIds, scopes: ['tickets:create'], includeRevoked: true };
    expect(of(await bulk(resumed))).toEqual([
      'changed paused',
      'impossible authorised not_installed',
      'changed revoked',
      'changed paused',
      'impossible  no_such_server',
      'impossible  no_such_server',
    ]);
    expect(await states()).toEqual([
      'paused/authorised',
      'revoked/authorised',
      'paused/authorised',
      'paused/authorised',
      'authorised/authorised',
    ]);
    expect((await createTicket(app.serverIds[4])).status).toBe(201);
  });

  test('creates new grants with all scopes for revoked servers, and leaves other servers unchanged with `from`', async () => {
    const [a, b] = app.serverIds;
    await set('revoked', a);
    await set('paused', b);
    const resumed = await bulk({ state: 'authorised', from: 'paused' });
    expect(resumed.body.data).toEqual([
      { serverId: b, scope: null, outcome: 'changed', from: 'paused', to: 'authorised', reason: null },
    ]);
    expect((await createTicket(a)).body.code).toBe('installation_revoked');
    const again = await bulk({ state: 'authorised', from: 'revoked' });
    expect(again.body).toMatchObject({ changed: 1, data: [{ serverId: a }] });
    expect((await createTicket(a)).status).toBe(201);
  });

  test('keeps revoked servers and scopes revoked without includeRevoked, and a dry run counts both', async () => {
    const [a, b, c] = app.serverIds;
    await set('revoked', a);
    await set('paused', b);
    await set('revoked', c, 'tickets:create');
    const expectedCounts = {
      changed: 1,
      unchanged: 3,
      impossible: 0,
      excluded: 1,
      changedFrom: { paused: 1, revoked: 0 },
    };
    expect((await bulk({ state: 'authorised', isDryRun: true })).body).toMatchObject(expectedCounts);
    const resumed = await bulk({ state: 'authorised' });
    expect(resumed.body).toMatchObject(expectedCounts);
    expect(resumed.body.data.find(({ serverId }) => serverId === a)).toMatchObject({
      ...{ outcome: 'excluded', from: 'revoked', to: 'revoked', reason: null },
    });
    expect((await createTicket(a)).body.code).toBe('installation_revoked');
    const scopes = { state: 'authorised', scopes: ['tickets:create'] };
    expect((await bulk({ ...scopes, serverIds: [c] })).body).toMatchObject({ changed: 0, excluded: 1 });
    expect((await createTicket(c)).status).toBe(403);
    const lifted = { changed: 1, excluded: 0, changedFrom: { authorised: 0, paused: 0, revoked: 1, absent: 0 } };
    expect((await bulk({ ...scopes, serverIds: [c], includeRevoked: true })).body).toMatchObject(lifted);
    expect((await bulk({ state: 'authorised', includeRevoked: true, isDryRun: true })).body).toMatchObject(lifted);
    expect((await bulk({ state: 'authorised', includeRevoked: true })).body).toMatchObject(lifted);
    expect((await createTicket(a)).status).toBe(201);
    expect((await createTicket(c)).status).toBe(201);
  });

  test('changes each scope on each server in one call, and writes one history row per server', async () => {
    const answer = await bulk({ state: 'revoked', scopes: ['events:read', 'roadmap:read'] });
    expect(answer.body).toMatchObject({ changed: 10, data: expect.arrayContaining([]) });
    const revocations = (await changes()).body.data.filter((change) => change.to === 'revoked');
    expect(revocations).toHaveLength(5);
    for (const { scopes } of revocations) expect(scopes).toEqual(['events:read', 'roadmap:read']);
  });

  test('emits the events of paused and resumed installations, each in the sequence of its installation', async () => {
    await set('paused', app.serverIds[0]);
    await bulk({ state: 'paused' });
    await bulk({ state: 'authorised' });
    const feed = await until(async () => {
      const page = await sandbox.call<{ data: Record<string, unknown>[] }>('/v1/events?limit=100', token);
      const ours = page.body.data.filter(({ type }) => String(type).startsWith('installation.'));
      return ours.length === 10 && ours;
    });
    for (const server of app.serverIds) {
      const own = feed.filter((event) => event.serverId === server).map(({ type, sequence }) => [type, sequence]);
      expect(own).toEqual([
        ['installation.paused', 1],
        ['installation.resumed', 2],
      ]);
    }
  });

  test('is rejected as a whole if the request is invalid', async () => {
    const { token: secret } = await app.key();
    const wrong = [
      { state: 'gone' },
      { state: 'paused', serverIds: [] },
      { state: 'paused', serverIds: Array.from({ length: 1001 }, () => toId('srv', newUuid())) },
      { state: 'paused', scopes: [] },
      { state: 'paused', scopes: [...SCOPES, 'servers:read'] },
      { state: 'paused', reason: secret },
      { state: 'paused', cursor: 'eA' },
      { state: 'paused', serverIds: app.serverIds, cursor: 'eA' },
    ];
    for (const body of wrong) expect([body, (await bulk(body)).status]).toEqual([body, 400]);
    expect(await states()).toEqual(Array(5).fill('authorised/authorised'));
  });
});

describe('deliveries under a change of many grants', () => {
  beforeEach(async () => {
    const { id: keyId } = await app.key();
    const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId, eventTypes: ['ticket.created'] };
    expect((await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint)).status).toBe(201);
    for (const server of app.serverIds) await createTicket(server);
  });
  const statuses = async (): Promise<string> => {
    const { rows } = await sandbox.database.superuser.query(
      `select status, reason, count(*)::int as count from deliveries where app_id = $1 group by 1, 2 order by 1, 2`,
      [fromId('app', app.id)],
    );
    return rows.map(({ status, reason, count }) => `${count} ${status} ${reason ?? ''}`.trim()).join(', ');
  };

  test('that are pending are held, released and cancelled like under a single change, and a dry run only counts them', async () => {
    const steps: [unknown, number, string][] = [
      [{ state: 'paused', isDryRun: true }, 5, '5 pending'],
      [{ state: 'paused', scopes: ['publications:read'] }, 0, '5 pending'],
      [{ state: 'paused', scopes: ['tickets:create'] }, 5, '5 held resource_scope_paused'],
      [{ state: 'authorised', scopes: ['tickets:create'] }, 5, '5 pending'],
      [{ state: 'paused', serverIds: app.serverIds.slice(0, 2) }, 2, '2 held installation_paused, 3 pending'],
      [{ state: 'authorised', from: 'paused', isDryRun: true }, 2, '2 held installation_paused, 3 pending'],
      [{ state: 'authorised' }, 2, '5 pending'],
      [{ state: 'paused', scopes: ['events:read'] }, 5, '5 held installation_paused'],
      [{ state: 'revoked', isDryRun: true }, 5, '5 held installation_paused'],
      [{ state: 'revoked' }, 5, '5 cancelled installation_revoked'],
    ];
    for (const [body, deliveries, expected] of steps) {
      expect([body, (await bulk(body)).body.deliveries, await statuses()]).toEqual([body, deliveries, expected]);
    }
  });

  test('in flight are cancelled before the response', async () => {
    const { superuser } = sandbox.database;
    const worker = newUuid();
    await superuser.query('insert into workers (worker_id) values ($1)', [worker]);
    const answer = bulk({ state: 'revoked' });
    const stops = await until(async () => {
      const { rows } = await superuser.query('select * from stops where worker_id = $1', [worker]);
      return rows.length > 0 && rows;
    });
    for (const stop of stops) expect(stop).toMatchObject({ app_id: fromId('app', app.id), key_id: null });
    expect(stops.map(({ server_id }) => server_id).sort()).toEqual(app.serverIds.map((id) => fromId('srv', id)).sort());
    const { rowCount } = await superuser.query('select from installations where app_id = $1 and state = $2', [
      fromId('app', app.id),
      'revoked',
    ]);
    expect(rowCount).toBe(5);
    const isAnswered = await Promise.race([answer.then(() => true), Promise.resolve(false)]);
    expect(isAnswered).toBe(false);
    await superuser.query('delete from workers where worker_id = $1', [worker]);
    expect((await answer).status).toBe(200);
  });
});
