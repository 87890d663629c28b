// A node that is suspended (a paused machine, a long garbage collection) while an access ends. Mutations that it had
// begun write nothing when it resumes, new requests are refused, and it does not prevent the response to a revocation.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startScript } from '../../bench/kit.ts';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { untilLocksWaited, untilMutationsWait } from './lock-waits.ts';

/** An authority that is confirmed later than this counts as unconfirmed. */
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
  // A resumed node has lost connections. It refuses requests until it has opened new ones.
  const list = await until(async () => ok(await ask(`/v1/servers/${app.serverIds[0]}/workflows`)));
  workflow = list.body.data?.at(-1)?.id ?? '';
  await until(async () => ok(await createTicket())); // this also creates the row of the ticket's number
});

interface NodeResponse {
  status: number;
  body: { code?: string; data?: { id: string }[] };
}

async function ask(path: string, init: RequestInit = {}): Promise<NodeResponse> {
  const headers = { ...init.headers, authorization: `Bearer ${key.token}` };
  const response = await fetch(apiUrl + path, { ...init, headers });
  return { status: response.status, body: (await response.json()) as NodeResponse['body'] }; // the contract's own structure
}

const ok = (answer: NodeResponse): NodeResponse | false => answer.status < 300 && answer;
const server = (): string => `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
const createTicket = (): Promise<NodeResponse> =>
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
const ACCESS_ENDS: [string, string, () => Promise<unknown>][] = [
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

describe.each(ACCESS_ENDS)('a node that is suspended while %s', (_, code, end) => {
  test('the node writes nothing that it had begun, and refuses requests that arrive meanwhile', async () => {
    const before = await written();
    await superuser('begin');
    await superuser('lock table workflows in access exclusive mode');
    const run = json({ input: { memberName: 'Imke' } });
    const begun = ask(`/v1/workflows/${workflow}/runs`, run);
    await untilLocksWaited(sandbox.database.superuser, 1);
    node.child.kill('SIGSTOP');
    try {
      await superuser('commit');
      await end();
      const meanwhile = ask(`/v1/workflows/${workflow}/runs`, run);
      node.child.kill('SIGCONT');
      // The node may count its suspended time as time of the database.
      for (const answer of [await begun, await meanwhile]) {
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

test('access that a node read before it was suspended allows nothing when it resumes', async () => {
  await superuser('begin');
  await superuser('lock table apps, keys, revisions in access exclusive mode');
  const begun = ask('/v1/me');
  await untilLocksWaited(sandbox.database.superuser, 1);
  node.child.kill('SIGSTOP');
  const stoppedAtMs = performance.now();
  try {
    await superuser('commit'); // the response that the key is valid is in the socket
    await isDone(sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`));
    await until(() => performance.now() - stoppedAtMs > CONFIRMED_WITHIN_MS);
  } finally {
    node.child.kill('SIGCONT');
  }
  expect(await begun).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

test('a node that is suspended between judging and writing does not prevent a revocation, and writes nothing', async () => {
  const before = await written();
  await superuser('begin');
  await superuser('lock table endpoints in access exclusive mode');
  const begun = createTicket();
  // Only the repeat holds its access, and waits for the receivers of its event.
  await untilMutationsWait(sandbox.database.superuser, 1);
  node.child.kill('SIGSTOP');
  try {
    await superuser('commit'); // the first round trip ends, and the node sends no second one
    // Postgres ends the idle transaction before the revocation gives up, which would be answered 503.
    await isDone(sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`));
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
