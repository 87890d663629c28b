// The control of installations: independent states for servers and scopes, one answer for each transition, and the
// effect of each state on mutations.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { recordCancellations } from '../../../test/cancellations.fixture.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { type LostAccess, SCOPES } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(() => sandbox.close());

interface Installation {
  code?: string;
  serverId: string;
  installation: { id: string; state: string; scopes: { scope: string; state: string }[] };
}
type State = 'authorised' | 'paused' | 'revoked';

const path = (scope?: string, server = app.serverIds[0]): string =>
  `/apps/${app.id}/servers/${server}/installation${scope === undefined ? '' : `/scopes/${scope}`}`;
const set = (state: State, scope?: string, server?: string): Promise<Answer<Installation>> =>
  sandbox.manage<Installation>('PUT', path(scope, server), { state });
const createTicket = (server = app.serverIds[0]): Promise<Answer> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }));
const outcome = (answer: Answer<Installation>): string => answer.body.code ?? answer.body.installation.state;
const stateOf = (answer: Answer<Installation>, scope: string): string | undefined =>
  answer.body.installation.scopes.find((grant) => grant.scope === scope)?.state;

describe('an installation', () => {
  test.each<[State[], string[]]>([
    [['authorised'], ['authorised']],
    [
      ['paused', 'paused', 'authorised'],
      ['paused', 'paused', 'authorised'],
    ],
    [
      ['revoked', 'revoked'],
      ['revoked', 'revoked'],
    ],
    [
      ['paused', 'revoked'],
      ['paused', 'revoked'],
    ],
    [
      ['revoked', 'paused'],
      ['revoked', 'conflict'],
    ],
    [
      ['revoked', 'authorised', 'paused'],
      ['revoked', 'authorised', 'paused'],
    ],
  ])('returns %j for the states %j', async (states, expected) => {
    const outcomes: string[] = [];
    for (const state of states) outcomes.push(outcome(await set(state)));
    expect(outcomes).toEqual(expected);
  });

  test('keeps its id when paused and resumed, and gets a new id with all six scopes after a revocation', async () => {
    const first = await set('authorised');
    await set('revoked', 'tickets:create');
    expect((await set('paused')).body.installation.id).toBe(first.body.installation.id);
    expect((await set('authorised')).body.installation.id).toBe(first.body.installation.id);
    expect((await set('revoked')).body.installation.id).toBe(first.body.installation.id);
    const second = await set('authorised');
    expect(second.body.installation.id).not.toBe(first.body.installation.id);
    expect(second.body.installation.scopes).toHaveLength(SCOPES.length);
    expect(new Set(second.body.installation.scopes.map((grant) => grant.state))).toEqual(new Set(['authorised']));
  });

  test('is paused without effect on other installations', async () => {
    await set('paused');
    expect((await createTicket(app.serverIds[1])).status).toBe(201);
    const list = await sandbox.manage<{ data: Installation[] }>('GET', `/apps/${app.id}/installations`);
    const states = list.body.data.map((one) => [one.serverId === app.serverIds[0], one.installation.state]);
    expect(states.filter(([isOwn, state]) => isOwn !== (state === 'paused'))).toEqual([]);
  });

  test('is unchanged by an invalid state and by an unknown server', async () => {
    const wrong = await sandbox.manage('PUT', path(), { state: 'gone' });
    expect(wrong.body.code).toBe('invalid_request');
    expect((await set('paused', undefined, 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2')).body.code).toBe('not_found');
    const foreign = await sandbox.newApp();
    expect((await set('paused', undefined, foreign.serverIds[0])).body.code).toBe('not_found');
    expect(outcome(await set('authorised'))).toBe('authorised');
  });
});

// A removal that was committed can be answered with an error, because its wait for the workers failed.
describe('a repeated change of a grant', () => {
  const bulk = (state: State) =>
    sandbox.manage('POST', `/apps/${app.id}/installation-changes`, { serverIds: [app.serverIds[0]], state });

  test.each<[string, State, () => Promise<{ status: number }>]>([
    ['an installation', 'paused', () => set('paused')],
    ['an installation', 'revoked', () => set('revoked')],
    ['a scope', 'paused', () => set('paused', 'tickets:create')],
    ['a scope', 'revoked', () => set('revoked', 'tickets:create')],
    ['a list of installations', 'paused', () => bulk('paused')],
    ['a list of installations', 'revoked', () => bulk('revoked')],
  ])('of %s to %s cancels in-flight deliveries each time', async (_what, _state, change) => {
    const cancelled = await recordCancellations(sandbox.plane, async () => {
      for (let times = 0; times < 2; times++) expect((await change()).status).toBe(200);
    });
    expect(cancelled.map(serversOf)).toEqual([[app.serverIds[0]], [app.serverIds[0]]]);
  });

  test('to authorised cancels no delivery', async () => {
    const cancelled = await recordCancellations(sandbox.plane, async () => {
      for (const change of [
        () => set('authorised'),
        () => set('authorised', 'tickets:create'),
        () => bulk('authorised'),
      ])
        expect((await change()).status).toBe(200);
    });
    expect(cancelled).toEqual([[], [], []]);
  });

  const serversOf = (cancelled: LostAccess[]) => cancelled.map(({ serverId }) => serverId && toId('srv', serverId));
});

describe('a scope of an installation', () => {
  test.each<[State[], string[]]>([
    [['authorised'], ['authorised']],
    [
      ['paused', 'authorised'],
      ['paused', 'authorised'],
    ],
    [
      ['revoked', 'revoked'],
      ['revoked', 'revoked'],
    ],
    [
      ['revoked', 'paused'],
      ['revoked', 'conflict'],
    ],
    [
      ['revoked', 'authorised', 'paused', 'revoked', 'authorised'],
      ['revoked', 'authorised', 'paused', 'revoked', 'authorised'],
    ],
  ])('returns %j for the states %j', async (states, expected) => {
    const outcomes: (string | undefined)[] = [];
    for (const state of states) {
      const answer = await set(state, 'tickets:create');
      outcomes.push(answer.body.code ?? stateOf(answer, 'tickets:create'));
    }
    expect(outcomes).toEqual(expected);
  });

  test.each(SCOPES)('%s is independent of the other five scopes and of the installation', async (scope) => {
    for (const state of ['paused', 'revoked'] as const) {
      const answer = await set(state, scope);
      expect(answer.body.installation.state).toBe('authorised');
      for (const other of SCOPES)
        expect([other, stateOf(answer, other)]).toEqual([other, other === scope ? state : 'authorised']);
    }
  });

  test('can be changed while the installation is paused, and not after it is revoked', async () => {
    await set('paused');
    expect(stateOf(await set('paused', 'events:read'), 'events:read')).toBe('paused');
    await set('revoked');
    expect((await set('authorised', 'events:read')).body.code).toBe('conflict');
  });

  test('returns 404 if it does not exist', async () => {
    expect((await sandbox.manage('PUT', path('servers:write'), { state: 'paused' })).status).toBe(404);
  });
});

describe('concurrent changes of an installation', () => {
  /** Sends all changes while writes are blocked, so that each change reads before any change writes. */
  async function atOnce(...changes: (() => Promise<Answer<Installation>>)[]): Promise<number[]> {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    let answers: Promise<Answer<Installation>[]>;
    try {
      await superuser.query('lock table installations, installation_scopes in share mode');
      answers = Promise.all(changes.map((change) => change()));
      await untilLocksWaited(superuser, changes.length);
    } finally {
      await superuser.query('rollback');
    }
    return (await answers).map((answer) => answer.status);
  }

  test('create one installation when two requests authorise a revoked server', async () => {
    await set('revoked');
    const make = (): Promise<Answer<Installation>> => set('authorised');
    expect(await atOnce(make, make)).toEqual([200, 200]);
    expect(outcome(await set('authorised'))).toBe('authorised');
  });

  test('create one grant when two requests authorise a revoked scope', async () => {
    await set('revoked', 'tickets:create');
    const make = (): Promise<Answer<Installation>> => set('authorised', 'tickets:create');
    expect(await atOnce(make, make)).toEqual([200, 200]);
  });

  test('reject or precede a pause that is concurrent with a revocation, and never undo the revocation', async () => {
    const statuses = await atOnce(
      () => set('revoked'),
      () => set('paused'),
    );
    expect([[200, 409].join(), [200, 200].join()]).toContain(statuses.join());
    expect((await set('paused')).body.code).toBe('conflict');
  });

  test('cause no internal error', () => {
    expect(sandbox.errors).toEqual([]);
  });
});

describe('the state of an installation', () => {
  test.each<[string, () => Promise<unknown>, number, string]>([
    ['a paused installation', () => set('paused'), 403, 'installation_paused'],
    ['a revoked installation', () => set('revoked'), 403, 'installation_revoked'],
    ['a paused scope', () => set('paused', 'tickets:create'), 403, 'installation_paused'],
    ['a revoked scope', () => set('revoked', 'tickets:create'), 403, 'installation_revoked'],
    [
      'a paused scope in a revoked installation',
      async () => {
        await set('paused', 'tickets:create');
        await set('revoked');
      },
      403,
      'installation_revoked',
    ],
  ])('rejects a ticket with the matching code for %s', async (_, block, status, code) => {
    await block();
    const answer = await createTicket();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await createTicket(app.serverIds[1])).status).toBe(201);
  });

  test('rejects a ticket for a scope that was never authorised', async () => {
    await sandbox.database.superuser.query(`delete from installation_scopes where scope = 'tickets:create'`);
    expect((await createTicket()).body.code).toBe('scope_not_authorised');
    expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}`, token)).status).toBe(200);
  });

  test('hides a server on which the app was never installed', async () => {
    await sandbox.database.superuser.query('delete from installation_scopes');
    await sandbox.database.superuser.query('delete from installations');
    const never = await createTicket();
    expect([never.status, never.body.code]).toEqual([404, 'not_found']);
    expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}`, token)).body.code).toBe('not_found');
    expect((await set('paused')).body.code).toBe('conflict');
    expect((await set('authorised', 'tickets:create')).body.code).toBe('conflict');
    expect(outcome(await set('authorised'))).toBe('authorised');
    expect((await createTicket()).status).toBe(201);
  });

  test('allows tickets again after a resumption or a new authorisation', async () => {
    await set('paused');
    await set('authorised');
    expect((await createTicket()).status).toBe(201);
    await set('revoked', 'tickets:create');
    await set('authorised', 'tickets:create');
    expect((await createTicket()).status).toBe(201);
    await set('revoked');
    await set('authorised');
    expect((await createTicket()).status).toBe(201);
  });

  test('omits paused and revoked servers from the list', async () => {
    await set('paused', 'servers:read', app.serverIds[1]);
    await set('revoked', undefined, app.serverIds[2]);
    const { body } = await sandbox.call<{ data: { id: string }[] }>('/v1/servers', token);
    const listed = body.data.map((server) => server.id);
    expect(listed.sort()).toEqual([0, 3, 4].map((index) => app.serverIds[index]).sort());
  });
});
