// `slipway apply` and `slipway diff` on a real Console with a sandbox: each change is made once, and a second run
// changes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseAppFile } from '../src/app-file.ts';
import { openConsole, type SignedOut } from './signed-out.ts';
import type { Ran, Terminal } from './terminal.ts';

const FILE = `app: Bridge
world:
  preset: busy
  seed: ci
keys:
  - name: bridge
    scopes: [servers:read, events:read, tickets:create]
    expiresInDays: 30
endpoints:
  - url: https://bridge.example.org/hooks
    key: bridge
    eventTypes: [ticket.created, ticket.closed]
    headers: { X-Tenant: one }
    ratePerSecond: 10
faults:
  - operationId: createTicket
    share: 0.1
    effect: { code: unavailable }
  - effect: { latencyMs: 50 }
    isEnabled: false
`;

let home: SignedOut;
let terminal: Terminal;
let file: string;

beforeAll(async () => {
  home = await openConsole();
  ({ terminal } = home);
  await terminal.run('login --with-token', { stdin: home.token });
  file = join(dirname(terminal.configFile), 'app.yaml');
});
afterAll(() => home.close());

const run = (command: string, text: string, more: readonly string[] = []): Promise<Ran> => {
  writeFileSync(file, text);
  return terminal.run([command, '-f', file, ...more]);
};
const shown = ({ lines }: Ran): string[] => lines().map(({ action, kind, name }) => `${action} ${kind} ${name}`);
const summary = (ran: Ran) => [ran.code, shown(ran)];
const jsonOf = async (line: string) => (await terminal.run(`${line} --app Bridge`)).lines();

const ALL = [
  'create app Bridge',
  'create world busy',
  'create key bridge',
  'create endpoint https://bridge.example.org/hooks',
  'create fault createTicket {"code":"unavailable"}',
  'create fault any operation {"latencyMs":50}',
];

describe.sequential('a file of an app that does not exist', () => {
  test('diff lists every object with exit code 7, and apply --dry-run with 0; neither changes anything', async () => {
    const differs = await run('diff', FILE);
    expect([...summary(differs), differs.err]).toEqual([
      7,
      ALL,
      'sandbox / Harbour Tools / Bridge (new)\nslipway: 6 changes.\n',
    ]);
    expect(summary(await run('apply', FILE, ['--dry-run']))).toEqual([0, ALL]);
    expect((await terminal.run('apps list')).out).not.toContain('Bridge');
  });

  test('apply creates everything, and prints each secret once', async () => {
    const ran = await run('apply', FILE);
    expect([ran.code, shown(ran)]).toEqual([0, ALL]);
    const secrets = ran.lines().map(({ kind, secret }) => [kind, String(secret ?? '').slice(0, 6)]);
    expect(secrets.filter(([, secret]) => secret !== '')).toEqual([
      ['key', 'slw_te'],
      ['endpoint', 'whsec_'],
    ]);
    expect(await jsonOf('world show --json preset,seed')).toEqual([{ preset: 'busy', seed: 'ci' }]);
    expect(await jsonOf('endpoints list --json url,eventTypes,headerNames,ratePerSecond,state')).toEqual([
      {
        url: 'https://bridge.example.org/hooks',
        eventTypes: ['ticket.created', 'ticket.closed'],
        headerNames: ['x-tenant'],
        ratePerSecond: 10,
        state: 'enabled',
      },
    ]);
    expect(await jsonOf('faults list --json operationId,share,isEnabled')).toEqual(
      expect.arrayContaining([
        { operationId: 'createTicket', share: 0.1, isEnabled: true },
        { operationId: null, share: 1, isEnabled: false },
      ]),
    );
  });

  test('a second apply changes nothing, and diff ends with 0', async () => {
    const before = await jsonOf('world show --json createdAt');
    const [again, differs] = [await run('apply', FILE), await run('diff', FILE)];
    expect([again.code, again.out, again.err]).toEqual([0, '', expect.stringMatching(/^sandbox .*\(app_\w+\)\n$/)]);
    expect([differs.code, differs.out]).toEqual([0, '']);
    expect(await jsonOf('world show --json createdAt')).toEqual(before);
  });

  test('a changed field is an update of that field, and order in a list is no change', async () => {
    const changed = FILE.replace('ratePerSecond: 10', 'ratePerSecond: 20\n    state: disabled')
      .replace('[ticket.created, ticket.closed]', '[ticket.closed, ticket.created]')
      .replace('share: 0.1', 'share: 0.2');
    const differs = await run('diff', changed);
    expect(differs.lines().map(({ action, kind, changes }) => [action, kind, changes])).toEqual([
      ['update', 'endpoint', ['ratePerSecond: 10 to 20', 'state: enabled to disabled']],
      ['update', 'fault', ['share: 0.1 to 0.2']],
    ]);
    expect((await run('apply', changed)).code).toBe(0);
    expect(await jsonOf('endpoints list --json ratePerSecond,state,headerNames')).toEqual([
      { ratePerSecond: 20, state: 'disabled', headerNames: ['x-tenant'] },
    ]);
    expect((await run('diff', changed)).code).toBe(0);
    expect((await run('apply', FILE.replace('ratePerSecond: 10', 'ratePerSecond: 10\n    state: enabled'))).code).toBe(
      0,
    );
  });

  test('a second apply with equal conditions changes nothing, and a changed condition updates the endpoint', async () => {
    const [opened, urgent] = [
      '{ pointer: /data/status, equals: open }',
      '{ pointer: /data/priority, in: [high, urgent] }',
    ];
    const withConditions = (...conditions: string[]): string =>
      FILE.replace('ratePerSecond: 10', `ratePerSecond: 10\n    conditions: [${conditions.join(', ')}]`);
    expect((await run('apply', withConditions(opened, urgent))).code).toBe(0);
    expect(summary(await run('diff', withConditions(urgent, opened)))).toEqual([0, []]);
    for (const other of [withConditions(opened, opened), withConditions(opened, urgent.replace('high', 'low'))])
      expect(summary(await run('diff', other))).toEqual([7, ['update endpoint https://bridge.example.org/hooks']]);
    expect((await run('apply', withConditions())).code).toBe(0);
  });

  test('replacing the sandbox data asks first', async () => {
    const other = FILE.replace('seed: ci', 'seed: another');
    const refused = await run('apply', other);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('replaces the sandbox data of the app')]);
    expect((await run('apply', other, ['--yes'])).code).toBe(0);
    expect(await jsonOf('world show --json seed')).toEqual([{ seed: 'another' }]);
  });

  test('apply keeps what the file does not name, except with --prune in the parts that the file has', async () => {
    const small =
      'app: Bridge\nfaults:\n  - operationId: createTicket\n    effect: { code: unavailable }\n    share: 0.1\n';
    expect(summary(await run('diff', small))).toEqual([0, []]);
    const unnamed = 'app: Bridge\nfaults:\n  - { operationId: createTicket, effect: { code: unavailable } }\n';
    const unnamedState = `${unnamed}  - { effect: { latencyMs: 50 } }\n`;
    expect(summary(await run('diff', unnamedState))).toEqual([0, []]);
    const pruned = await run('apply', small, ['--prune', '--yes']);
    expect(summary(pruned)).toEqual([0, ['delete fault any operation {"latencyMs":50}']]);
    expect(await jsonOf('endpoints list --json state')).toHaveLength(1);
    const nothing = await run('apply', 'app: Bridge\nkeys: []\nendpoints: []\nfaults: []\n', ['--prune', '--yes']);
    expect(summary(nothing)).toEqual([
      0,
      [
        'delete fault createTicket {"code":"unavailable"}',
        'delete endpoint https://bridge.example.org/hooks',
        'revoke key bridge',
      ],
    ]);
    expect(await jsonOf('endpoints list')).toEqual([]);
  });

  test('--app gives the content of the file to another app', async () => {
    const { err } = await run('apply', FILE, ['--app', 'Copy']);
    expect(err).toBe('sandbox / Harbour Tools / Copy (new)\n');
    expect((await terminal.run('faults list --app Copy')).lines()).toHaveLength(2);
  });

  test('a field that no operation can change is refused with its line', async () => {
    const narrower = FILE.replace('[servers:read, events:read, tickets:create]', '[events:read]').replace(
      'Bridge',
      'Copy',
    );
    const { code, err } = await run('apply', narrower);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/app\.yaml:7: keys\[0\]\.scopes cannot change for the existing key key_\w+\. Rotate it/),
    ]);
  });

  test('a refusal of the API names the line of the field', async () => {
    const internal = FILE.replace('https://bridge.example.org/hooks', 'ftp://bridge.example.org').replace(
      'Bridge',
      'Copy',
    );
    const { code, err } = await run('apply', internal);
    expect([code, err]).toEqual([3, expect.stringMatching(/app\.yaml:10: endpoints\[0\]\.url /)]);
  });
});

describe('the file', () => {
  const refusalOf = (text: string): string => {
    try {
      parseAppFile('app.yaml', text);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return '';
  };

  test.each([
    ['app: [', 'app.yaml:1: Flow sequence'],
    ['- app', 'app.yaml:1: must be object.'],
    ['app: Bridge\nendpoint: []', 'app.yaml:2: endpoint is not a field of the file.'],
    [
      'app: Bridge\nworld:\n  preset: huge',
      'app.yaml:3: world.preset must be one of empty, small, busy, unicode, large.',
    ],
    ['keys:\n  - name: a\n    expiresInDays: 90', 'app.yaml:3: keys[0].expiresInDays must be at most 30.'],
    ['keys:\n  - name: a', 'app.yaml:2: keys[0] requires expiresInDays.'],
    [
      'keys:\n  - { name: a, expiresInDays: 1 }\n  - { name: a, expiresInDays: 1 }',
      'app.yaml:3: keys[1] repeats keys[0].',
    ],
    [
      'endpoints:\n  - url: https://a.example\n    key: a\n    eventTypes: [ticket.opened]',
      'app.yaml:4: endpoints[0].eventTypes[0] must be one of *, publication.published,',
    ],
  ])('%j is refused with: %s', (text, message) => {
    expect(refusalOf(text)).toContain(message);
  });

  test('every fault is reported, one on a line', () => {
    expect(refusalOf('apps: x\nworld: 3\n').split('\n')).toEqual([
      'app.yaml:1: apps is not a field of the file.',
      'app.yaml:2: world must be object.',
    ]);
  });

  test('the published schema accepts the file and is a schema of JSON Schema 2020-12', () => {
    const schema = JSON.parse(readFileSync(new URL('../../contract/app-file.schema.json', import.meta.url), 'utf8'));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(ajv.validate(schema, parse(FILE))).toBe(true);
    expect(ajv.validate(schema, { app: 3 })).toBe(false);
  });
});
