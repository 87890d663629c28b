// The commands of the README: each is known here, and run here or by another suite.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSlipway, SlipwayProblem } from '@slipway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGuide } from './getting-started.ts';
import { measureHelpMs } from './measure-help.ts';
import { createInstance, root, type SlipwayInstance, until } from './slipway.ts';
import { ask, readNote, send, signIn } from './visitor.ts';

const RUN_BY: Record<string, string> = {
  'npm ci': '.ci/run, on a clean clone',
  'npm start': 'test/shutdown.test.ts and bench/start.ts',
  'npm test': '.ci/run',
  'export SLIPWAY_KEY=slw_test_...': 'this file, as the environment of the next ones',
  'npx slipway me': 'this file',
  'npx slipway servers': 'this file',
};

let instance: SlipwayInstance;
let key: string;
let serverId: string;

beforeAll(async () => {
  instance = await createInstance();
  await instance.start().ready;
  const note = readNote(instance);
  key = note.key ?? '';
  serverId = /\/servers\/(srv_\w+)\//.exec(note.text)?.[1] ?? '';
});
afterAll(() => instance.remove());

function slipway(args: readonly string[], settings: Record<string, string>) {
  return instance.spawn(process.execPath, ['cli/bin/slipway.mjs', ...args], settings);
}
const signedIn = (): Record<string, string> => ({ SLIPWAY_KEY: key, SLIPWAY_API_URL: instance.apiUrl });

async function printedRows<Row>(args: readonly string[], settings: Record<string, string>): Promise<Row[]> {
  const run = slipway(args, settings);
  expect([await run.exited, run.stderr()]).toEqual([0, '']);
  return run
    .stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row); // the named fields
}

interface GuideKey {
  id: string;
  name: string;
  scopes: string[];
}
/** The receiver of the guide needs this scope. Its deliveries are no requests of the key. */
const RECEIVER_SCOPE = 'events:read';

interface Contract {
  paths: Record<string, Record<string, { operationId?: string; security?: { key?: string[] }[] }>>;
}
const contract: Contract = JSON.parse(readFileSync(join(root, 'contract/openapi.json'), 'utf8'));
const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods));

/** Returns the scopes that an operation of the contract requires. */
function scopesOf(operationId: string): string[] {
  const found = operations.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`The contract has no operation ${operationId}.`);
  return (found.security ?? []).flatMap(({ key: scopes = [] }) => scopes);
}

test('every command of the README is run by a test', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) =>
    (block[1] ?? '').trim().split('\n'),
  );
  expect([...new Set(commands)].sort()).toEqual(Object.keys(RUN_BY).sort());
});

test('slipway me prints the caller on stdout, also as JSON', async () => {
  const run = slipway(['me'], signedIn());
  expect([await run.exited, run.stderr()]).toEqual([0, '']);
  expect(JSON.parse(run.stdout())).toMatchObject({
    environment: 'sandbox',
    scopes: expect.arrayContaining(['servers:read']),
  });
});

test('a problem can be simulated on request', async () => {
  const headers = { authorization: `Bearer ${key}`, 'sandbox-simulate': 'code=rate_limited' };
  const answer = await fetch(`${instance.apiUrl}/v1/servers`, { headers });
  expect([answer.status, answer.headers.get('sandbox-simulated')]).toEqual([429, 'code=rate_limited']);
});

test('slipway servers lists each server on one line', async () => {
  const run = slipway(['servers'], signedIn());
  expect(await run.exited).toBe(0);
  const servers = run
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(servers).toHaveLength(20);
  expect(servers.map((server) => server.id)).toContain(serverId);
});

test('slipway tickets create creates a ticket, and reports invalid input on stderr', async () => {
  const created = slipway(
    ['tickets', 'create', serverId, '--subject', 'Hello', '--body', 'From a terminal.'],
    signedIn(),
  );
  expect(await created.exited).toBe(0);
  expect(JSON.parse(created.stdout())).toMatchObject({ serverId, subject: 'Hello' });
  const refused = slipway(['tickets', 'create', serverId, '--subject', 's'.repeat(300), '--body', 'b'], signedIn());
  expect([await refused.exited, refused.stdout()]).toEqual([1, '']);
  expect(refused.stderr()).toMatch(/Invalid request .*req_\w+[\s\S]*\n {2}--subject /);
});

test('without a key and with a wrong key the exit code is 4', async () => {
  const without = slipway(['me'], { SLIPWAY_API_URL: instance.apiUrl });
  expect([await without.exited, without.stderr()]).toEqual([4, expect.stringContaining('SLIPWAY_KEY')]);
  const wrong = slipway(['me'], { ...signedIn(), SLIPWAY_KEY: 'slw_test_wrong' });
  expect([await wrong.exited, wrong.stderr()]).toEqual([4, expect.stringContaining('invalid_key')]);
});

test('a malformed key is reported without a stack trace', async () => {
  const run = slipway(['me'], { ...signedIn(), SLIPWAY_KEY: 'slw_test_a\nb' });
  expect([await run.exited, run.stderr()]).toEqual([4, expect.stringMatching(/^slipway: SLIPWAY_KEY .*\n$/)]);
});

test.each([
  'http://127.0.0.1:1',
  'nonsense',
  'the receiver',
])('an address without an API (%s) is named in a sentence', async (address) => {
  const url = address === 'the receiver' ? instance.receiverUrl : address;
  const run = slipway(['me'], { ...signedIn(), SLIPWAY_API_URL: url });
  expect([await run.exited, run.stdout()]).toEqual([5, '']);
  expect(run.stderr()).toMatch(/^slipway: no answer .*SLIPWAY_API_URL.*\n$/);
  expect(run.stderr()).toContain(url);
});

test('the guide works with an access token and the scopes that it uses, and a closed output is no error', async () => {
  const { cookie } = await signIn(instance, readNote(instance).link);
  const site = `${instance.consoleUrl}/api`;
  const { body } = await ask<{ organisations: { id: string }[] }>(`${site}/session`, { headers: { cookie } });
  const input = { name: 'A terminal', scope: 'write', expiresInDays: 1 };
  const tokens = `${site}/organisations/${body.organisations[0]?.id}/access-tokens`;
  const { token } = (await send<{ token: string }>(tokens, input, { cookie })).body;
  const settings = { XDG_CONFIG_HOME: instance.dataDir, SLIPWAY_CONSOLE_URL: instance.consoleUrl };
  const login = slipway(['login', '--with-token'], settings);
  login.child.stdin?.end(token);
  expect([await login.exited, login.stdout()]).toEqual([0, '']);

  const { commands, trigger, received, unsigned } = await runGuide(instance, token);
  expect(commands).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/"environment":\s*"sandbox"[\s\S]*listServers[\s\S]*\nsrv_\w+ /),
  });
  expect(trigger).toMatchObject({ code: 0, printed: expect.stringContaining('succeeded') });
  expect(received).toMatch(/^ticket\.created evt_\w+\n/);
  expect(unsigned).toEqual({ status: 400, complaints: 'The header webhook-id is missing.\n' });

  const guide = { ...settings, XDG_CONFIG_HOME: join(instance.dataDir, 'guide') };
  const laptop = (await printedRows<GuideKey>(['keys', 'list', '--json', 'id,name,scopes'], guide))[0];
  const used = await until(async () => {
    const args = ['requests', 'list', '--limit', '1000', '--json', 'keyId,operationId'];
    const calls = await printedRows<{ keyId: string; operationId: string }>(args, guide);
    const scopes = calls
      .filter(({ keyId }) => keyId === laptop?.id)
      .flatMap(({ operationId }) => scopesOf(operationId));
    return scopes.length > 0 && new Set([...scopes, RECEIVER_SCOPE]);
  });
  expect(laptop).toMatchObject({ name: 'laptop', scopes: [...used] });

  await slipway(['me'], signedIn()).exited;
  const tail = slipway(['requests', 'tail', '--since', '1h', '--json', 'operationId'], settings);
  await until(() => tail.stdout().includes('{"operationId":"getMe"}\n'));
  tail.child.kill('SIGINT');
  expect([await tail.exited, tail.stderr()]).toEqual([130, expect.stringMatching(/^(slipway: --resume .*\n)?$/)]);

  const list = slipway(['requests', 'list', '--limit', '1000'], settings);
  list.child.stdout?.destroy();
  expect([await list.exited, list.stderr()]).toEqual([0, '']);
});

test('the command line’s help takes little processor time', async () => {
  const timesMs = await measureHelpMs(3);
  console.log(`slipway --help took ${timesMs.map(Math.round).join(', ')} ms.`);
});

test('the command line says how to build it if it is not built', async () => {
  const bin = join(dirname(instance.dataDir), 'bin');
  mkdirSync(bin);
  copyFileSync(join(root, 'cli/bin/slipway.mjs'), join(bin, 'slipway.mjs'));
  const run = instance.spawn(process.execPath, [join(bin, 'slipway.mjs'), 'me']);
  expect([await run.exited, run.stderr()]).toEqual([1, expect.stringMatching(/^slipway: .*npm run build.*\n$/)]);
});

test('the SDK’s lines work as written, and a problem is an error with its code and request id', async () => {
  const client = createSlipway({ baseUrl: instance.apiUrl, key });
  const { data } = await client.listServers({ limit: 10 });
  const ticket = await client.createTicket({
    serverId: data[0]?.id ?? '',
    body: { subject: 'Hello', body: 'My first ticket.' },
  });
  expect(ticket.serverId).toBe(data[0]?.id);
  const refusal = await client.listServers({ limit: 1000 }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SlipwayProblem);
  expect(refusal).toMatchObject({ code: 'invalid_request', requestId: expect.stringMatching(/^req_/) });
});
