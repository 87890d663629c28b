// `slipway mcp` as a process, used with the client of the official SDK over standard input and output.
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_OPERATIONS, DEFAULT_TABLE } from '../src/api-operation.ts';
import { createMcpServer, isOffered } from '../src/mcp-server.ts';
import { redactCredentials } from '../src/redact.ts';
import { connectMcp } from './mcp-client.ts';
import { type Crane, openCrane, serveApi } from './signed-out.ts';

let home: Crane;
let key: string;
let closeApi: () => Promise<void>;
const clients: Client[] = [];

beforeAll(async () => {
  home = await openCrane();
  const created = await home.terminal.run(
    'keys create --name mcp --preset everything --expires-in-days 1 --json token',
  );
  key = String(created.lines()[0]?.token);
  closeApi = await serveApi(home);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await closeApi();
  await home.close();
});

async function connect(args: readonly string[], env?: Record<string, string>): Promise<Client> {
  const client = await connectMcp(home.terminal, args, env);
  clients.push(client);
  return client;
}

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

interface ToolAnswer {
  isError: boolean;
  text: string;
  value(): Record<string, unknown>;
}

async function use(client: Client, name: string, input: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { isError, text, value: () => JSON.parse(text) };
}

/** Returns the input that confirms a prepared change. */
function confirmationOf(prepared: ToolAnswer): Record<string, unknown> {
  const { token, call } = prepared.value();
  const { operation, parameters, body } = Object(call);
  return { token, operation, parameters, ...(body !== undefined && { body }) };
}

const SECRET = [
  'createKey',
  'rotateKey',
  'createEndpoint',
  'createNoticeDestination',
  'rotateSigningSecret',
  'revealSigningSecret',
];

describe('without --allow-changes', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect([]);
  });

  test('lists exactly the reads of the access token, each marked as read-only', async () => {
    const { tools } = await client.listTools();
    const reads = Object.entries(API_OPERATIONS).filter(
      ([, { credential, method, isStream }]) => credential === 'token' && method === 'GET' && !isStream,
    );
    expect(tools.map(({ name }) => name).toSorted()).toEqual(reads.map(([name]) => name).toSorted());
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.find(({ name }) => name === 'getRequest')?.inputSchema).toMatchObject({ required: ['requestId'] });
  });

  test('reads a request by its id, for the selected app', async () => {
    const base = `/api/sandbox${home.base.replace('/api', '')}/apps/${home.appId}`;
    const { body } = await home.owner.visitor.call<{ requestId: string }>('POST', `${base}/calls`, {
      keyId: home.keyId,
      method: 'GET',
      path: '/v1/servers?limit=1',
    });
    const { requestId } = body;
    expect((await use(client, 'getRequest', { requestId })).value()).toMatchObject({
      id: requestId,
      operationId: 'listServers',
      query: 'limit=1',
    });
  });

  test('refuses a change, an invalid input and a missing object with an error', async () => {
    await expect(use(client, 'suspendApp')).rejects.toThrow(/suspendApp/);
    const invalid = await use(client, 'getRequest', { requestId: 'x' }).catch((error: Error) => ({
      isError: true,
      text: error.message,
    }));
    expect(invalid).toMatchObject({ isError: true, text: expect.stringContaining('requestId') });
    const missing = await use(client, 'getRequest', { requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0s4' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('not_found') });
  });
});

describe('with --allow-changes', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(['--allow-changes'], {
      SLIPWAY_KEY: key,
      SLIPWAY_API_URL: String(home.terminal.env.SLIPWAY_API_URL),
    });
  });

  test('offers no operation that returns a key or a signing secret', async () => {
    const names = await namesOf(client);
    expect(names).toEqual(expect.arrayContaining(['updateApp', 'createTicket', 'confirmChange']));
    expect(names.filter((name) => SECRET.includes(name))).toEqual([]);
  });

  test('a change is first a dry run, is sent once after its confirmation, and is in the audit log of the token', async () => {
    const effect = { code: 'unavailable' };
    const prepared = await use(client, 'createFault', { body: { operationId: 'getMe', share: 1, effect } });
    expect(prepared.value()).toMatchObject({
      isDryRun: true,
      target: expect.stringMatching(/^sandbox \/ .* \/ Crane \(app_\w+\)$/),
      call: { operation: 'createFault', method: 'POST', body: { operationId: 'getMe', share: 1, effect } },
    });
    expect((await use(client, 'listFaults')).value()).toMatchObject({ data: [] });
    const confirmation = confirmationOf(prepared);
    const sent = await use(client, 'confirmChange', confirmation);
    expect(sent.value()).toMatchObject({ operationId: 'getMe', effect });
    expect(await use(client, 'confirmChange', confirmation)).toMatchObject({
      isError: true,
      text: expect.stringContaining('No change has this token'),
    });
    expect((await use(client, 'listFaults')).value().data).toHaveLength(1);
    const log = await use(client, 'listAuditLog', { target: String(sent.value().id) });
    const { id } = Object((await use(client, 'getCaller')).value().accessToken);
    expect(log.value().data).toEqual([
      expect.objectContaining({ actor: expect.objectContaining({ kind: 'token', id }) }),
    ]);
  });

  test('a prepared change names the app of the input, even if no app is selected', async () => {
    const [other] = (await home.terminal.run('apps create --name Derrick')).lines();
    const unselected = await connect(['--allow-changes', '--operations', 'suspendApp'], {
      SLIPWAY_TOKEN: home.token,
      SLIPWAY_CONSOLE_URL: home.url,
      XDG_CONFIG_HOME: '/nonexistent',
    });
    for (const one of [client, unselected]) {
      const prepared = await use(one, 'suspendApp', { appId: other?.id });
      expect(prepared.value()).toMatchObject({
        target: expect.stringMatching(/^sandbox \/ .* \/ Derrick \(app_\w+\)$/),
        call: { operation: 'suspendApp', parameters: { appId: other?.id } },
      });
    }
  });

  test('--operations restricts the tools', async () => {
    const few = await connect(['--allow-changes', '--operations', 'listRequests,updateApp']);
    expect((await namesOf(few)).toSorted()).toEqual(['confirmChange', 'listRequests', 'updateApp']);
  });
});

test('exactly the operations with a secret in the response are withheld', () => {
  const keyScopes = Object.values(API_OPERATIONS).flatMap(({ scopes }) => scopes);
  const all = { allowsChanges: true, keyScopes };
  const withheld = Object.entries(API_OPERATIONS)
    .filter(([, one]) => ['token', 'key'].includes(one.credential) && !one.isStream && !isOffered(one, all))
    .map(([name]) => name);
  expect(withheld.toSorted()).toEqual(SECRET.toSorted());
});

/** Connects a client to a server that records the operations of its calls and sends nothing. */
async function connectInMemory(now = () => 0): Promise<{ client: Client; sent: string[] }> {
  const sent: string[] = [];
  const server = createMcpServer({
    version: '1',
    allowsChanges: true,
    table: DEFAULT_TABLE,
    async call(name) {
      sent.push(name);
      return { echo: `Bearer slw_test_${'a'.repeat(40)} and whsec_${'b'.repeat(40)}` };
    },
    resolve: async (_operation, input) => ({ ...input }),
    describeTarget: async () => 'sandbox',
    now,
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'a test', version: '1' });
  clients.push(client);
  await Promise.all([server.connect(there), client.connect(here)]);
  return { client, sent };
}

test('confirmChange sends only a call that equals the prepared call', async () => {
  const { client, sent } = await connectInMemory();
  const appId = 'app_01j9z3v8k6e5t8m2n4p6q8r0s4';
  const confirmation = confirmationOf(await use(client, 'updateApp', { appId, body: { name: 'Crane' } }));
  expect(confirmation).toEqual({
    token: expect.any(String),
    operation: 'updateApp',
    parameters: { appId },
    body: { name: 'Crane' },
  });
  for (const other of [
    { operation: 'suspendApp' },
    { parameters: { appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5' } },
    { parameters: {} },
    { body: { name: 'Derrick' } },
    { body: { name: 'Crane', note: 'x' } },
    { body: undefined },
  ])
    expect([other, await use(client, 'confirmChange', { ...confirmation, ...other })]).toMatchObject([
      other,
      { isError: true, text: expect.stringContaining('Nothing was sent') },
    ]);
  await use(client, 'confirmChange', { token: confirmation.token }).catch(() => undefined); // an invalid input
  expect(sent).toEqual([]);
  expect(await use(client, 'confirmChange', confirmation)).toMatchObject({ isError: false });
  expect(sent).toEqual(['updateApp']);
});

test('a prepared change expires after ten minutes, and no result contains a credential', async () => {
  let nowMs = 0;
  const { client, sent } = await connectInMemory(() => nowMs);
  const confirmation = confirmationOf(await use(client, 'suspendApp'));
  nowMs = 10 * 60_000;
  expect(await use(client, 'confirmChange', confirmation)).toMatchObject({
    isError: true,
    text: expect.stringContaining('it expired'),
  });
  expect(sent).toEqual([]);
  expect((await use(client, 'listApps')).value()).toEqual({ echo: 'Bearer slw_test_[redacted] and whsec_[redacted]' });
});

test('removes keys, tokens and signing secrets from a text, and keeps identifiers', () => {
  expect(redactCredentials('slp_abcdefgh1 req_01j9z3v8k6e5t8m2n4p6q8r0s4 slw_live_abcdefgh_ijk')).toBe(
    'slp_[redacted] req_01j9z3v8k6e5t8m2n4p6q8r0s4 slw_live_[redacted]',
  );
});

test.each([
  ['a line feed', JSON.stringify('line\nslw_live_abcdefgh')],
  ['a tab', JSON.stringify('a\tslp_abcdefgh')],
  ['a control character', JSON.stringify('\u0001whsec_abcdefgh')],
  ['a line feed in JSON that a JSON text contains', JSON.stringify(JSON.stringify('line\nslw_test_abcdefgh'))],
  ['a percent-encoded space', 'q=a%20slw_live_abcdefgh'],
  ['a percent-encoded line feed', 'q=a%0Aslp_abcdefgh'],
])('removes a credential after %s', (_, text) => {
  expect(redactCredentials(text)).toBe(text.replace('abcdefgh', '[redacted]'));
});

test('without an answer of the API of SLIPWAY_KEY, and with an unknown key, the server does not start', async () => {
  const { terminal } = home;
  const reached = { ...terminal.env };
  Object.assign(terminal.env, { SLIPWAY_KEY: key, SLIPWAY_API_URL: 'http://127.0.0.1:1' });
  const unreached = await terminal.run('mcp');
  Object.assign(terminal.env, reached, { SLIPWAY_KEY: `slw_test_${'a'.repeat(40)}` });
  const refused = await terminal.run('mcp');
  delete terminal.env.SLIPWAY_KEY;
  expect([unreached.code, unreached.err]).toEqual([5, expect.stringContaining('no answer from an API at')]);
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('invalid_key')]);
  expect(unreached.err + refused.err).not.toMatch(/slw_test_/);
});
