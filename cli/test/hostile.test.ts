// Tests a hostile Console: the terminal executes no control character of its responses, and the CLI sends nothing to
// another address.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTerminal, type Ran, type Terminal } from './terminal.ts';

const EVIL = '__proto__\u001b]0;owned\u0007\u001b[2J\u202e\u009b1m\r\nslipway: all is well';
const OBEYED = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const app = { id: `app_${EVIL}`, name: EVIL, state: EVIL, environment: 'sandbox', createdAt: EVIL, [EVIL]: EVIL };
const answers: Record<string, unknown> = {
  '/api/caller': {
    email: EVIL,
    name: EVIL,
    accessToken: { scope: EVIL, expiresAt: EVIL },
    organisations: [{ id: 'org_1', name: EVIL, role: EVIL }],
  },
  '/api/sandbox/organisations/org_1/apps': { data: [app, app], nextCursor: null },
  '/api/environments': { data: [{ name: 'sandbox', apiUrl: `http://${EVIL}`, receiverUrl: null }] },
};
const problem = {
  type: EVIL,
  title: EVIL,
  status: 409,
  code: EVIL,
  requestId: EVIL,
  detail: EVIL,
  errors: [{ pointer: EVIL, detail: EVIL }],
};

let server: Server;
let terminal: Terminal;
const seen: { path: string; authorization: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    const [path = ''] = url.split('?');
    seen.push({ path, authorization: headers.authorization });
    if (path.endsWith('/request-tail')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const data = JSON.stringify({
        data: [{ id: EVIL, path: EVIL }],
        missed: { count: EVIL, since: EVIL, until: EVIL },
      });
      return response.end(`id: x\u001b[2J\ndata: ${data}\n\n`);
    }
    if (path.endsWith('/app_away')) return response.writeHead(302, { location: '/elsewhere' }).end();
    const answer = answers[path];
    response.writeHead(answer ? 200 : 409, {
      'content-type': answer ? 'application/json' : 'application/problem+json',
    });
    return response.end(JSON.stringify(answer ?? problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  terminal = newTerminal();
  terminal.env.SLIPWAY_CONSOLE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
});
afterAll(() => {
  terminal.remove();
  server.close();
  server.closeAllConnections();
});

function expectInert({ out, err }: Ran): void {
  expect(out).not.toMatch(OBEYED);
  expect(err).not.toMatch(OBEYED);
  expect(`${out}${err}`).not.toContain('\nslipway: all is well');
}

test('escapes names, states and problems of the Console in tables and lines', async () => {
  const login = await terminal.run('login --with-token', { stdin: 'slp_evil' });
  expect([login.code, login.err]).toEqual([0, expect.stringContaining('__proto__')]);
  expectInert(login);
  expect(JSON.parse(readFileSync(terminal.configFile, 'utf8'))).toMatchObject({
    current: 'proto-0-owned-2j-1m-slipway-all-is-well',
  });
  for (const isTerminal of [true, false]) {
    for (const line of [
      'status',
      'whoami',
      'apps list',
      'keys list',
      'apps list --json nope',
      'use',
      'use nope',
      'whoami --profile nope',
    ]) {
      const ran = await terminal.run(line, { isTerminal, columns: 200 });
      expect(ran.out + ran.err).not.toBe('');
      expectInert(ran);
    }
  }
});

test('escapes streamed requests and the position to resume from', async () => {
  const ending = new AbortController();
  const ran = await terminal.run(['requests', 'tail', '--app', 'app_1'], { isTerminal: true });
  expect(ran.code).toBe(1); // the app does not exist
  answers['/api/sandbox/organisations/org_1/apps/app_1'] = app;
  const tail = await terminal.run(['requests', 'tail', '--app', 'app_1'], {
    isTerminal: true,
    interrupted: ending.signal,
    onOut: () => ending.abort(),
  });
  expect(tail.code).toBe(130);
  expectInert(tail);
});

test('escapes the time until which failed calls were searched, if there were too many', async () => {
  answers['/api/sandbox/organisations/org_1/apps/app_1'] = { ...app, id: 'app_1' };
  answers['/api/sandbox/organisations/org_1/apps/app_1/request-groups'] = {
    data: [{ count: 1, code: EVIL, operationId: EVIL, firstAt: EVIL, lastAt: EVIL, sampleId: EVIL }],
    since: EVIL,
    until: EVIL,
    searchedUntil: EVIL,
  };
  for (const isTerminal of [true, false]) {
    const ran = await terminal.run('requests errors --app app_1', { isTerminal, columns: 200 });
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringMatching(/reached its limit: requests before __proto__.* are/),
    ]);
    expectInert(ran);
  }
});

test('escapes each line of a request as code', async () => {
  answers['/api/sandbox/organisations/org_1/apps/app_1'] = { ...app, id: 'app_1' };
  answers['/api/sandbox/organisations/org_1/apps/app_1/requests/req_1/snippets'] = {
    curl: 'curl \\\n  \u001b[2Jhttp://a\u202e\u009b1m',
    fetch: EVIL,
    sdk: null,
    isWhole: false,
  };
  for (const isTerminal of [true, false]) {
    const ran = await terminal.run('requests code req_1 --app app_1 --as curl', { isTerminal });
    expect(ran).toMatchObject({ code: 0, out: 'curl \\\n  \\x1b[2Jhttp://a\\u{202e}\\x9b1m\n' });
    expect(ran.err).toMatch(/^The record is incomplete/);
    const all = await terminal.run('requests code req_1 --app app_1', { isTerminal });
    expect(all.out).not.toMatch(OBEYED);
    expect(all.out).toContain('// fetch');
  }
});

test('a drill reports how many steps passed, failed and were left out, also if the receiver wrote hostile text', async () => {
  answers['/api/sandbox/organisations/org_1/apps/app_1'] = { ...app, id: 'app_1' };
  const fix =
    'Answer before the work is done, and not after it, in ten seconds, whatever else there is to do, and then begin.';
  const steps = [{ name: EVIL, expects: EVIL, verdict: EVIL, fix: `${EVIL} ${fix}` }];
  for (const [summary, said] of [
    [{ passed: 8, failed: 4, unseen: 0, notSent: 0 }, '8 steps passed, 4 failed'],
    [
      { passed: 1, failed: 2, unseen: 3, notSent: 6 },
      '1 step passed, 2 failed, 3 without a visible effect, 6 not sent',
    ],
  ] as const) {
    answers['/api/sandbox/organisations/org_1/apps/app_1/endpoints/whe_1/drills'] = {
      id: 'drl_1',
      status: 'completed',
      steps,
      summary,
    };
    const ran = await terminal.run('drill whe_1 --app app_1', { isTerminal: true });
    // Printed in full, because the advice is the purpose of a drill.
    expect(ran.out.replaceAll(/\s+/g, ' ')).toContain(fix);
    expect(ran.out).not.toContain('…');
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining(`\nslipway: the receiver failed the drill: ${said}.\n`),
    ]);
    expectInert(ran);
  }
});

test('ignores an invalid API address of a Console and sends no key to it', async () => {
  terminal.env.SLIPWAY_KEY = 'slw_test_key';
  const ran = await terminal.run('me --dry-run');
  expect(ran.out).toContain('http://localhost:4000/v1/me');
  expectInert(ran);
});

test('completes no name that a shell could execute', async () => {
  answers['/api/sandbox/organisations/org_1/apps'] = {
    data: ['$(id)', '`id`', 'a b', "a';id", '-rf', EVIL, 'fine'].map((name, at) => ({
      id: at < 4 ? '$(id)' : 'app_1',
      name,
    })),
    nextCursor: null,
  };
  const { out } = await terminal.run(['complete', '--', 'use', '']);
  expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['app_1', 'app_1', 'fine', '']);
  expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
});

test('sends the token to no other address after a redirect', async () => {
  const ran = await terminal.run('apps show app_away');
  expect([ran.code, ran.out]).toEqual([5, '']);
  expect(seen.map(({ path }) => path)).toContain('/api/sandbox/organisations/org_1/apps/app_away');
  expect(seen.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer slp_evil']));
});
