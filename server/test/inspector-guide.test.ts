// docs/inspector.md: each line that it tells people to type, as it stands there, on a real Console.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-app.ts';
import { foundOrganisation } from './organisation.fixture.ts';

const guide = readFileSync(new URL('../../docs/inspector.md', import.meta.url), 'utf8');
const commands = [...guide.matchAll(/^\| [^|]+ \| `(ask .+)` \|$/gm)].map(([, command = '']) => command);
const preamble = /```sh\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';

let site: TestConsole;
let requestId: string;
let script: (command: string) => string;

beforeAll(async () => {
  site = await startConsole('local');
  const { owner, base } = await foundOrganisation(site);
  const apps = `/api/sandbox${base.replace('/api', '')}/apps`;
  const post = <Body>(path: string, body: unknown) => owner.visitor.call<Body>('POST', path, body);
  const app = (await post<{ id: string }>(apps, { name: 'Bridge' })).body.id;
  const key = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
  const keyId = (await post<{ key: { id: string } }>(`${apps}/${app}/keys`, key)).body.key.id;
  const call = { keyId, method: 'GET', path: '/v1/servers?limit=1' };
  requestId = (await post<{ requestId: string }>(`${apps}/${app}/calls`, call)).body.requestId;
  const wish = { name: 'A script', scope: 'write', expiresInDays: 1 };
  const { token } = (await post<{ token: string }>(`${base}/access-tokens`, wish)).body;
  const ours = preamble
    .replace('http://localhost:3000', site.url)
    .replace('slp_...', token)
    .replace('$CONSOLE/api/sandbox/organisations/org_.../apps/app_...', `$CONSOLE${apps}/${app}`);
  script = (command) => `set -e\n${ours}\n${command.replace('req_...', requestId)}`;
});
afterAll(() => site.close());

const run = async (command: string): Promise<string> =>
  (await promisify(execFile)('bash', ['-c', script(command)])).stdout;

test('the table has a line for each', () => {
  expect(commands).toHaveLength(17);
});

const LISTS = commands.filter((command) => !/tail|snippets|replay|traces|\.csv|\.ndjson|req_/.test(command));
test.each(LISTS)('%s', async (command) => {
  expect(JSON.parse(await run(command))).toMatchObject({ data: expect.any(Array) });
});

test('what leads from one request leads from it', async () => {
  const [one = '', trace = '', snippets = '', replay = ''] = commands.filter((command) => command.includes('req_...'));
  expect(JSON.parse(await run(one))).toMatchObject({ id: requestId, operationId: 'listServers', status: 200 });
  expect(JSON.parse(await run(trace))).toMatchObject({ requestId, events: [] });
  expect(JSON.parse(await run(snippets))).toMatchObject({ curl: expect.stringContaining('/v1/servers') });
  expect(JSON.parse(await run(replay))).toMatchObject({
    status: 200,
    requestId: expect.not.stringContaining(requestId),
  });
});

test('both exports hold what the filter asks for', async () => {
  const [lines = '', table = ''] = commands.filter((command) => /\.csv|\.ndjson/.test(command));
  expect(await run(lines)).toBe('');
  expect(JSON.parse((await run(lines.replace('4', '2'))).split('\n')[0] ?? '')).toMatchObject({ status: 200 });
  expect(await run(table)).toMatch(/^"id","at",/);
});

test('the tail begins at once', async () => {
  const tail = commands.find((command) => command.includes('tail')) ?? '';
  const child = spawn('bash', ['-c', script(`exec 2>&1; ${tail}`)], { detached: true });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.once('exit', (code) => reject(new Error(`It ended with ${code} and said nothing.`)));
    });
    expect(text).toMatch(/^(: |id: |event: |retry: )/);
  } finally {
    // Its group: curl is the shell's child.
    if (child.pid !== undefined) process.kill(-child.pid);
  }
});
