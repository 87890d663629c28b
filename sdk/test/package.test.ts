// Tests the built package in an empty project against a running sandbox: its content, a TypeScript and a JavaScript
// program, and every example of its README.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSlipway, type SlipwayClient } from '@slipway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutboundClient } from '../../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/index.ts';
import { type Sandbox, startSandbox, type TestApp } from '../../server/test/app.ts';
import { until } from '../../server/test/harness.ts';
import { type Installed, installPackage, programsOf, root } from './installed.ts';

let installed: Installed;
let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
let slipway: SlipwayClient;
let port: number;
let compiled: ReturnType<Installed['compile']>;
let settings: Record<string, string>;

const [guide = '', receiver = '', types = ''] = programsOf('sdk/README.md');

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  port = await freePort();
  installed = await installPackage();
  sandbox = await startSandbox({ webhookAllowHosts: [`127.0.0.1:${port}`] });
  app = await sandbox.newApp();
  key = await app.key();
  slipway = createSlipway({ baseUrl: sandbox.apiUrl, key: key.token });
  settings = { SLIPWAY_API_URL: sandbox.apiUrl, SLIPWAY_KEY: key.token };
  for (const [name, text] of Object.entries({ guide, receiver, types, TYPED, MISTAKEN })) {
    writeFileSync(join(installed.folder, `${name}.ts`), text);
  }
  writeFileSync(join(installed.folder, 'REQUIRED.cts'), REQUIRED);
  compiled = installed.compile();
}, 120_000);
afterAll(async () => {
  await sandbox.close();
  installed.remove();
});

// Checked by the compiler only: inputs, responses and codes have the types of the contract.
const TYPED = `
import { createSlipway, type Event, type ListCall, type Publication, type ResponsePromise, type Server, type ServerList, type Ticket } from '@slipway/sdk';
import { SlipwayProblem } from '@slipway/sdk';
import type { ManagementClient } from '@slipway/sdk/management';
import { verify, type WebhookEvent } from '@slipway/sdk/webhooks';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isSame = <A, B>(same: Same<A, B>): boolean => same;

const slipway = createSlipway({ baseUrl: process.env.SLIPWAY_API_URL ?? '', key: process.env.SLIPWAY_KEY ?? '' });
isSame<ReturnType<typeof slipway.listServers>, ListCall<ServerList, Server>>(true);
isSame<ReturnType<typeof slipway.getTicket>, ResponsePromise<Ticket>>(true);
isSame<ReturnType<typeof verify>, WebhookEvent>(true);
isSame<WebhookEvent['type'], Event['type']>(true);
isSame<Extract<WebhookEvent, { type: 'publication.published' }>['data'], Publication>(true);
export const titleOf = (event: WebhookEvent): string | undefined =>
  event.type === 'publication.published' ? event.data.title : undefined;
isSame<ReturnType<ManagementClient['deleteSession']>, ResponsePromise<undefined>>(true);
isSame<Extract<SlipwayProblem['code'], 'missing_scope' | 'no_such_code'>, 'missing_scope'>(true);

console.log(JSON.stringify((await slipway.listServers({ limit: 1 })).data.length));
`;

// Each line is a type error: a missing input, an unknown input, an unknown value, a key for an operation without one,
// an iteration over a single value, an unknown code.
const MISTAKEN = `import { type SlipwayClient, SlipwayProblem } from '@slipway/sdk';
export const one = (slipway: SlipwayClient) => slipway.getServer();
export const two = (slipway: SlipwayClient) => slipway.listServers({ colour: 'red' });
export const three = (slipway: SlipwayClient) => slipway.listEvents({ type: 'no.such_type' });
export const four = (slipway: SlipwayClient) => slipway.getMe({}, { idempotencyKey: 'a' });
export const five = (slipway: SlipwayClient) => slipway.getMe().pages();
export const six = (problem: SlipwayProblem) => problem.code === 'rate_limitd';
`;

// A program in CommonJS, compiled by the rules of Node releases that cannot require ES modules.
const REQUIRED = `
import { createSlipway, SlipwayProblem, type ServerList } from '@slipway/sdk';
import { createManagement } from '@slipway/sdk/management';
import webhooks = require('@slipway/sdk/webhooks');

const slipway = createSlipway({ baseUrl: process.env.SLIPWAY_API_URL ?? '', key: process.env.SLIPWAY_KEY ?? '' });
const isMissing = (error: unknown): boolean => error instanceof SlipwayProblem && error.code === 'not_found';
const kinds = [typeof createManagement, typeof webhooks.verify];
void slipway.getServer({ serverId: 'srv_00000000000000000000000000' }).catch(async (error: unknown) => {
  const page: ServerList = await slipway.listServers({ limit: 1 });
  console.log(page.data.length, isMissing(error), ...kinds);
});
`;

test('the package contains the modules that it needs, and nothing else of the repository', () => {
  const modules = [
    'attempt',
    'changes',
    'client',
    'errors',
    'forecast',
    'generated/console',
    'generated/public',
    'index',
    'key-activity',
    'management',
  ];
  const more = ['operation', 'pages', 'prepare', 'response', 'retry', 'stream', 'tail', 'webhooks'];
  const built = [...modules, ...more].flatMap((name) =>
    ['d.cts', 'd.ts', 'js', 'js.map'].map((end) => `${name}.${end}`),
  );
  built.push('index.cjs', 'management.cjs', 'webhooks.cjs');
  expect(installed.packed).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].sort());
  const home = join(installed.folder, 'node_modules/@slipway/sdk');
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  const targets = JSON.stringify(manifest.exports).match(/(?<=":"\.\/)[^"]+/g) ?? [];
  expect(targets).toHaveLength(13);
  expect(installed.packed).toEqual(expect.arrayContaining(targets));
  for (const file of built) expect(readFileSync(join(home, file), 'utf8')).not.toContain(root);
  const map = JSON.parse(readFileSync(join(home, 'client.js.map'), 'utf8'));
  expect(map.sourcesContent).toEqual([readFileSync(join(root, 'sdk/src/client.ts'), 'utf8')]);
});

test('a TypeScript program compiles and runs, and calls that violate the contract do not compile', async () => {
  expect(compiled.places, compiled.text).toEqual([2, 3, 4, 5, 6, 7].map((line) => `MISTAKEN.ts(${line}`));
  expect(await installed.run('TYPED.js', settings).done).toBe('1\n');
});

test('a CommonJS program requires it with its types', async () => {
  expect(readFileSync(join(installed.folder, 'REQUIRED.cjs'), 'utf8')).toContain('require("@slipway/sdk")');
  expect(await installed.run('REQUIRED.cjs', settings).done).toBe('1 true function function\n');
});

test('a JavaScript program runs with it', async () => {
  const program = `
    import { createSlipway, SlipwayProblem } from '@slipway/sdk';
    const slipway = createSlipway({ baseUrl: process.env.SLIPWAY_API_URL, key: process.env.SLIPWAY_KEY });
    let count = 0;
    for await (const server of slipway.listServers({ limit: 2 })) count += server.id.startsWith('srv_') ? 1 : 0;
    const problem = await slipway.listServers({ limit: 1000 }).catch((error) => error);
    console.log(count, problem instanceof SlipwayProblem, problem.code);`;
  writeFileSync(join(installed.folder, 'plain.mjs'), program);
  const said = await installed.run('plain.mjs', settings).done;
  expect(said).toBe(`${app.serverIds.length} true invalid_request\n`);
});

test('the guide of the README runs from top to bottom', async () => {
  const servers: string[] = [];
  for await (const server of slipway.listServers()) servers.push(`${server.name}: ${server.memberCount} members`);
  await slipway.createTicket({ serverId: app.serverIds[0] ?? '', body: { subject: 'Before', body: 'An event.' } });
  // An event is visible once no earlier transaction can commit, including those of other tests.
  await until(async () => (await slipway.listEvents()).data.length > 0);

  const lines = (await installed.run('guide.js', settings).done).trimEnd().split('\n');
  const [me, ...rest] = lines;
  expect(me).toMatch(/^A key of the sandbox, valid until 20\d\d-/);
  expect(rest.slice(0, servers.length)).toEqual(servers);
  expect(rest.slice(servers.length)).toEqual([
    '2 servers, and there are more.',
    `They fill ${Math.ceil(servers.length / 2)} pages.`,
    expect.stringMatching(/^20\S+ ticket\.created of tkt_\w+$/),
    expect.stringMatching(/^No such server \(request req_\w+\)\.$/),
    expect.stringMatching(/^Ticket \d+, created once\.$/),
    expect.stringMatching(/^req_\w+: \d+ requests left in this window\.$/),
  ]);
});

test('the receiver of the README accepts a delivery of Slipway and refuses a forgery', async () => {
  const url = `http://127.0.0.1:${port}/hooks`;
  const endpoint = { url, keyId: key.id, eventTypes: ['ticket.created'] };
  const created = await sandbox.manage<{ signingSecret: string }>('POST', `/apps/${app.id}/endpoints`, endpoint);
  const { signingSecret } = created.body;
  const running = installed.run('receiver.js', { SLIPWAY_SIGNING_SECRET: signingSecret, PORT: String(port) });
  const outbound = createOutboundClient({ allowHosts: [`127.0.0.1:${port}`] });
  const { worker: db, plane } = sandbox;
  const dispatcher = await startDispatcher({
    environment: 'sandbox',
    db,
    outbound,
    masterKeys: plane.secrets.masterKeys,
    log: () => {},
  });
  try {
    // As soon as the receiver listens.
    const forged = await until(() => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined));
    await running.says('Refused: missing_header');
    expect(forged.status).toBe(400);
    const ticket = await slipway.createTicket({
      serverId: app.serverIds[0] ?? '',
      body: { subject: 'Hello', body: 'Please deliver.' },
    });
    await running.says(`number 1 of ${ticket.id}`);
  } finally {
    running.child.kill();
    await dispatcher.stop();
    await outbound.close();
  }
});

test('the type example of the README compiles, and no example is left untested', async () => {
  expect(await installed.run('types.js', settings).done).toBe('');
  const blocks = readFileSync(join(root, 'sdk/README.md'), 'utf8').match(/```ts\n/g) ?? [];
  expect([blocks.length, programsOf('sdk/README.md').length]).toEqual([10, 3]);
});
