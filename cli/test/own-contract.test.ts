// The CLI with a server that has the contract of an operator: its operations and names replace the default ones.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_TABLE, findOperation } from '../src/api-operation.ts';
import type { SignedOut } from './signed-out.ts';
import type { Ran } from './terminal.ts';

vi.hoisted(() => {
  process.env.SLIPWAY_CONTRACT = new URL('../../server/test/contracts/spaces', import.meta.url).pathname;
});
const { openConsole, serveApi } = await import('./signed-out.ts');
const { connectMcp } = await import('./mcp-client.ts');

const FILE = `app: Bridge
keys:
  - name: bridge
    scopes: [tasks:read, events:read]
    expiresInDays: 30
endpoints:
  - url: https://bridge.example.org/hooks
    key: bridge
    eventTypes: [task.created]
faults:
  - operationId: createTask
    effect: { latencyMs: 50 }
`;

let home: SignedOut;
let closeApi: () => Promise<void>;
beforeAll(async () => {
  home = await openConsole();
  closeApi = await serveApi(home);
  await home.terminal.run('login --with-token', { stdin: home.token });
});
afterAll(async () => {
  await closeApi();
  await home.close();
});

function apply(text: string): Promise<Ran> {
  const file = join(dirname(home.terminal.configFile), 'app.yaml');
  writeFileSync(file, text);
  return home.terminal.run(['apply', '-f', file]);
}

test('the file of apply takes names of the served contract, and refuses others before any change', async () => {
  const refused = await apply(FILE.replace('tasks:read', 'tickets:create'));
  expect([refused.code, refused.err]).toEqual([
    3,
    expect.stringContaining('app.yaml:4: keys[0].scopes[0] must be one of spaces:read, spaces:write, tasks:read,'),
  ]);
  const applied = await apply(FILE);
  expect(applied.lines().map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
    'create app Bridge',
    'create key bridge',
    'create endpoint https://bridge.example.org/hooks',
    'create fault createTask {"latencyMs":50}',
  ]);
});

test('a key is created with scopes of the served contract', async () => {
  const made = await home.terminal.run(
    'keys create --app Bridge --name Reader --scopes plans:read --expires-in-days 1',
  );
  expect([made.code, made.err]).toEqual([0, expect.anything()]);
  const keys = (await home.terminal.run('keys list --app Bridge')).lines();
  expect(keys.map(({ scopes }) => scopes)).toContainEqual(['plans:read']);
});

test('a trigger sets fields of the served contract', async () => {
  const triggered = await home.terminal.run('trigger task.created --app Bridge --set name=Tea --json data');
  expect([triggered.code, triggered.lines()]).toMatchObject([0, [{ data: { name: 'Tea' } }]]);
  const refused = await home.terminal.run('trigger task.created --app Bridge --set subject=Tea');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the fields are name')]);
});

/** Creates a key with these scopes, and returns its token. */
async function newKey(scopes: string): Promise<string> {
  const made = await home.terminal.run(
    `keys create --app Bridge --name ${scopes} --scopes ${scopes} --expires-in-days 1 --json token`,
  );
  return String(made.lines()[0]?.token);
}

describe('slipway api', () => {
  test('calls an operation of the served contract, and refuses one of the default contract', async () => {
    home.terminal.env.SLIPWAY_KEY = await newKey('spaces:read,tasks:write,tasks:read');
    const spaces = await home.terminal.run('api listSpaces --param limit=1');
    const [space] = JSON.parse(spaces.out).data;
    const create = () =>
      home.terminal.run([
        'api',
        'createTask',
        '--param',
        `spaceId=${space.id}`,
        '--body',
        '{"name":"Tea"}',
        '--param',
        'Idempotency-Key=one',
      ]);
    const [made, again] = [await create(), await create()];
    expect([made.code, made.err, JSON.parse(made.out)]).toEqual([
      0,
      '',
      { id: expect.any(Number), space_id: space.id, name: 'Tea' },
    ]);
    expect(again.out).toBe(made.out);
    const unknown = await home.terminal.run('api createTicket');
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('there is no operation createTicket.')]);
    const misspelt = await home.terminal.run('api createtask');
    expect(misspelt.err).toContain('Did you mean createTask?');
    delete home.terminal.env.SLIPWAY_KEY;
  });

  test('sends a query parameter with the name `body` in addition to the body', async () => {
    home.terminal.env.SLIPWAY_KEY = await newKey('spaces:read,tasks:write');
    const spaces = await home.terminal.run('api listSpaces --param limit=1');
    const [space] = JSON.parse(spaces.out).data;
    const words = ['api', 'estimateTasks', '--param', `spaceId=${space.id}`, '--param', 'bodyQuery=tea'];
    const sent = [...words, '--param', 'organisationId=7', '--body', '{"hours":2}'];
    const dry = await home.terminal.run([...sent, '--dry-run']);
    expect(dry.out).toContain(`/v1/spaces/${space.id}/estimate?body=tea&organisationId=7`);
    expect(dry.out).toContain('{"hours":2}');
    const made = await home.terminal.run(sent);
    expect([made.code, made.err]).toEqual([0, '']);
    delete home.terminal.env.SLIPWAY_KEY;
  });

  test('the help and the completion have the operations of the served contract', async () => {
    const { out } = await home.terminal.run('api estimateTasks --help');
    expect(out).toContain('/v1/spaces/{spaceId}/estimate (SLIPWAY_KEY)');
    expect(out).toMatch(/--body <json> \(required\)\n {6}hours \(required\): integer \(default 8\)\n/);
    // The fields of the alternatives, of which one does not require them
    expect(out).toContain('\n      kind: (one of team, person)\n      team: The name of the team.');
    const complete = async (word: string) => (await home.terminal.run(['complete', '--', 'api', word])).out;
    expect(await complete('renameSp')).toMatch(/^renameSpace\t/);
    expect(await complete('createTicket')).toBe('');
  });
});

describe('slipway mcp', () => {
  const namesWith = async (env: Record<string, string>, args: readonly string[] = []): Promise<string[]> => {
    const client = await connectMcp(home.terminal, ['--app', 'Bridge', ...args], env);
    const { tools } = await client.listTools();
    await client.close();
    const names = tools.map(({ name }) => name).filter((name) => name !== 'confirmChange');
    return names.filter((name) => findOperation(DEFAULT_TABLE, name)?.api !== 'management').toSorted();
  };

  test('offers the operations of the served contract that the scopes of the key permit', async () => {
    const SLIPWAY_API_URL = String(home.terminal.env.SLIPWAY_API_URL);
    const reader = { SLIPWAY_KEY: await newKey('tasks:read'), SLIPWAY_API_URL };
    const reads = ['getAttachment', 'getMe', 'getTask', 'listComments', 'listTasks', 'listTasksOfSpace'];
    expect(await namesWith(reader, ['--allow-changes'])).toEqual(reads);
    const writer = { SLIPWAY_KEY: await newKey('tasks:write'), SLIPWAY_API_URL };
    expect(await namesWith(writer)).toEqual(['getMe']);
    const changes = ['addTask', 'changeTask', 'createTask', 'deleteTask', 'estimateTasks', 'printTask', 'putTask'];
    // addComment also needs tasks:read.
    const attachments = ['addAttachment', 'changeAttachment'];
    expect(await namesWith(writer, ['--allow-changes'])).toEqual([...attachments, ...changes, 'getMe'].toSorted());
    expect(await namesWith({}, ['--allow-changes'])).toEqual([]);
  });

  test('calls a read of the served contract, and takes its event types', async () => {
    const key = await newKey('tasks:read,spaces:read,tasks:write');
    const client = await connectMcp(home.terminal, ['--app', 'Bridge', '--allow-changes'], {
      SLIPWAY_KEY: key,
      SLIPWAY_API_URL: String(home.terminal.env.SLIPWAY_API_URL),
    });
    const { tools } = await client.listTools();
    const listed = await client.callTool({ name: 'listSpaces', arguments: { limit: 1 } });
    const triggered = await client.callTool({ name: 'triggerEvent', arguments: { body: { type: 'task.created' } } });
    const refused = await client
      .callTool({ name: 'triggerEvent', arguments: { body: { type: 'ticket.created' } } })
      .catch((error: Error) => ({ isError: true, content: error.message }));
    await client.close();
    // Only tools of the management API omit `organisationId`, which the session has.
    const estimate = tools.find(({ name }) => name === 'estimateTasks')?.inputSchema.properties ?? {};
    expect(Object.keys(estimate).toSorted()).toEqual(['body', 'bodyQuery', 'organisationId', 'spaceId']);
    expect(JSON.stringify(listed)).toContain('\\"name\\"');
    expect(JSON.stringify(triggered)).toContain('isDryRun');
    expect(refused.isError).toBe(true);
    expect(JSON.stringify([listed, triggered, refused])).not.toContain(key.slice(-20));
  });
});
