// Runs the examples of docs/operate/production.md as written.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from './harness.ts';
import { INGEST_KEY, type Production, startProduction } from './production.fixture.ts';
import { IDENTITY_KEY, type ReferenceUpstream, startReferenceUpstream } from './reference-upstream.ts';
import { root } from './sources.ts';

const text = readFileSync(join(root, 'docs/operate/production.md'), 'utf8');
const example = (name: string): string => new RegExp(`\`\`\`\\w+ ${name}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';

let upstream: ReferenceUpstream;
let production: Production;
let folder: string;
beforeAll(async () => {
  upstream = await startReferenceUpstream();
  production = await startProduction({}, { url: upstream.url });
  folder = mkdtempSync(join(tmpdir(), 'slipway-guide-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await production.close();
  await upstream.close();
});

test('the commands of the guide report an installation and an event, and its program identifies the caller', async () => {
  const app = await production.newApp();
  const [server = ''] = upstream.serverIds;
  const settings = { INGEST_URL: production.managementUrl, INGEST_KEY, APP: app.id, SERVER: server };
  const run = promisify(execFile);
  const runCommand = async (name: string): Promise<unknown> => {
    const { PATH } = process.env;
    const { stdout } = await run('sh', ['-euc', example(name)], { env: { ...settings, PATH } });
    return JSON.parse(stdout);
  };
  expect(await runCommand('installation')).toEqual({ isNews: true, state: 'authorised', effectiveState: 'authorised' });
  expect(await runCommand('event')).toEqual({ written: 1, known: 0 });
  expect(await runCommand('event')).toEqual({ written: 0, known: 1 });
  const { token } = await app.key();
  // The feed waits for older transactions of the whole Postgres, including those of other tests.
  const feed = await until(async () => {
    const { body } = await production.call<{ data: { type: string }[] }>('/v1/events', token);
    return body.data.length > 1 && body.data;
  });
  expect(feed.map(({ type }) => type)).toEqual(['installation.scope_changed', 'publication.published']);
  const answer = await production.call(`/v1/servers/${server}`, token);
  expect(answer.status).toBe(200);

  const file = join(folder, 'verify.mjs');
  const constants = { 'process.env.IDENTITY_KEY': IDENTITY_KEY, 'process.env.UPSTREAM_URL': upstream.url };
  const program = Object.entries(constants).reduce(
    (code, [name, value]) => code.replace(name, JSON.stringify(value)),
    example('verify'),
  );
  writeFileSync(file, program);
  const { whoCalls } = await import(pathToFileURL(file).href);
  const { authorization } = upstream.requests.at(-1)?.headers ?? {};
  expect(await whoCalls(authorization)).toEqual({ app: app.id, server, request: answer.headers.get('request-id') });
  await expect(whoCalls(`${authorization}x`)).rejects.toThrow();
});
