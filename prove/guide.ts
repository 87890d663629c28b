// `npm run prove -- guide`: compiles the Go example of docs/receivers.md and runs it on signed messages. The test suite
// runs the guide's JavaScript and Python; compiling Go's library takes too long for it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  bad('a secret that is none', { secret: 'whsec_!' }),
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
conclude(
  'guide',
  cases.map(({ name, isGenuine }, at) => ({
    name: `Go, ${name}: ${isGenuine ? 'taken' : 'refused'}`,
    ok: found[at] === String(isGenuine),
    figure: found[at] ?? 'nothing',
  })),
);
