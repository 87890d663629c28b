// `slipway ci` and the GitHub Action as processes on a running Slipway: the environment of the command, the report of a
// failure, and the removal of the app after the end and after signals.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOneVersion } from '../scripts/release/versions.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type Run, root, type SlipwayInstance, until } from './slipway.ts';
import { ask, readNote, send, signIn } from './visitor.ts';

let instance: SlipwayInstance;
let organisation: string;
let token: string;
let cookie: string;
let folder: string;
let runs = 0;

const CLI = join(root, 'cli/bin/slipway.mjs');

beforeAll(async () => {
  instance = await createInstance(copyPreparedData);
  await instance.start().ready;
  ({ cookie } = await signIn(instance, readNote(instance).link));
  const site = `${instance.consoleUrl}/api`;
  const { body } = await ask<{ organisations: { id: string }[] }>(`${site}/session`, { headers: { cookie } });
  organisation = body.organisations[0]?.id ?? '';
  const input = { name: 'CI', scope: 'write', expiresInDays: 1 };
  const tokens = `${site}/organisations/${organisation}/access-tokens`;
  token = (await send<{ token: string }>(tokens, input, { cookie })).body.token;
});
afterAll(() => instance.remove());
beforeEach(() => {
  runs += 1;
  folder = join(instance.dataDir, `ci-${runs}`);
  mkdirSync(folder);
});

const settings = (): Record<string, string> => ({
  SLIPWAY_TOKEN: token,
  SLIPWAY_CONSOLE_URL: instance.consoleUrl,
  XDG_CONFIG_HOME: folder,
});

const ci = (options: readonly string[], command: readonly string[]): Run =>
  instance.spawn(
    process.execPath,
    [CLI, 'ci', '--report', join(folder, 'report'), ...options, '--', ...command],
    settings(),
  );

/** Runs a program of Node in the command. */
const script = (code: string): string[] => [process.execPath, '--input-type=module', '-e', code];

/** Returns the state of the app that the run created. */
async function stateOfApp(run: Run): Promise<string> {
  const id = /created the app ci-\w+ \((app_\w+)\)/.exec(run.stderr())?.[1] ?? '';
  const url = `${instance.consoleUrl}/api/sandbox/organisations/${organisation}/apps/${id}`;
  return (await ask<{ state: string }>(url, { headers: { cookie } })).body.state;
}

const FILE = `world: { preset: busy, seed: fixed }
keys:
  - { name: hooks, scopes: [events:read], expiresInDays: 1 }
endpoints:
  - { url: https://bridge.example.org/hooks, key: hooks, eventTypes: [ping] }
`;

test('the command has its arguments, and the key, address and secrets of the app, and not the access token', async () => {
  const file = join(folder, 'app.yaml');
  writeFileSync(file, FILE);
  const run = ci(
    ['-f', file, '--seed', 'other', '--scopes', 'servers:read'],
    script(`
      const { SLIPWAY_KEY: key, SLIPWAY_API_URL: url, SLIPWAY_TOKEN: token, SLIPWAY_WEBHOOK_SECRETS: secrets } = process.env;
      const me = await (await fetch(url + '/v1/me', { headers: { authorization: 'Bearer ' + key } })).json();
      const hosts = Object.entries(JSON.parse(secrets)).map(([url, secret]) => [url, secret.slice(0, 6)]);
      console.log(JSON.stringify({ scopes: me.scopes, token, hosts, args: process.argv.slice(1) }));
    `).concat('two words', 'a&b', 'say "hi"'),
  );
  expect([await run.exited, run.stderr()]).toEqual([
    0,
    expect.stringMatching(/^slipway: created the app ci-\w+ \(app_\w+\)\.\nslipway: deleted the app ci-\w+\.\n$/),
  ]);
  expect(JSON.parse(run.stdout())).toEqual({
    scopes: ['servers:read'],
    hosts: [['https://bridge.example.org/hooks', 'whsec_']],
    args: ['two words', 'a&b', 'say "hi"'],
  });
  expect(await stateOfApp(run)).toBe('deleting');
  expect(existsSync(join(folder, 'report'))).toBe(false);
});

test.runIf(process.platform === 'linux')('the page states where the command can read the access token', async () => {
  const path = '/proc/$PPID/environ'; // of `slipway ci`
  const run = ci([], ['sh', '-c', `tr '\\0' '\\n' < ${path} | grep -c ^SLIPWAY_TOKEN=`]);
  expect([await run.exited, run.stdout()]).toEqual([0, '1\n']);
  const page = readFileSync(join(root, 'docs/build/ci.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toContain('no security boundary');
  expect(page).toContain(`\`${path}\``);
});

const FAILING = script(`
  const headers = { authorization: 'Bearer ' + process.env.SLIPWAY_KEY };
  const answer = await fetch(process.env.SLIPWAY_API_URL + '/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s4', { headers });
  await fetch(process.env.SLIPWAY_API_URL + '/v1/servers', { headers });
  console.log((await answer.json()).requestId);
  process.exitCode = 9;
`);

describe('a failing command', () => {
  test('slipway ci keeps the exit code of a failing command, and reports its failed requests without credentials', async () => {
    const run = ci([], FAILING);
    expect(await run.exited).toBe(9);
    const requestId = run.stdout().trim();
    const report = join(folder, 'report');
    const counts = 'requests with an error: 1, deliveries with failed attempts: 0';
    expect(run.stderr()).toContain(`slipway: ${counts}; report: ${report}`);
    const read = (path: string): string => readFileSync(join(report, path), 'utf8');
    expect(readdirSync(join(report, 'requests'))).toEqual([`${requestId}.json`]);
    expect(JSON.parse(read(`requests/${requestId}.json`))).toMatchObject({
      status: 404,
      code: 'not_found',
      errorContext: { problem: { code: 'not_found' } },
    });
    expect(read('summary.md')).toMatch(/ended with exit code 9\n/);
    const page = `${instance.consoleUrl}/in/${organisation}/apps/`;
    expect(read('summary.md')).toContain(`[${requestId}](${page}`);
    expect(read('junit.xml')).toContain('<testsuite name="slipway ci" tests="2" failures="2">');
    expect(read('junit.xml')).toMatch(
      new RegExp(`name="getServer ${requestId}"><failure message="404 not_found">http`),
    );
    for (const path of ['summary.md', 'junit.xml', `requests/${requestId}.json`])
      expect(read(path)).not.toMatch(/slw_test_(?!\[redacted)|slp_|whsec_/);
    expect(await stateOfApp(run)).toBe('deleting');
  });

  test('the app stays with --keep-on-failure', async () => {
    const run = ci(['--keep-on-failure'], script('process.exitCode = 1'));
    expect([await run.exited, run.stderr()]).toEqual([1, expect.stringContaining('slipway: kept the app ci-')]);
    expect(await stateOfApp(run)).toBe('active');
  });

  test('a command that cannot be started is reported, and the app is deleted', async () => {
    const run = ci([], ['no-such-program']);
    expect([await run.exited, run.stderr()]).toEqual([1, expect.stringContaining('no-such-program cannot be started')]);
    expect(await stateOfApp(run)).toBe('deleting');
  });

  test('an invalid file is refused before an app is created', async () => {
    const file = join(folder, 'app.yaml');
    writeFileSync(file, 'endpoints: 3\n');
    const run = ci(['-f', file], script(''));
    expect([await run.exited, run.stderr()]).toEqual([3, `slipway: ${file}:1: endpoints must be array.\n`]);
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the command, and the app is deleted', async (signal) => {
  const run = ci(
    [],
    script(`process.on('SIGTERM', () => process.exit(0)); console.log('on'); setInterval(() => {}, 9)`),
  );
  await until(() => run.stdout().includes('on'));
  run.child.kill(signal);
  expect(await run.exited).toBe(130);
  expect(run.stderr()).toContain('slipway: deleted the app ci-');
  expect(await stateOfApp(run)).toBe('deleting');
});

describe('the action and the page', () => {
  /** Returns a PATH with `slipway`, and `npm` that prints its arguments. */
  function pathWithSlipway(): string {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const [name, code] of [
      ['slipway', `exec '${process.execPath}' '${CLI}' "$@"`],
      ['npm', 'echo "npm $*"'],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${code}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    return `${bin}${delimiter}${process.env.PATH}`;
  }

  const bash = (code: string, env: Record<string, string>): Run =>
    instance.spawn('bash', ['--norc', '-euo', 'pipefail', '-c', `cd '${folder}'\n${code}`], {
      ...settings(),
      PATH: pathWithSlipway(),
      ...env,
    });

  interface Step {
    name: string;
    run?: string;
    env?: Record<string, string>;
  }
  const action = parse(readFileSync(join(root, 'deploy/github-action/action.yml'), 'utf8')) as {
    inputs: Record<string, { required?: boolean; default?: string }>;
    runs: { steps: Step[] };
  };

  test('the action runs the command and shows the summary of a failure', async () => {
    const inputs: Record<string, string> = {
      ...Object.fromEntries(Object.entries(action.inputs).map(([name, one]) => [name, one.default ?? ''])),
      'console-url': instance.consoleUrl,
      token,
      command: 'echo "$SLIPWAY_API_URL"; exit 7',
    };
    const filled = (env: Record<string, string> = {}) =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => inputs[input] ?? ''),
        ]),
      );
    const steps = action.runs.steps.filter(({ run }) => run !== undefined);
    expect(steps.map(({ name }) => name)).toEqual(['Install the CLI', 'Run the command', 'Show the summary']);
    const codes = [];
    for (const [at, { run = '', env }] of steps.entries()) {
      folder = join(instance.dataDir, `action-${at}`);
      mkdirSync(folder);
      const summary = { GITHUB_STEP_SUMMARY: join(instance.dataDir, 'step.md') };
      const report = { CI_REPORT: join(instance.dataDir, 'action-report') };
      const step = bash(run, { ...filled(env), ...summary, ...report });
      codes.push(await step.exited);
      if (at === 0) expect(step.stdout()).toBe(`npm install --global @slipway/cli@${readOneVersion(root)}\n`);
      if (at === 1) expect(step.stdout()).toBe(`${instance.apiUrl}\n`);
    }
    expect(codes).toEqual([0, 7, 0]);
    expect(readFileSync(join(instance.dataDir, 'step.md'), 'utf8')).toContain('ended with exit code 7');
  });

  test('the page passes only inputs that the action has, and its commands succeed', async () => {
    const page = readFileSync(join(root, 'docs/build/ci.md'), 'utf8');
    const blocks = (language: string): string[] =>
      [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
    const [step] = parse(blocks('yaml workflow')[0] ?? '') as { uses: string; with: Record<string, string> }[];
    expect(existsSync(join(root, step?.uses ?? 'none', 'action.yml'))).toBe(true);
    expect(Object.keys(step?.with ?? {}).filter((name) => !(name in action.inputs))).toEqual([]);
    const required = Object.entries(action.inputs).flatMap(([name, one]) => (one.required ? [name] : []));
    expect(Object.keys(step?.with ?? {})).toEqual(expect.arrayContaining(required));

    writeFileSync(join(folder, 'app.yaml'), FILE);
    const [first = '', others = '', ...more] = blocks('sh');
    expect(more).toEqual([]);
    const run = bash(`${first}\nslipway apps create --name Kept\nexport SLIPWAY_APP=Kept\n${others}`, {
      SLIPWAY_API_URL: instance.apiUrl,
    });
    expect([await run.exited, run.stdout()]).toEqual([0, expect.stringMatching(/^npm test\n[\s\S]*srv_\w+/)]);
  });
});
