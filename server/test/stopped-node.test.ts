// A node that stands still (a paused machine, a long collection) across the end of an access: what it had begun writes
// nothing when it goes on, what it is asked then is refused, and it keeps no revoke from being answered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startScript } from '../../bench/kit.ts';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { untilWaiting, untilWaitingAlone } from './waiting.ts';

/** Until Postgres ends a transaction that does nothing, and some more for a busy machine; a revoke gives up after 4.5 s. */
const HELD_UP_MS = 4_400;
/** Authority that is not confirmed by then is none. */
const CONFIRMED_WITHIN_MS = 1_000;

let sandbox: Sandbox;
let node: Awaited<ReturnType<typeof startScript>>;
let apiUrl: string;
let app: TestApp;
let key: { id: string; token: string };
let workflow: string;

beforeAll(async () => {
  sandbox = await startSandbox(BENCH_SECRETS);
  const env = { BENCH_DATABASE_URL: sandbox.options.databaseUrl, BENCH_RATE: '1000000' };
  node = await startScript('prove/revocation/node.ts', ['api'], env);
  apiUrl = JSON.parse(node.firstLine).apiUrl;
});
afterAll(async () => {
  await node.stop();
  await sandbox.close();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
  // A node that stood still has lost connections: until it has others it refuses, for as long as the machine takes to make them.
  const list = await until(async () => ok(await ask(`/v1/servers/${app.serverIds[0]}/workflows`)));
  workflow = list.body.data?.at(-1)?.id ?? '';
  await until(async () => ok(await createTicket())); // so is the row of its number there
});

interface Told {
  status: number;
  body: { code?: string; data?: { id: string }[] };
}

async function ask(path: string, init: RequestInit = {}): Promise<Told> {
  const headers = { ...init.headers, authorization: `Bearer ${key.token}` };
  const response = await fetch(apiUrl + path, { ...init, headers });
  return { status: response.status, body: (await response.json()) as Told['body'] }; // the contract's own shapes
}

const ok = (answer: Told): Told | false => answer.status < 300 && answer;
const server = (): string => `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
const createTicket = (): Promise<Told> =>
  ask(`/v1/servers/${app.serverIds[0]}/tickets`, json({ subject: 's', body: 'b' }));
const superuser = (text: string, ...values: unknown[]) => sandbox.database.superuser.query(text, values);
const appUuid = (): string => fromId('app', app.id) ?? '';

async function written(): Promise<number> {
  const { rows } = await superuser(
    `select (select count(*) from workflow_runs where app_id = $1)::int
       + (select count(*) from tickets where app_id = $1 and subject = 's')::int as n`,
    appUuid(),
  );
  return rows[0].n;
}

const isDone = async (answer: Promise<{ status: number }>): Promise<void> => expect((await answer).status).toBe(200);
const ENDS: [string, string, () => Promise<unknown>][] = [
  ['its key is revoked', 'revoked_key', () => isDone(sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`))],
  [
    'its installation is revoked',
    'installation_revoked',
    () => isDone(sandbox.manage('PUT', server(), { state: 'revoked' })),
  ],
  [
    'the scope is paused',
    'installation_paused',
    () => isDone(sandbox.manage('PUT', `${server()}/scopes/workflows:run`, { state: 'paused' })),
  ],
  [
    'its app is suspended',
    'app_suspended',
    () => superuser("update apps set state = 'suspended' where app_id = $1", appUuid()),
  ],
];

describe.each(ENDS)('a node that stands still while %s', (_, code, end) => {
  test('writes nothing of what it had begun, and refuses what it is asked meanwhile', async () => {
    const before = await written();
    await superuser('begin');
    await superuser('lock table workflows in access exclusive mode');
    const run = json({ input: { memberName: 'Imke' } });
    const begun = ask(`/v1/workflows/${workflow}/runs`, run);
    await untilWaiting(sandbox.database.superuser, 1);
    node.child.kill('SIGSTOP');
    try {
      await superuser('commit');
      await end();
      const asked = ask(`/v1/workflows/${workflow}/runs`, run);
      node.child.kill('SIGCONT');
      // It may have taken the time that it stood still for the database's.
      for (const answer of [await begun, await asked]) {
        expect([code, 'unavailable', 'timeout']).toContain(answer.body.code);
      }
    } finally {
      node.child.kill('SIGCONT');
    }
    expect(await written()).toBe(before);
    const after = await until(async () => {
      const answer = await ask(`/v1/workflows/${workflow}/runs`, run);
      return answer.status !== 503 && answer;
    });
    expect(after.body.code).toBe(code);
  });
});

test('what a node read of an access before it stood still allows nothing when it goes on', async () => {
  await superuser('begin');
  await superuser('lock table apps, keys, revisions in access exclusive mode');
  const begun = ask('/v1/me');
  await untilWaiting(sandbox.database.superuser, 1);
  node.child.kill('SIGSTOP');
  const stoppedAtMs = performance.now();
  try {
    await superuser('commit'); // the answer, that the key is good, lies in the socket
    await isDone(sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`));
    await until(() => performance.now() - stoppedAtMs > CONFIRMED_WITHIN_MS);
  } finally {
    node.child.kill('SIGCONT');
  }
  expect(await begun).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

test('a node that stands still between judging and writing holds up a revoke for seconds, and writes nothing', async () => {
  const before = await written();
  await superuser('begin');
  await superuser('lock table endpoints in access exclusive mode');
  const begun = createTicket();
  // The retry alone holds its access, and waits for the receivers of its event.
  await untilWaitingAlone(sandbox.database.superuser, 1);
  node.child.kill('SIGSTOP');
  try {
    await superuser('commit'); // the first round trip ends, and the node sends no second one
    const beganMs = performance.now();
    await isDone(sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`));
    const tookMs = performance.now() - beganMs;
    console.log(`answered after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(HELD_UP_MS);
    expect(await written()).toBe(before);
  } finally {
    node.child.kill('SIGCONT');
  }
  expect((await begun).status).toBeGreaterThanOrEqual(500);
  expect(await written()).toBe(before);
  const after = await until(async () => {
    const answer = await createTicket();
    return answer.status !== 503 && answer;
  });
  expect(after.body.code).toBe('revoked_key');
});
