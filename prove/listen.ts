// `npm run prove -- listen [--drops 100]`: `slipway listen` over many lost responses and a restart of the server. It
// must deliver each event once, lose none, and stay within a latency. Server, command line and receiver are processes
// and sockets as on a laptop.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createManagement } from '@slipway/sdk/management';
import { percentile } from '../bench/kit.ts';
import { createBenchServer, readNote, signIn, start } from '../bench/server.ts';
import { openLosingProxy } from '../cli/test/losing-proxy.ts';
import { atMost, conclude, numberAfter } from './kit.ts';

const DROPS = numberAfter('--drops', 100);
const TIMED = 100;
const VISIBLE_MS = 300;
const ARRIVES_WITHIN_MS = 60_000;
const SERVER = [process.execPath, 'server/dist/main.js'] as const;

const received: { id: string; latencyMs: number }[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, occurredAt } = JSON.parse(body) as { id: string; occurredAt: string }; // an event
  received.push({ id, latencyMs: Date.now() - Date.parse(occurredAt) });
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`; // a TCP address

const at = await createBenchServer();
let server = await start(at, SERVER);
const proxy = await openLosingProxy(at.consoleUrl);
const cookie = await signIn(at, (await readNote(at)).link);
const token = await makeToken();
const api = createManagement({ baseUrl: at.consoleUrl, token });
const { organisations } = await api.getCaller();
const organisationId = organisations[0]?.id ?? '';
const appId = (await api.listApps({ organisationId })).data[0]?.id ?? '';
const sent: string[] = [];
const listener = spawn(
  process.execPath,
  ['cli/bin/slipway.mjs', 'listen', '--forward-to', forwardTo, '--events', 'ticket.created'],
  {
    env: { ...at.env, XDG_CONFIG_HOME: at.dataDir, SLIPWAY_TOKEN: token, SLIPWAY_CONSOLE_URL: proxy.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  },
);
let output = '';
listener.stderr.on('data', (chunk: Buffer) => {
  output += chunk;
});
try {
  await api.setWorldClock({ organisationId, appId, body: { speed: 'paused' } });
  await until(() => output.includes('connected.'));
  for (let event = 0; event < TIMED; event += 1) {
    await trigger();
    await pause(50);
  }
  await allArrived();
  const latencies = received.map(({ latencyMs }) => latencyMs);
  for (let drop = 0; drop < DROPS; drop += 1) {
    const dropped = proxy.loseNext();
    await trigger();
    await dropped;
    if (drop === Math.floor(DROPS / 2)) {
      await server.stop();
      server = await start(at, SERVER);
    }
    await allArrived();
  }
  const ids = received.map(({ id }) => id).filter((id) => sent.includes(id));
  conclude('listen', [
    {
      name: `events lost over ${DROPS} lost responses and a restart`,
      ok: new Set(ids).size === sent.length,
      figure: `${sent.length - new Set(ids).size} of ${sent.length}`,
    },
    {
      name: 'events sent to the receiver twice',
      ok: ids.length === new Set(ids).size,
      figure: String(ids.length - new Set(ids).size),
    },
    atMost('from the event to the receiver, p95', percentile(latencies, 95), VISIBLE_MS, 'ms'),
  ]);
} finally {
  listener.kill('SIGINT');
  proxy.close();
  receiver.closeAllConnections();
  receiver.close();
  await server.stop();
  at.remove();
}

async function makeToken(): Promise<string> {
  const headers = { cookie, 'slipway-console': '1', 'content-type': 'application/json' };
  const session = await ask<{ organisations: { id: string }[] }>('/api/session', { headers });
  const tokens = `/api/organisations/${session.organisations[0]?.id}/access-tokens`;
  const input = JSON.stringify({ name: 'A laptop', scope: 'write', expiresInDays: 1 });
  return (await ask<{ token: string }>(tokens, { method: 'POST', headers, body: input })).token;
}

async function ask<Body>(path: string, init: RequestInit): Promise<Body> {
  return (await (await fetch(at.consoleUrl + path, init)).json()) as Body; // as the contract says
}

async function trigger(): Promise<void> {
  sent.push((await api.triggerEvent({ organisationId, appId, body: { type: 'ticket.created' } })).id);
}

function allArrived(): Promise<void> {
  return until(() => sent.every((id) => received.some((one) => one.id === id)));
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + ARRIVES_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`The listener did not finish in time. Its output:\n${output}`);
    await pause(5);
  }
}
