// Runs the examples in the README of an SDK in another language: the guide against a sandbox, and the receiver of
// webhooks.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSlipway } from '@slipway/sdk';
import { expect } from 'vitest';
import { createSigningSecret, sign } from '../../server/src/kit/crypto/standard-webhooks.ts';
import type { Sandbox } from '../../server/test/app.ts';
import { until } from '../../server/test/harness.ts';
import { root } from './installed.ts';

/** Python finds the sources of its SDK, and writes nothing next to them. */
export const LANGUAGE_ENV = { PYTHONPATH: join(root, 'sdk-python/src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Writes a program into a folder of its own. Returns its path. */
export function writeProgram(name: string, code: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'slipway-example-')), name);
  writeFileSync(file, code);
  return file;
}

interface RunningExample {
  lines: string[];
  errors: string[];
  /** Resolves with the exit code. */
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

function start([program = '', ...args]: readonly string[], settings: Record<string, string>): RunningExample {
  const env = { ...process.env, ...LANGUAGE_ENV, ...settings };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.err += chunk;
  });
  const split = (text: string): string[] => text.split('\n').slice(0, -1);
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return {
    get lines() {
      return split(texts.out);
    },
    get errors() {
      return split(texts.err);
    },
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Runs the guide with a key of a new app. */
export async function checkGuide(sandbox: Sandbox, command: readonly string[]): Promise<void> {
  const app = await sandbox.newApp();
  const { token } = await app.key();
  const slipway = createSlipway({ baseUrl: sandbox.apiUrl, key: token });
  const servers: string[] = [];
  for await (const server of slipway.listServers()) servers.push(`${server.name}: ${server.memberCount} members`);
  const body = { subject: 'Before', body: 'An event.' };
  await slipway.createTicket({ serverId: app.serverIds[0] ?? '', body });
  // An event is visible once no earlier transaction can commit, including those of other tests.
  await until(async () => (await slipway.listEvents()).data.length > 0);
  const run = start(command, { SLIPWAY_API_URL: sandbox.apiUrl, SLIPWAY_KEY: token });
  expect([await run.ended, run.errors]).toEqual([0, []]);
  expect(run.lines).toEqual([
    expect.stringMatching(/^A key of the sandbox, valid until 20\d\d-/),
    ...servers,
    '2 servers, and there are more.',
    `They fill ${Math.ceil(servers.length / 2)} pages.`,
    expect.stringMatching(/^20\S+ ticket\.created of tkt_\w+$/),
    expect.stringMatching(/^No such server \(request req_\w+\)\.$/),
    expect.stringMatching(/^Ticket \d+, created once\.$/),
    expect.stringMatching(/^req_\w+: \d+ requests left in this window\.$/),
  ]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Sends a forged message and a genuine one to the receiver. */
export async function checkReceiver(command: readonly string[]): Promise<void> {
  const port = await freePort();
  const secret = createSigningSecret();
  const run = start(command, { SLIPWAY_SIGNING_SECRET: secret.reveal(), PORT: String(port) });
  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
  try {
    // As soon as the receiver listens.
    const forged = await until(() => post('{}').catch(() => undefined));
    const subject = { type: 'server', id: 'srv_1' };
    const event = { id: 'evt_1', type: 'ping', schemaVersion: 1, sequence: 3, subject, data: {} };
    const body = JSON.stringify({ ...event, occurredAt: '2026-11-21T10:00:00.000Z' });
    const seconds = Math.floor(Date.now() / 1000);
    const genuine = await post(body, {
      'webhook-id': event.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': sign([secret], event.id, seconds, body),
    });
    expect([forged.status, genuine.status]).toEqual([400, 204]);
    await until(() => run.lines.length === 2);
    expect(run.lines).toEqual(['Refused: missing_header', 'ping evt_1, number 3 of srv_1']);
  } finally {
    await run.stop();
  }
}

/** Builds a Go program as a module that uses the SDK of this repository. Returns the path of the program. */
export function makeGoModule(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-example-'));
  const module = 'slipway.example/slipway';
  const lines = [
    'module example',
    'go 1.23',
    `require ${module} v0.1.0`,
    `replace ${module} => ${join(root, 'sdk-go')}`,
  ];
  writeFileSync(join(folder, 'go.mod'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'main.go'), code);
  execFileSync('go', ['build', '-o', 'example', '.'], { cwd: folder, encoding: 'utf8' });
  return join(folder, 'example');
}
