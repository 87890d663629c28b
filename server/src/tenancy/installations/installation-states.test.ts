// The states of a grant and every transition between them: in the database, by single and bulk changes, and
// concurrently.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { SQLSTATES } from '../../../test/run-as-role.ts';
import { SCOPES } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { makeGrant, type StoredGrantState } from './grants.fixture.ts';

type TargetState = Exclude<StoredGrantState, null>;
/** The state of one server: its installation, and `tickets:create` in it. */
interface Grant {
  installation: StoredGrantState;
  scope: StoredGrantState;
}
interface Change {
  of: 'installation' | 'scope';
  to: TargetState;
}

const STATES: readonly StoredGrantState[] = [null, 'authorised', 'paused', 'revoked'];
const WANTED: readonly TargetState[] = ['authorised', 'paused', 'revoked'];
const CHANGES: Change[] = (['installation', 'scope'] as const).flatMap((of) => WANTED.map((to) => ({ of, to })));
// Without an installation there is no scope.
const GRANTS: Grant[] = STATES.flatMap((installation) =>
  STATES.map((scope) => ({ installation, scope })).filter((grant) => installation !== null || grant.scope === null),
);

/**
 * Returns the grant after the change according to the decision records, independently of the implementation. Returns
 * undefined if the change is rejected.
 */
function model(grant: Grant, { of, to }: Change): Grant | undefined {
  const isGone = (state: StoredGrantState): boolean => state === null || state === 'revoked';
  if (of === 'scope' && isGone(grant.installation)) return undefined;
  const now = grant[of];
  if (now === to) return grant;
  if (isGone(now) && to !== 'authorised') return undefined;
  if (of === 'scope') return { ...grant, scope: to };
  return isGone(now) ? { installation: 'authorised', scope: 'authorised' } : { ...grant, installation: to };
}

/** Returns the problem code of a mutation in that state. */
function codeOf({ installation, scope }: Grant): string | undefined {
  if (installation === null) return 'not_found';
  if (installation !== 'authorised') return `installation_${installation}`;
  if (scope === null) return 'scope_not_authorised';
  return scope === 'authorised' ? undefined : `installation_${scope}`;
}

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

const make = (server: string | undefined, { installation, scope }: Grant): Promise<void> =>
  makeGrant(
    sandbox,
    { appId: app.id, serverId: server },
    installation,
    SCOPES.map((one) => (one === 'tickets:create' ? scope : 'authorised')),
  );
const one = (server: string | undefined, { of, to }: Change): Promise<Answer> => {
  const scope = of === 'scope' ? '/scopes/tickets:create' : '';
  return sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${scope}`, { state: to });
};
const many = (serverIds: readonly string[], { of, to }: Change): Promise<Answer<{ data: { outcome: string }[] }>> =>
  sandbox.manage('POST', `/apps/${app.id}/installation-changes`, {
    state: to,
    includeRevoked: true,
    serverIds,
    ...(of === 'scope' && { scopes: ['tickets:create'] }),
  });
async function seen(server: string | undefined): Promise<Grant> {
  const { rows } = await sandbox.database.superuser.query<Grant>(
    `select i.state as installation, (select state from installation_scopes g where g.installation_id = i.installation_id
       and scope = 'tickets:create' order by grant_id desc limit 1) as scope
     from installations i where server_id = $1 and app_id = $2 order by installation_id desc limit 1`,
    [fromId('srv', server ?? ''), fromId('app', app.id)],
  );
  return rows[0] ?? { installation: null, scope: null };
}
const createTicket = (server: string | undefined): Promise<Answer> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }));

describe.each(GRANTS)('a grant with the installation $installation and the scope $scope', (grant) => {
  test('follows the decision records for each single and bulk change, and calls return the matching answer', async () => {
    const [alone, bulk] = app.serverIds;
    for (const change of CHANGES) {
      const expected = model(grant, change);
      await make(alone, grant);
      await make(bulk, grant);
      const answer = await one(alone, change);
      expect([change, answer.status, await seen(alone)]).toEqual([change, expected ? 200 : 409, expected ?? grant]);
      const [item] = (await many([bulk ?? ''], change)).body.data;
      const outcome = expected ? (expected === grant ? 'unchanged' : 'changed') : 'impossible';
      expect([change, item?.outcome, await seen(bulk)]).toEqual([change, outcome, expected ?? grant]);
      expect([change, (await createTicket(alone)).body.code]).toEqual([change, codeOf(expected ?? grant)]);
    }
  });
});

describe('the database', () => {
  test.each([
    'installations',
    'installation_scopes',
  ])('allows the permitted transitions of %s, and none from revoked', async (table) => {
    const { superuser } = sandbox.database;
    const refused: string[] = [];
    for (const from of WANTED) {
      for (const to of WANTED) {
        await make(app.serverIds[2], { installation: from, scope: from });
        await superuser.query('begin');
        const own = `where app_id = $2 and installation_id = (select max(installation_id::text)::uuid from installations
          where app_id = $2 and server_id = $3) ${table === 'installations' ? '' : "and scope = 'tickets:create'"}`;
        const values = [to, fromId('app', app.id), fromId('srv', app.serverIds[2] ?? '')];
        await superuser.query(`update ${table} set state = $1 ${own}`, values).catch((error: { code: string }) => {
          refused.push(`${from} -> ${to} ${error.code}`);
        });
        await superuser.query('rollback');
      }
    }
    expect(refused).toEqual([`revoked -> authorised ${SQLSTATES.check}`, `revoked -> paused ${SQLSTATES.check}`]);
  });
});

function* orders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield [];
  for (const [at, first] of all.entries()) {
    for (const rest of orders(all.filter((_, index) => index !== at))) yield [first, ...rest];
  }
}

test.each([
  'installation',
  'scope',
] as const)('rejects a new grant from a lagging clock instead of hiding it behind a revoked grant (%s)', async (of) => {
  const server = app.serverIds[4] ?? '';
  await make(server, { installation: of === 'scope' ? 'authorised' : null, scope: null });
  const ids = [fromId('app', app.id), fromId('srv', server), `ffff${newUuid().slice(4)}`];
  const ahead = {
    installation: `insert into installations (app_id, server_id, installation_id, state) values ($1, $2, $3, 'revoked')`,
    scope: `insert into installation_scopes (app_id, installation_id, grant_id, scope, state)
        select app_id, installation_id, $3, 'tickets:create', 'revoked' from installations
        where app_id = $1 and server_id = $2 and state = 'authorised'`,
  };
  await sandbox.database.superuser.query(ahead[of], ids);
  const refused = await one(server, { of, to: 'authorised' });
  expect([refused.status, refused.body.code, (await seen(server))[of]]).toEqual([503, 'unavailable', 'revoked']);
  expect(sandbox.errors.splice(0)).toEqual([expect.objectContaining({ message: expect.stringContaining('a later') })]);
});

test('gives concurrent changes of one grant the results and the answers of some serial order', async () => {
  const server = app.serverIds[3] ?? '';
  // Three different changes, the second of them in bulk, from every initial state that a change can affect.
  const trios = CHANGES.flatMap((first, at) => [
    [first, CHANGES[(at + 1) % 6], CHANGES[(at + 3) % 6]].filter((change) => change !== undefined),
    [first, CHANGES[(at + 2) % 6], CHANGES[(at + 5) % 6]].filter((change) => change !== undefined),
  ]);
  for (const [at, trio] of trios.entries()) {
    const start = GRANTS.filter(({ installation }) => installation !== null)[(at * 5) % 12] ?? {
      installation: null,
      scope: null,
    };
    await make(server, start);
    const answers = await Promise.all(
      trio.map(async (change, index) =>
        index === 1
          ? (await many([server], change)).body.data[0]?.outcome !== 'impossible'
          : (await one(server, change)).status === 200,
      ),
    );
    const end = await seen(server);
    const possible = [...orders([0, 1, 2])].map((order) => {
      let grant = start;
      const isDone: boolean[] = [];
      for (const index of order) {
        const next = model(grant, trio[index] ?? { of: 'scope', to: 'paused' });
        isDone[index] = next !== undefined;
        grant = next ?? grant;
      }
      return JSON.stringify([isDone, grant]);
    });
    expect([JSON.stringify(start), JSON.stringify(trio), possible]).toEqual([
      expect.anything(),
      expect.anything(),
      expect.arrayContaining([JSON.stringify([answers, { installation: end.installation, scope: end.scope }])]),
    ]);
    expect((await createTicket(server)).body.code).toBe(codeOf(end));
  }
});
