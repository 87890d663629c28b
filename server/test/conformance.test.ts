// One suite of requests for the sandbox and for production with a reference upstream API: both must respond with the
// same statuses, problems, headers and structures.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../src/access/authority/index.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Answer, type Sandbox, startSandbox } from './app.ts';
import {
  type ConformanceEnvironment,
  comparableResponse,
  input,
  isAlike,
  pathOnFirstServer,
  post,
  runs,
  STEPS,
  type Step,
  shapeOf,
  ticket,
} from './conformance.fixture.ts';
import { type Production, startProduction } from './production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from './reference-upstream.ts';

let sandbox: Sandbox;
let production: Production;
let upstream: ReferenceUpstream;
const homes: ConformanceEnvironment[] = [];

beforeAll(async () => {
  upstream = await startReferenceUpstream({ servers: 4 });
  sandbox = await startSandbox();
  production = await startProduction({}, { url: upstream.url });
  const made = await sandbox.newApp();
  const app = await production.newApp();
  for (const serverId of upstream.serverIds) await app.install(serverId);
  const { token } = await made.key();
  const first = async (path: string, find: (one: { id: string; enabled?: boolean }) => boolean = () => true) => {
    const { body } = await sandbox.call<{ data: { id: string; enabled?: boolean }[] }>(path, token);
    return body.data.find(find)?.id ?? '';
  };
  const [mine = ''] = made.serverIds;
  await sandbox.database.superuser.query(
    `update workflows set enabled = row_number % 2 = 1, failing_step = null, input_schema = $2
     from (select workflow_id as id, row_number() over (partition by server_id order by workflow_id) from workflows) as numbered
     where workflow_id = id and app_id = $1`,
    [
      fromId('app', made.id),
      { type: 'object', properties: { memberName: { type: 'string' } }, required: ['memberName'] },
    ],
  );
  const workflows = `/v1/servers/${mine}/workflows`;
  const ids = {
    publication: await first(`/v1/servers/${mine}/publications`),
    item: await first(`/v1/servers/${mine}/roadmap`),
    workflow: await first(workflows, ({ enabled }) => enabled === true),
    switchedOff: await first(workflows, ({ enabled }) => enabled === false),
  };
  const [theirs = ''] = upstream.serverIds;
  const { publication, roadmapItem, workflow, switchedOff } = upstream.objects;
  homes.push(
    { name: 'sandbox', plane: sandbox, appId: made.id, key: made.key, serverIds: made.serverIds.slice(0, 4), ids },
    {
      name: 'production',
      plane: production,
      appId: app.id,
      key: app.key,
      serverIds: upstream.serverIds,
      ids: {
        publication: publication(theirs),
        item: roadmapItem(theirs),
        workflow: workflow(theirs),
        switchedOff: switchedOff(theirs),
      },
    },
  );
});
afterAll(async () => {
  await sandbox.close();
  await production.close();
  await upstream.close();
});

async function make(home: ConformanceEnvironment, { path, init, scopes = SCOPES, token }: Step): Promise<Answer> {
  const key = token === undefined ? (await home.key(scopes)).token : token === '' ? undefined : token;
  const target = typeof path === 'string' ? path : path(home);
  return home.plane.call(target, key, typeof init === 'function' ? init(home) : init);
}

async function compare(step: Step): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const home of homes) answers.push(await make(home, step));
  const [a, b] = answers;
  if (!a || !b) throw new Error('Both environments must respond.');
  expect(comparableResponse(b), step.title).toEqual(comparableResponse(a));
  expect(
    isAlike(shapeOf(a.body), shapeOf(b.body)),
    `${step.title}: ${a.text.slice(0, 400)} / ${b.text.slice(0, 400)}`,
  ).toBe(true);
  return answers;
}

test.each(STEPS)('both environments respond alike to: $title', async (step) => {
  await compare(step);
});

test('a list in both environments continues by cursor to its end, with a Link to the next page', async () => {
  for (const home of homes) {
    const { token } = await home.key();
    const found: string[] = [];
    let path: string | undefined = '/v1/servers?limit=3';
    for (let pages = 0; path !== undefined && pages < 20; pages += 1) {
      const page: Answer<{ data: { id: string }[]; nextCursor: string | null }> = await home.plane.call(path, token);
      found.push(...page.body.data.map(({ id }) => id));
      const link = /<[^>]*(\/v1\/servers\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      expect(link === undefined).toBe(page.body.nextCursor === null);
      path = link;
    }
    expect(new Set(found).size).toBe(found.length);
    expect(home.serverIds.every((id) => found.includes(id))).toBe(true);
  }
});

test('a created object can be read at its Location, and an unchanged one gets 304', async () => {
  for (const home of homes) {
    const { token } = await home.key();
    const created = await home.plane.call(pathOnFirstServer('/tickets')(home), token, post(ticket));
    const location = new URL(created.headers.get('location') ?? '').pathname;
    const read = await home.plane.call(location, token);
    expect([read.status, read.body]).toEqual([200, created.body]);
    const headers = { 'if-none-match': read.headers.get('etag') ?? '' };
    expect((await home.plane.call(location, token, { headers })).status).toBe(304);
    const run = await home.plane.call(runs(home), token, post(input));
    expect([
      run.status,
      (await home.plane.call(new URL(run.headers.get('location') ?? '').pathname, token)).status,
    ]).toEqual([202, 200]);
  }
});

test.each([
  'paused',
  'revoked',
])('both environments respond alike for a server, or one of its scopes, that is %s', async (state) => {
  for (const of of ['installations', 'installation_scopes'] as const) {
    for (const home of homes) {
      const server = fromId('srv', home.serverIds[1] ?? '');
      const installation = 'select installation_id from installations where app_id = $1 and server_id = $2';
      await home.plane.database.superuser.query(
        of === 'installations'
          ? `update installations set state = $3 where app_id = $1 and server_id = $2 and state <> 'revoked'`
          : `update installation_scopes set state = $3 where app_id = $1 and scope <> 'events:read' and installation_id in (${installation})`,
        [fromId('app', home.appId), server, state],
      );
    }
    const on = (rest: string) => (home: ConformanceEnvironment) => `/v1/servers/${home.serverIds[1]}${rest}`;
    const refused = await compare({ title: `${of} ${state}`, path: on('/roadmap') });
    expect(refused[0]?.body.code).toBe(`installation_${state}`);
    await compare({ title: 'its ticket', path: on('/tickets'), init: post(ticket) });
    await compare({ title: 'itself', path: on('') });
    for (const home of homes) {
      const listed = await home.plane.call<{ data: { id: string }[] }>(
        '/v1/servers?limit=100',
        (await home.key()).token,
      );
      expect(listed.body.data.some(({ id }) => id === home.serverIds[1])).toBe(false);
      if (state === 'paused') {
        const ids = [fromId('app', home.appId)];
        await home.plane.database.superuser.query(
          `update ${of} set state = 'authorised' where app_id = $1 and state = 'paused'`,
          ids,
        );
      }
    }
  }
});

test('a key, a cursor and an id of one environment are refused in the other', async () => {
  const [a, b] = homes;
  if (!a || !b) throw new Error('The test requires two environments.');
  for (const [home, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const foreign = await home.plane.call('/v1/servers', (await other.key()).token);
    expect([home.name, foreign.status, foreign.body.code]).toEqual([home.name, 401, 'wrong_environment']);
    const { token } = await home.key();
    const page = await other.plane.call('/v1/servers?limit=1', (await other.key()).token);
    const cursor = await home.plane.call(`/v1/servers?limit=1&cursor=${page.body.nextCursor}`, token);
    expect([home.name, cursor.status, cursor.body.code]).toEqual([home.name, 400, 'invalid_request']);
    for (const path of [pathOnFirstServer('')(other), `/v1/publications/${other.ids.publication}`])
      expect([home.name, path, (await home.plane.call(path, token)).status]).toEqual([home.name, path, 404]);
  }
});
