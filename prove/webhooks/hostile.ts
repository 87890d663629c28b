// One worker delivers to hostile receivers at the same time. Each slot must be free again within the deadline. The
// worker's memory must not grow, and no connection may go to a private address. Healthy receivers must be served
// throughout.
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import { residentMb } from '../../bench/server.ts';
import { atMost, type Check } from '../kit.ts';
import { toCheck } from './agreement.ts';
import { PRIVATE_ADDRESS, PUBLIC_ADDRESS, PUBLIC_CIDR } from './flipping-lookup.ts';
import { HOSTILE_BEHAVIOURS, startBadTls, startCanary, startHostile } from './hostile-receivers.ts';
import { watchConnects } from './kernel-watch.ts';
import { type ProofNode, startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { App, WebhookSetup } from './setup.ts';

const DEADLINE_MS = 15_000;
/** A reserve for the event loop and the timer. */
const MARGIN_MS = 500;
const MEMORY_MB = 20;
const WARM_UP = 2_000;
const KINDS_PER_APP = 3;
const LOOK_EVERY_MS = 100;

/** URLs without a receiver, to which no request may be sent. */
const FORBIDDEN = [
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://2130706433/',
];

interface HostileSetup {
  urls: Map<string, string>;
  listed: string[];
  canaries: { count(): number; close(): Promise<void> }[];
  close(): Promise<void>;
}

/** Starts a receiver of each kind, and a canary at each address to which a name may redirect. */
async function startHostileSetup(): Promise<HostileSetup> {
  const urls = new Map(FORBIDDEN.map((url) => [url, url]));
  const plain = await Promise.all(Object.keys(HOSTILE_BEHAVIOURS).map(startHostile));
  const bad = [
    await startBadTls('a certificate without a trusted issuer', PUBLIC_ADDRESS, 'flip.test', false),
    await startBadTls('a certificate for another name', PUBLIC_ADDRESS, 'other.test', false),
    await startBadTls('a certificate that has expired', PUBLIC_ADDRESS, 'flip.test', true),
  ];
  for (const { kind, port } of plain) urls.set(kind, `http://127.0.0.1:${port}/`);
  for (const { kind, port } of bad) urls.set(kind, `https://flip.test:${port}/`);
  const canaries = await Promise.all(bad.map(({ port }) => startCanary(PRIVATE_ADDRESS, port)));
  const all = [...plain, ...bad, ...canaries];
  return {
    urls,
    listed: plain.map(({ port }) => `127.0.0.1:${port}`),
    canaries,
    close: async () => void (await Promise.all(all.map((one) => one.close()))),
  };
}

async function openApps(setup: WebhookSetup, urls: readonly string[]): Promise<App[]> {
  const apps: App[] = [];
  for (let at = 0; at < urls.length; at += KINDS_PER_APP) {
    const app = await setup.addApp();
    for (const url of urls.slice(at, at + KINDS_PER_APP)) await setup.addEndpoint(app, url);
    apps.push(app);
  }
  return apps;
}

async function deliverTo(setup: WebhookSetup, app: App, well: Receiver, count: number): Promise<number> {
  const wanted = well.arrivals.length + count;
  const beganMs = performance.now();
  await setup.emit(app, count);
  while (well.arrivals.length < wanted && performance.now() - beganMs < 4 * DEADLINE_MS) await pause(5);
  return performance.now() - beganMs;
}

interface AttemptRow {
  url: string;
  outcome: string;
  status: number | null;
  duration_ms: number;
}

const firstAttempts = (setup: WebhookSetup, apps: readonly App[]): Promise<AttemptRow[]> =>
  setup.rows(
    `select e.url, a.outcome, a.status, a.duration_us / 1000.0::float8 as duration_ms
     from attempts a join deliveries d using (app_id, delivery_id) join endpoints e using (app_id, endpoint_id)
     where a.app_id = any($1) and a.attempt_no = 1`,
    [apps.map((app) => app.appId)],
  );

/** Waits for the first attempt of each delivery. Returns the maximum memory. */
async function untilAttempted(setup: WebhookSetup, apps: readonly App[], expected: number, worker: ProofNode) {
  let mostMb = 0;
  const deadlineMs = performance.now() + 6 * DEADLINE_MS;
  for (;;) {
    mostMb = Math.max(mostMb, residentMb(worker.child.pid));
    const rows = await firstAttempts(setup, apps);
    if (rows.length >= expected || performance.now() > deadlineMs) return { rows, mostMb };
    await pause(LOOK_EVERY_MS);
  }
}

/** Runs the proof. `each` is the number of deliveries per receiver. */
export async function proveHostile(setup: WebhookSetup, folder: string, each: number): Promise<Check[]> {
  const scene = await startHostileSetup();
  const well = await startReceiver(() => ({ status: 200, afterMs: 0 }));
  const wellApp = await setup.addApp();
  const { secret } = await setup.addEndpoint(wellApp, well.url('/well'));
  well.expect('/well', secret);
  const input = { allowHosts: [well.host, ...scene.listed], allowCidrs: [PUBLIC_CIDR], isDnsFlipping: true };
  const worker = await startNode('worker', setup.url, folder, input);
  try {
    await deliverTo(setup, wellApp, well, WARM_UP);
    const beforeMb = residentMb(worker.child.pid);
    const kernel = await watchConnects(worker.child.pid ?? 0, folder);
    const apps = await openApps(setup, [...scene.urls.values()]);
    await Promise.all(apps.map((app) => setup.emit(app, each)));
    const besideMs = await deliverTo(setup, wellApp, well, 10);
    const expected = scene.urls.size * each;
    const { rows, mostMb } = await untilAttempted(setup, apps, expected, worker);
    const addresses = await kernel?.stop();
    describeAttempt(scene, rows);
    progress(
      `the kernel saw ${addresses ? `connections to ${addresses.join(', ')}` : 'nothing: strace is not installed'}`,
    );
    const forbidden = (addresses ?? []).filter((address) => address !== '127.0.0.1' && address !== PUBLIC_ADDRESS);
    const canaryConnections = scene.canaries.reduce((all, canary) => all + canary.count(), 0);
    const slowestMs = Math.max(...rows.map((row) => row.duration_ms));
    const lost = [...scene.urls].filter(([, url]) => rows.filter((row) => row.url === url).length !== each);
    const succeeded = rows.filter((row) => FORBIDDEN.includes(row.url) && row.outcome !== 'blocked_address');
    return [
      toCheck({
        name: 'hostile: receivers without a row for each attempt',
        broken: lost.map(([kind]) => kind),
        of: `${scene.urls.size}`,
      }),
      atMost('hostile: the slot of the slowest receiver is free', slowestMs, DEADLINE_MS + MARGIN_MS, 'ms'),
      atMost('hostile: memory growth of the worker', mostMb - beforeMb, MEMORY_MB, 'MB'),
      atMost('hostile: ten deliveries to healthy receivers in the meantime', besideMs, 1_000, 'ms'),
      toCheck({
        name: 'hostile: forbidden URLs that were not refused',
        broken: succeeded.map(({ url }) => url),
        of: `${FORBIDDEN.length}`,
      }),
      toCheck({
        name: 'hostile: connections to forbidden addresses, counted by the kernel',
        broken: forbidden,
        of: addresses ? `${addresses.length} addresses` : 'unknown: strace is not installed',
      }),
      { name: 'hostile: connections at the canaries', ok: canaryConnections === 0, figure: `${canaryConnections}` },
    ];
  } finally {
    await worker.stop();
    await Promise.all([scene.close(), well.close()]);
  }
}

function describeAttempt({ urls }: HostileSetup, rows: readonly AttemptRow[]): void {
  for (const [kind, url] of urls) {
    const ofKind = rows.filter((row) => row.url === url);
    const outcomes = [...new Set(ofKind.map(({ outcome, status }) => `${outcome}${status ? ` ${status}` : ''}`))];
    const slowestMs = Math.max(...ofKind.map((row) => row.duration_ms));
    progress(`${kind}: ${outcomes.join(', ')}, at most ${slowestMs.toFixed(0)} ms`);
  }
}
