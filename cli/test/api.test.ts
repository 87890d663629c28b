// `slipway api`: calls operations of both documents on a real Console with a sandbox.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../server/test/harness.ts';
import { type Crane, openCrane } from './signed-out.ts';
import type { Terminal } from './terminal.ts';

let home: Crane;
let terminal: Terminal;

beforeAll(async () => {
  home = await openCrane();
  ({ terminal } = home);
});
afterAll(() => home.close());

test('calls a read of the management API for the selected app, with parameters', async () => {
  const { code, out } = await terminal.run('api listKeys --param limit=1');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ data: [{ id: home.keyId }] });
});

test('names the target of a change, and takes its body as text, from a file and from standard input', async () => {
  const body = JSON.stringify({ preset: 'empty' });
  const typed = await terminal.run(['api', 'resetWorld', '--body', body, '--json', 'preset']);
  expect([typed.lines(), typed.err]).toEqual([[{ preset: 'empty' }], expect.stringMatching(/^sandbox \/ .* \/ Crane/)]);
  const file = join(dirname(terminal.configFile), 'body.json');
  writeFileSync(file, JSON.stringify({ preset: 'small' }));
  const read = await terminal.run(['api', 'resetWorld', '--body', `@${file}`, '--json', 'preset']);
  expect(read.lines()).toEqual([{ preset: 'small' }]);
  const piped = await terminal.run('api setWorldClock --body - --json clock.speed', { stdin: '{"speed":"60x"}' });
  expect(piped.lines()).toEqual([{ 'clock.speed': '60x' }]);
});

test('prints a call as curl with --dry-run, without the token', async () => {
  const { out } = await terminal.run('api suspendApp --dry-run');
  expect(out).toContain(`curl -X POST '${home.url}/api/sandbox/organisations/${home.id}/apps/${home.appId}/suspend'`);
  expect(out).not.toContain(home.token.slice(4));
});

test('calls /v1 with the key, including parameters in headers', async () => {
  terminal.env.SLIPWAY_KEY = 'slw_test_x';
  const { out } = await terminal.run([
    ...['api', 'createTicket', '--param', 'serverId=srv_1', '--param', 'Idempotency-Key=once', '--dry-run'],
    ...['--param', 'Sandbox-Simulate=code=timeout', '--body', '{"subject":"a","body":"b"}'],
  ]);
  delete terminal.env.SLIPWAY_KEY;
  expect(out).toMatch(/^curl -X POST '.*\/v1\/servers\/srv_1\/tickets'/);
  expect(out).toContain("-H 'idempotency-key: once'");
  expect(out).toContain("-H 'sandbox-simulate: code=timeout'");
  expect(out).not.toContain('slw_test_x');
});

test('follows a stream until Ctrl-C', async () => {
  const [ending, printed] = [new AbortController(), { text: '' }];
  const run = terminal.run('api followChanges --param reads=endpoints,requests', {
    interrupted: ending.signal,
    onOut(text) {
      printed.text += text;
    },
  });
  await until(() => printed.text !== '');
  ending.abort();
  expect((await run).code).toBe(130);
  expect(JSON.parse(printed.text)).toMatchObject({ reads: ['endpoints', 'requests'] });
});

describe('errors before a request', () => {
  test.each([
    ['api', 'missing: <operation>.'],
    ['api listKey', 'there is no operation listKey. Did you mean listKeys?'],
    ['api getRequest', 'missing: --param requestId=<value>.'],
    ['api getRequest --param requestId=', 'missing: --param requestId=<value>.'],
    ['api getRequest --param requestId=..', 'missing: --param requestId=<value>.'],
    ['api createTicket', 'missing: --param serverId=<value>, --body <json>.'],
    [
      'api listKeys --param limits=1',
      'listKeys has no parameter limits; its parameters: organisationId, appId, limit,',
    ],
    ['api listKeys --body {}', 'listKeys takes no --body.'],
    ['api createKey --body {', '--body: must be JSON'],
    ['api createKey --body @nothing.json', '--body: ENOENT'],
    ['api listRoles', 'listRoles requires the session of a browser'],
  ])('slipway %s is refused with: %s', async (line, sentence) => {
    const { code, out, err } = await terminal.run(line);
    expect([code, out, err]).toEqual([3, '', expect.stringContaining(`slipway: ${sentence}`)]);
  });
});

test('the help of an operation lists its parameters and the fields of its body, and marks the required ones', async () => {
  const { out } = await terminal.run('api createTicket --help');
  expect(out).toContain('Create a ticket: POST /v1/servers/{serverId}/tickets (SLIPWAY_KEY)');
  expect(out).toMatch(/--param serverId=<string> \(required\): /);
  expect(out).toMatch(/--body <json> \(required\)\n {6}subject \(required\): /);
  expect((await terminal.run('api listKeys --help')).out).toMatch(/--param appId=<string> \(selected\): /);
  // Values and defaults
  expect((await terminal.run('api listTickets --help')).out).toMatch(/--param limit=<integer>: .+ \(default 25\)\n/);
  expect(out).toMatch(/\n {6}priority: .+ \(one of low, .+\)/);
  // A field that can be null
  expect((await terminal.run('api createEndpoint --help')).out).toMatch(/\n {6}serverIds: The servers whose events /);
  expect((await terminal.run('api --help')).out).not.toContain('POST /');
});

test('completes operations, and the parameters that are not given yet', async () => {
  const complete = async (...words: string[]) =>
    (await terminal.run(['complete', '--', ...words])).out
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0]);
  expect(await complete('api', 'createTic')).toEqual(['createTicket']);
  expect(await complete('api', 'listEvents', '--param', 's')).toEqual(['schemaVersion=', 'serverId=']);
  expect(await complete('api', 'listEvents', '--param', 'serverId=srv_1', '--param', 's')).toEqual(['schemaVersion=']);
});
