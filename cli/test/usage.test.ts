// Tests the errors of mistyped command lines, which are reported without a request to the Console.
import { SlipwayProblem } from '@slipway/sdk';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandSpec, list, type OperationCommand, option } from '../src/command.ts';
import { toExit } from '../src/exit.ts';
import { newTerminal } from './terminal.ts';

const terminal = newTerminal();
afterAll(() => terminal.remove());

test.each([
  ['requests list --limit abc', '--limit: must be a number, not abc.'],
  ['keys list --limit 0', '--limit: must be a whole number of at least 1, not 0.'],
  ['trigger ping --repeat 0', '--repeat: must be a whole number of at least 1, not 0.'],
  ['trigger ping --repeat 1.5', '--repeat: must be a whole number of at least 1, not 1.5.'],
  ['requests list --since yesterday', '--since: must be a time such as 10m'],
  ['status --environment staging', '--environment: must be sandbox or production, not staging.'],
])('slipway %s names the option with the invalid value', async (line, sentence) => {
  const { code, out, err } = await terminal.run(line);
  expect([code, out, err]).toEqual([3, '', expect.stringContaining(`slipway: ${sentence}`)]);
});

test.each([
  ['keys update key_1', '--name, --note, --no-note'],
  ['keys update key_1 --dry-run', '--name, --note, --no-note'],
  ['endpoints update whe_1', '--url, --key-id, '],
])('slipway %s reports that nothing changes, and names the options', async (line, flags) => {
  const { code, out, err } = await terminal.run(line);
  expect([code, out, err]).toEqual([
    3,
    '',
    expect.stringContaining(`slipway: nothing to change: requires one of ${flags}`),
  ]);
});

test.each([
  'me',
  'servers',
  'tickets list',
  'tickets create',
  'events',
])('slipway %s uses a key and takes no profile', async (name) => {
  const { out } = await terminal.run(`${name} --help`);
  expect(out).toContain('--dry-run');
  expect(out).not.toMatch(/--profile|--app|--environment/);
});

test.each([
  ['endpoints create', '--url <url>, --key-id <keyId> or --key-ids <keyIds>, --event-types <types>'],
  ['endpoints create --url https://a.example/', '--key-id <keyId> or --key-ids <keyIds>, --event-types <types>'],
  ['endpoints test', '<endpointId>, --type <type>'],
  ['keys create', '--name <name>, --scopes <scopes> or --preset <preset>, --expires-in-days <days>'],
  ['keys create --name x --preset webhooks', '--expires-in-days <days>'],
  ['keys rotate key_1', '--expires-in-days <days>, --overlap-hours <hours>'],
  ['installations set-scope srv_1', '<scope>, --state <state>'],
  ['tickets create', '<serverId>, --subject <text>, --body <text>'],
])('slipway %s names every missing argument and option in one error', async (line, missing) => {
  const { code, out, err } = await terminal.run(line);
  expect([code, out, err]).toEqual([3, '', `slipway: missing: ${missing}. Try --help.\n`]);
});

test('help marks required options, and shows them in the usage line', async () => {
  const { out } = await terminal.run('endpoints create --help', { columns: 200 });
  expect(out).toMatch(
    /^Usage: slipway endpoints create --url <url> \(--key-id <keyId> \| --key-ids <keyIds>\) --event-types <types> \[options\]\n/,
  );
  expect(out).toMatch(/--url <url> +address that receives deliveries \(required\)\n/);
  expect(out).not.toMatch(/--description <text>[^\n]*\(required\)/);
  const keys = await terminal.run('keys create --help', { columns: 200 });
  expect(keys.out).toMatch(/^Usage: slipway keys create --name <name> \(--scopes <scopes> \| --preset <preset>\) /);
  expect(keys.out.replaceAll(/\s+/g, ' ')).toContain('tickets:create (this or --preset is required) --preset');
});

test('the help of a family marks required arguments', async () => {
  const { out } = await terminal.run('keys --help', { columns: 200 });
  expect(out).toMatch(/\n {2}rotate <keyId> \[options\] +generate a successor/);
  expect(out).not.toContain('[keyId]');
});

const refusal = (...errors: { pointer: string; detail: string }[]): SlipwayProblem =>
  new SlipwayProblem({
    type: 'http://a.test/problems/invalid-request',
    title: 'Invalid request',
    status: 400,
    code: 'invalid_request',
    requestId: 'req_1',
    detail: 'Read `errors`: each entry has the JSON Pointer of an invalid part and states the expected form.',
    errors,
    retryAfter: undefined,
  });

test('an invalid request is reported one part per line, without the detail for programs', () => {
  const problem = refusal({ pointer: '/type', detail: 'must be one of ping, pong' });
  expect(toExit(problem, undefined)).toEqual({
    code: 1,
    lines: [
      'Invalid request (invalid_request, req_1):',
      '  /type must be one of ping, pong',
      '  http://a.test/problems/invalid-request',
    ],
  });
});

describe('names of refused fields', () => {
  const typed: OperationCommand = {
    name: 'try',
    args: '<endpointId> <preset>',
    operation: 'createFault',
    summary: 'none',
    example: 'try',
    query: [option('--status <status>', 'of the address')],
    body: [
      option('-s, --status-text <text>', 'of the body'),
      { ...option('--code <code>', 'within another'), field: 'effect.code' },
      option('--event-types <types>', 'a list', list),
      option('--no-event-types', 'none'),
    ],
  };
  const toldOf = (pointer: string, spec: CommandSpec | undefined, detail = 'is wrong') =>
    toExit(refusal({ pointer, detail }), undefined, spec).lines[1];

  test.each([
    ['/query/status', '--status'],
    ['/statusText', '--status-text'],
    ['/effect/code', '--code'],
    ['/eventTypes', '--event-types'],
    ['/eventTypes/0', '--event-types /0'],
    ['/preset', '<preset>'],
    // A field without an option keeps its JSON Pointer.
    ['/effect', '/effect'],
    ['/effect/codes', '/effect/codes'],
    ['/status', '/status'],
    ['/query/statusText', '/query/statusText'],
    ['/__proto__', '/__proto__'],
    ['', '(body)'],
  ])('the field %s is reported as %s', (pointer, name) => {
    expect(toldOf(pointer, typed)).toBe(`  ${name} is wrong`);
    expect(toldOf(pointer, undefined)).toBe(`  ${pointer || '(body)'} is wrong`);
  });

  test.each([
    '/query/since',
    '/since',
  ])('the field %s is reported as its option if the command has its own function', (pointer) => {
    const own = {
      name: '',
      summary: 'none',
      example: 'try',
      options: [option('--since <time>', 'from then on')],
      async run() {},
    };
    expect(toldOf(pointer, own)).toBe('  --since is wrong');
  });

  test('a missing identifier is reported with the command that lists identifiers', () => {
    const missing = { ...typed, query: [option('--server-id <serverId>', 'on this server'), option('--x <x>', 'x')] };
    const lineOf = (pointer: string, detail: string) => toldOf(pointer, missing, detail);
    expect(lineOf('/query/serverId', 'is required')).toBe(
      '  --server-id is required (`slipway installations list` lists them)',
    );
    expect(lineOf('/query/serverId', 'is wrong')).toBe('  --server-id is wrong');
    expect(lineOf('/query/x', 'is required')).toBe('  --x is required');
  });
});

test.each([
  ['servers list', 'Did you mean `slipway servers`? It has no commands of its own.'],
  ['server list', 'Did you mean `slipway servers`?'],
  ['list servers', 'Did you mean `slipway servers`?'],
  ['list key', 'Did you mean `slipway keys list`?'],
  ['keys lst', 'Did you mean `slipway keys list`?'],
  ['keys delete key_1', 'Did you mean `slipway keys revoke`?'],
  ['ticket create', 'Did you mean `slipway tickets`?'],
  ['help keys lst', 'Commands of slipway keys: list, create, update, rotate, revoke'],
  ['keys lst', 'Commands of slipway keys: list, create, update, rotate, revoke'],
  ['nothing', 'Commands: login, logout,'],
  ['apps create Crane', 'Usage: slipway apps create --name <name> [options]'],
])('the error of the mistyped command "%s" says: %s', async (line, hint) => {
  const { code, out, err } = await terminal.run(line);
  expect([code, out, err]).toEqual([3, '', expect.stringContaining(`\n${hint}`)]);
  expect(err).toMatch(/^slipway: (unknown command|too many arguments)/);
});
