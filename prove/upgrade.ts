// `npm run prove -- upgrade [--from COMMIT]`: an upgrade from the last release without a failed call. Three nodes of
// the API, two workers and a Console of the release serve behind a plain proxy while people, programs and receivers
// continue. The current migrations are applied, and then one node after the other is replaced.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchServer, readNote, signIn } from '../bench/server.ts';
import { type Cluster, startCluster } from '../scripts/nodes/cluster.ts';
import { freePort } from '../scripts/nodes/free-port.ts';
import { startExternalPostgres } from '../test/external-postgres.ts';
import { atMost, type Check, conclude } from './kit.ts';
import { startLoad, type UpgradeLoad, type UpgradeSetup } from './upgrade/load.ts';
import { buildRelease } from './upgrade/released-build.ts';

const HERE = process.cwd();
const PHASE_MS = 5_000;
const ARRIVES_WITHIN_MS = 60_000;
/** A longer wait means that a call met a lock; a revocation may take two seconds. */
const SLOWEST_MS = 2_500;

const at = process.argv.indexOf('--from');
const released = JSON.parse(readFileSync('contract/released/release.json', 'utf8')) as { commit: string }; // written by a release
const commit = (at === -1 ? undefined : process.argv[at + 1]) ?? released.commit;
const print = (text: string): void => console.error(text);

// An interrupted run must leave no process behind.
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => reject(new Error(`Ended by ${signal}.`)));
  }
});
interrupted.catch(() => {}); // until it is awaited

print(`building ${commit}`);
const earlier = buildRelease(HERE, commit);
const dataDir = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'));
const postgres = await startExternalPostgres();
const received = new Map<string, number>();
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { data } = JSON.parse(body) as { data?: { subject?: string } }; // an event
  if (data?.subject) received.set(data.subject, (received.get(data.subject) ?? 0) + 1);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address

const ports = { api: await freePort(), console: await freePort() };
const urls = { apiUrl: `http://127.0.0.1:${ports.api}`, consoleUrl: `http://127.0.0.1:${ports.console}` };
const inherited = Object.entries(process.env).filter(([name]) => !/^(SLIPWAY_|npm_)/.test(name));
const env = {
  ...Object.fromEntries(inherited),
  ...postgres.settings,
  SLIPWAY_DATA_DIR: dataDir,
  SLIPWAY_CONSOLE_URL: urls.consoleUrl,
  SLIPWAY_SANDBOX_API_URL: urls.apiUrl,
  SLIPWAY_SANDBOX_PEPPER: 'a pepper for proofs, of no other use at all',
  SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  SLIPWAY_SANDBOX_MANAGEMENT_KEY: 'a management key for proofs, of no other use',
  SLIPWAY_CONSOLE_SECRET: 'a secret of the Console, for proofs alone',
  SLIPWAY_WEBHOOK_ALLOW_HOSTS: receiverHost,
  SLIPWAY_SANDBOX_RATE_PER_SECOND: '100000',
  SLIPWAY_SANDBOX_RATE_BURST: '100000',
};

// A process refuses a setting that its version does not know. The released version has the earlier name.
const settingsOf = (home: string): NodeJS.ProcessEnv => ({
  ...env,
  [home === HERE ? 'SLIPWAY_SHUTDOWN_DELAY_SECONDS' : 'SLIPWAY_STOP_DELAY_SECONDS']: '1',
});

async function makeGround(): Promise<UpgradeSetup> {
  const installation: BenchServer = { dataDir, env, ...urls, remove: () => {} };
  const cookie = await signIn(installation, (await readNote(installation)).link);
  const headers = { cookie, 'slipway-console': '1', 'content-type': 'application/json' };
  async function make<Body>(path: string, body: unknown): Promise<Body> {
    const answer = await fetch(`${urls.consoleUrl}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Body; // as the contract says
  }
  const { id: organisationId } = await make<{ id: string }>('/organisations', { name: 'Harbour Tools' });
  const apps = `/sandbox/organisations/${organisationId}/apps`;
  const { id: appId } = await make<{ id: string }>(apps, { name: 'Under load' });
  const input = { name: 'Load', scopes: ['servers:read', 'tickets:create', 'events:read'], expiresInDays: 30 };
  const { key, token } = await make<{ key: { id: string }; token: string }>(`${apps}/${appId}/keys`, input);
  const hook = { url: `http://${receiverHost}/hooks`, keyId: key.id, eventTypes: ['ticket.created'] };
  const { endpoint } = await make<{ endpoint: { id: string } }>(`${apps}/${appId}/endpoints`, hook);
  const servers = await fetch(`${urls.apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await servers.json()) as { data: { id: string }[] }; // as the contract says
  return { ...urls, cookie, key: token, organisationId, appId, serverId: data[0]?.id ?? '', endpointId: endpoint.id };
}

async function migrate(): Promise<{ tookMs: number; printed: string }> {
  const begunMs = performance.now();
  const child = spawn(process.execPath, ['server/dist/main.js', 'migrate'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null]; // the arguments of this event
  if (code !== 0) throw new Error(`migrate ended with ${code}.`);
  return { tookMs: performance.now() - begunMs, printed };
}

async function replaceAll(cluster: Cluster, load: UpgradeLoad): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const member of [...cluster.members()]) {
    load.phase = `during the replacement of ${member.node.name}`;
    codes.push(await cluster.replace(member, HERE));
    print(`${member.node.name} was replaced; ${load.failures.length} calls have failed`);
  }
  return codes;
}

async function arrive(load: UpgradeLoad): Promise<string[]> {
  const endMs = performance.now() + ARRIVES_WITHIN_MS;
  const missing = (): string[] => load.tickets.filter((subject) => !received.has(subject));
  while (missing().length > 0 && performance.now() < endMs) await pause(50);
  return missing();
}

const none = (name: string, found: readonly string[], of: string): Check => {
  for (const one of found.slice(0, 10)) print(`  ${one}`);
  return { name, ok: found.length === 0, figure: `${found.length} of ${of}` };
};

let cluster: Cluster | undefined;
async function prove(): Promise<void> {
  const options = { host: '127.0.0.1', ports, env: settingsOf, logDir: join(dataDir, 'nodes'), onLoss: print };
  cluster = await startCluster(options);
  await cluster.fill(earlier.folder);
  const load = startLoad(await makeGround());
  await pause(PHASE_MS);
  load.phase = 'during the migration';
  const slowestBeforeMs = load.slowestMs;
  const migration = await migrate();
  print(`migrated in ${migration.tookMs.toFixed(0)} ms:\n${migration.printed}`);
  load.phase = 'with the new schema';
  await pause(PHASE_MS);
  const codes = await replaceAll(cluster, load);
  load.phase = 'after';
  await pause(PHASE_MS);
  await load.stop();
  const lost = await arrive(load);
  const calls = [...load.counts.values()].reduce((sum, one) => sum + one, 0);
  print([...load.counts].map(([kind, count]) => `${count} × ${kind}`).join(', '));
  const twice = [...received.values()].filter((times) => times > 1).length;
  print(`slowest call before: ${slowestBeforeMs.toFixed(0)} ms; delivered more than once: ${twice}`);
  const hasLogs = cluster.members().map(({ node }) => readFileSync(node.logFile, 'utf8'));
  conclude('upgrade', [
    none('calls that failed', load.failures, String(calls)),
    none('deliveries that did not arrive', lost, String(load.tickets.length)),
    { name: 'old nodes that ended cleanly', ok: codes.every((code) => code === 0), figure: codes.join(', ') },
    {
      name: 'live tails that ended with a resume position',
      ok: load.tails.ended > 0 && load.tails.withHint === load.tails.ended,
      figure: `${load.tails.withHint} of ${load.tails.ended}`,
    },
    none(
      'errors in the logs of the new nodes',
      hasLogs.flatMap((text) => text.split('\n').filter((line) => line.includes('"level":50'))),
      `${hasLogs.length} logs`,
    ),
    atMost('the slowest call', load.slowestMs, SLOWEST_MS, 'ms'),
  ]);
}

try {
  await Promise.race([prove(), interrupted]);
} finally {
  await cluster?.stop();
  receiver.closeAllConnections();
  receiver.close();
  await postgres.remove();
  earlier.remove();
  rmSync(dataDir, { recursive: true, force: true });
}
