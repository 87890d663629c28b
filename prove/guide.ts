// `npm run prove -- guide`: compiles the Go examples. The verification of docs/webhooks/receiving.md runs on signed
// messages, and the first call of docs/start/quickstart.md on a server. The test suite runs the guides' JavaScript and
// Python; compiling Go's library takes too long for it.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSigningSecret, sign } from '../server/src/kit/crypto/standard-webhooks.ts';
import { exampleIn } from '../server/test/guide-examples.ts';
import { conclude } from './kit.ts';

interface Case {
  name: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  now: number;
  isGenuine: boolean;
}

/** Returns a program that prints its result of each case. A JSON string is also a Go string. */
const mainOf = (cases: readonly Case[]): string => `package main

import "time"

func main() {
	for _, one := range []struct {
		header       map[string]string
		body, secret string
		now          int64
	}{
${cases.map(rowOf).join('\n')}
	} {
		header := func(name string) string { return one.header[name] }
		println(Verify(header, []byte(one.body), []string{one.secret}, time.Unix(one.now, 0)))
	}
}
`;
function rowOf({ headers, body, secret, now }: Case): string {
  const pairs = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `		{map[string]string{${pairs.join(', ')}}, ${JSON.stringify(body)}, ${JSON.stringify(secret)}, ${now}},`;
}

const [own, other] = [createSigningSecret(), createSigningSecret()];
const now = 1_764_000_000;
const body = '{"data":{"subject":"Grüße 👋"}}';
const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(now),
  'webhook-signature': sign([other, own], 'evt_1', now, body),
};
const good: Case = { name: 'one of two signatures', headers, body, secret: own.reveal(), now, isGenuine: true };
const bad = (name: string, changes: Partial<Case>): Case => ({ ...good, ...changes, name, isGenuine: false });
const without = (name: string): Record<string, string> => ({ ...headers, [name]: '' });
const cases: Case[] = [
  good,
  {
    name: 'the published vector',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    now: 1_614_265_330,
    isGenuine: true,
  },
  { ...good, name: 'five minutes late', now: now + 300 },
  bad('later', { now: now + 301 }),
  bad('ahead', { now: now - 301 }),
  bad('another body', { body: `${body} ` }),
  bad('another secret', { secret: createSigningSecret().reveal() }),
  bad('a malformed secret', { secret: 'whsec_!' }),
  bad('no id', { headers: without('webhook-id') }),
  bad('no timestamp', { headers: without('webhook-timestamp') }),
  bad('no signature', { headers: without('webhook-signature') }),
];

const folder = mkdtempSync(join(tmpdir(), 'slipway-go-'));
writeFileSync(join(folder, 'verify.go'), exampleIn('go'));
writeFileSync(join(folder, 'main.go'), mainOf(cases));
const run = spawnSync('go', ['run', 'verify.go', 'main.go'], { cwd: folder, encoding: 'utf8' });
rmSync(folder, { recursive: true });
if (run.error || run.status !== 0) console.error(run.error ?? run.stderr);
const found = (run.stderr ?? '').trim().split('\n');

/**
 * Runs the first call of the quickstart on a server that answers one key; returns its lines, or undefined if it failed.
 */
async function firstCall(key: string): Promise<string | undefined> {
  const guide = readFileSync(new URL('../docs/start/quickstart.md', import.meta.url), 'utf8');
  const code = /```go first_call\.go\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const server = createServer(({ headers }, response) => {
    const isKnown = headers.authorization === 'Bearer slw_test_right';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'srv_1', name: 'Harbour Lights' }], nextCursor: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const folder = mkdtempSync(join(tmpdir(), 'slipway-go-'));
  try {
    const file = join(folder, 'first_call.go');
    writeFileSync(file, code.replace('http://localhost:4000', `http://127.0.0.1:${port}`));
    const env = { ...process.env, SLIPWAY_KEY: key };
    return (await promisify(execFile)('go', ['run', file], { env })).stdout;
  } catch {
    return undefined;
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const called = await firstCall('slw_test_right');
const refused = await firstCall('slw_test_wrong');
conclude('guide', [
  { name: 'Go, the first call lists servers', ok: called === 'srv_1 Harbour Lights\n', figure: called ?? 'failed' },
  { name: 'Go, the first call fails with a wrong key', ok: refused === undefined, figure: refused ?? 'failed' },
  ...cases.map(({ name, isGenuine }, at) => ({
    name: `Go, ${name}: ${isGenuine ? 'accepted' : 'refused'}`,
    ok: found[at] === String(isGenuine),
    figure: found[at] ?? 'nothing',
  })),
]);
