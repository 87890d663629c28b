// The parts of the end-to-end benchmark.
import type { ChildProcess } from 'node:child_process';
import type { BenchContext } from './bench-database.ts';
import type { Target } from './end-to-end-load.ts';
import { median, numberOf, percentile, progress, type Result, startScript } from './kit.ts';
import {
  bareTarget,
  type DeliveryTimes,
  perSecondOf,
  publish,
  type Receiver,
  type Run,
  startReceiver,
  ticketTarget,
} from './publishing.ts';
import { parentOf } from './usage.ts';
import { makeApps } from './webhooks-parts.ts';

const ROUNDS = numberOf('--rounds', 5);
const SECONDS = numberOf('--seconds', 4);
const CONNECTIONS = 64;
const ENDPOINTS = 30;
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };

interface Product {
  url: string;
  /** Its own processes, without Postgres. */
  processes: ChildProcess[];
  stop(): Promise<void>;
}

async function startProduct(databaseUrl: string, hosts: readonly string[], roles: readonly string[]): Promise<Product> {
  const env = { BENCH_DATABASE_URL: databaseUrl, BENCH_RATE: '1000000' };
  const started: Awaited<ReturnType<typeof startScript>>[] = [];
  for (const role of roles) started.push(await startScript('bench/product.ts', [role, hosts.join(',')], env));
  return {
    url: started[0]?.firstLine ?? '',
    processes: started.map(({ child }) => child),
    stop: async () => void (await Promise.all(started.map((one) => one.stop()))),
  };
}

const ONE_PROCESS = ['all'];
const SEPARATE_ROLES = ['api', 'worker'];

async function postgresPid({ setup }: BenchContext): Promise<number> {
  const [row] = await setup.rows<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(row?.pid ?? 0);
}

interface Variant {
  name: string;
  /** The name of the variant with which it is compared. */
  reference: string | null;
  url: string;
  targets: readonly Target[];
  pids: Record<string, number>;
  runs: Run[];
}

const perEventUs = (run: Run, of: string): number =>
  ((run.usage[of]?.cpuMs ?? Number.NaN) * 1000) / run.delivered.length;

function throughputOf(variant: Variant, all: readonly Variant[]): Result[] {
  const base = all.find(({ name }) => name === variant.reference)?.runs.map(perSecondOf);
  const perSecond = variant.runs.map(perSecondOf);
  const ratio = base ? median(perSecond.map((one, round) => one / (base[round] ?? Number.NaN))) : null;
  const unit = 'events/s';
  const { name, reference } = variant;
  return [{ ...blank, name: `${name}: published and delivered`, value: median(perSecond), unit, reference, ratio }];
}

function processorTimeOf({ name, runs }: Pick<Variant, 'name' | 'runs'>): Result[] {
  return Object.keys(runs[0]?.usage ?? {}).map((of) => ({
    ...blank,
    name: `${name}: processor time of ${of}`,
    value: median(runs.map((run) => perEventUs(run, of))),
    unit: 'µs/event',
  }));
}

function memoryOf(variants: readonly Variant[]): Result[] {
  const mostMb = new Map<string, number>();
  for (const { usage } of variants.flatMap(({ runs }) => runs)) {
    for (const [of, { memoryMb }] of Object.entries(usage)) mostMb.set(of, Math.max(mostMb.get(of) ?? 0, memoryMb));
  }
  return [...mostMb].map(([of, value]) => ({ ...blank, name: `peak memory of ${of}`, value, unit: 'MB' }));
}

/** Starts the script once and stops it, so that later starts find it built and no measured process builds anything. */
async function build(script: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  await (await startScript(script, args, env)).stop();
}

export async function measureThroughput(context: BenchContext): Promise<Result[]> {
  const { setup, url } = context;
  const receiver = await startReceiver();
  const one = await makeApps(setup, [receiver.host], 1, 1);
  const many = await makeApps(setup, [receiver.host], ENDPOINTS, 1);
  await build('bench/product.ts', ['api'], { BENCH_DATABASE_URL: url });
  await build('bench/bare-receiver.ts', [receiver.host], {});
  const product = await startProduct(url, [receiver.host], ONE_PROCESS);
  const bare = await startScript('bench/bare-receiver.ts', [receiver.host]);
  const ofProduct = { Slipway: product.processes[0]?.pid ?? 0, Postgres: await postgresPid(context) };
  const pair = (endpoints: string, paths: readonly string[], tickets: readonly Target[]): Variant[] => {
    const [reference, name] = [`bare, ${endpoints}`, `Slipway, ${endpoints}`];
    const pids = { bare: bare.child.pid ?? 0 };
    return [
      { name: reference, reference: null, url: bare.firstLine, targets: paths.map(bareTarget), pids, runs: [] },
      { name, reference, url: product.url, targets: tickets, pids: ofProduct, runs: [] },
    ];
  };
  const paths = Array.from({ length: ENDPOINTS }, (_, at) => `/${at}`);
  const variants = [
    ...pair('one endpoint', ['/'], one.map(ticketTarget)),
    ...pair(`${ENDPOINTS} endpoints`, paths, many.map(ticketTarget)),
  ];
  const run = ({ url, targets, pids }: Variant): Promise<Run> =>
    publish(receiver, pids, { url, targets, connections: CONNECTIONS, seconds: SECONDS });
  try {
    for (const variant of variants) await run(variant);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const variant of variants) {
        const measured = await run(variant);
        variant.runs.push(measured);
        progress(`round ${round} of ${ROUNDS}  ${variant.name}: ${perSecondOf(measured).toFixed(0)}/s`);
      }
    }
  } finally {
    await Promise.all([product.stop(), bare.stop(), receiver.stop()]);
  }
  return [
    ...variants.flatMap((variant) => throughputOf(variant, variants)),
    ...variants.flatMap(processorTimeOf),
    ...memoryOf(variants),
  ];
}

const EVENTS_PER_SECOND = 200;

/** A variant that is loaded with a fixed number of events per second. */
type PacedVariant = Pick<Variant, 'name' | 'url' | 'targets' | 'pids' | 'runs'>;

/** Measures latencies. Each product has its own database, because a worker would deliver for the other product. */
export async function measureLatency(one: BenchContext, other: BenchContext): Promise<Result[]> {
  const receiver = await startReceiver();
  const stops: (() => Promise<void>)[] = [receiver.stop];
  const wayOf = async (name: string, context: BenchContext, roles: readonly string[]): Promise<PacedVariant> => {
    const apps = await makeApps(context.setup, [receiver.host], 1, 1);
    const product = await startProduct(context.url, [receiver.host], roles);
    stops.push(product.stop);
    const ofRoles = roles.map((role, index): [string, number] => [
      nameOfRole(role),
      product.processes[index]?.pid ?? 0,
    ]);
    const pids = { ...Object.fromEntries(ofRoles), Postgres: await postgresPid(context) };
    return { name, url: product.url, targets: apps.map(ticketTarget), pids, runs: [] };
  };
  try {
    const bare = await startScript('bench/bare-receiver.ts', [receiver.host]);
    stops.push(bare.stop);
    const variants: PacedVariant[] = [
      { name: 'bare', url: bare.firstLine, targets: [bareTarget('/')], pids: { bare: bare.child.pid ?? 0 }, runs: [] },
      await wayOf('Slipway in one process', one, ONE_PROCESS),
      await wayOf('Slipway in separate roles', other, SEPARATE_ROLES),
    ];
    const run = ({ url, targets, pids }: PacedVariant, perSecond?: number): Promise<Run> => {
      const load = { url, targets, connections: CONNECTIONS, seconds: SECONDS };
      return publish(receiver, pids, perSecond === undefined ? load : { ...load, perSecond });
    };
    // As fast as possible: at 200 events/s the compiler needs longer than the whole measurement.
    for (const variant of variants) await run(variant);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const variant of variants) {
        const measured = await run(variant, EVENTS_PER_SECOND);
        variant.runs.push(measured);
        const tookMs = measured.delivered.map(toFirstByteMs);
        progress(`round ${round} of ${ROUNDS}  ${variant.name}: p50 ${percentile(tookMs, 50).toFixed(1)} ms`);
      }
    }
    return [
      ...variants.map((variant) => latencyOf(variant, 'request sent to first byte', toFirstByteMs)),
      ...variants.map((variant) => latencyOf(variant, 'request sent to response', toResponseMs)),
      ...variants.flatMap(processorTimeOf),
    ];
  } finally {
    for (const stop of stops) await stop();
  }
}

const nameOfRole = (role: string): string => (role === 'all' ? 'Slipway' : `Slipway (${role})`);
const toFirstByteMs = ({ sentAtMs, arrivedAtMs }: DeliveryTimes): number => arrivedAtMs - sentAtMs;
const toResponseMs = ({ sentAtMs, answeredAtMs }: DeliveryTimes): number => answeredAtMs - sentAtMs;

function latencyOf({ name, runs }: PacedVariant, what: string, toMs: (times: DeliveryTimes) => number): Result {
  const medianOf = (part: number): number => median(runs.map(({ delivered }) => percentile(delivered.map(toMs), part)));
  const [p50Ms, p99Ms] = [medianOf(50), medianOf(99)];
  return { ...blank, name: `${name}: ${what}, ${EVENTS_PER_SECOND} events/s`, value: p50Ms, unit: 'ms', p50Ms, p99Ms };
}

const OTHERS = 20;
const HEALTHY_PER_SECOND = 100;
/** The time since the first hanging event in which nothing is measured: endpoints are classified, and slots fill. */
const BUILD_UP_SECONDS = 5;

interface IsolationScenario {
  name: string;
  reference: string | null;
  targets: readonly Target[];
  rounds: number[];
}

/**
 * The healthy endpoint and the others belong to different organisations, and half of the traffic is for the others.
 * Others that hang are compared with others that answer: the product does the same work for both.
 */
async function scenesOf({ setup }: BenchContext, receiver: Receiver): Promise<IsolationScenario[]> {
  const [healthy] = (await makeApps(setup, [receiver.host], 1, 1)).map(ticketTarget);
  if (!healthy) throw new Error('No app was created.');
  const mixed = async (host: string, path: string): Promise<Target[]> => {
    const apps = await makeApps(setup, [`${host}${path}`], OTHERS, 1);
    return apps.flatMap((app) => [healthy, ticketTarget(app)]);
  };
  const answering = `with ${OTHERS} that answer`;
  const hanging = `with ${OTHERS} that hang`;
  const sceneOf = (name: string, reference: string | null, targets: readonly Target[]): IsolationScenario => ({
    name,
    reference,
    targets,
    rounds: [],
  });
  return [
    sceneOf('healthy endpoint alone', null, [healthy]),
    sceneOf(answering, null, await mixed(receiver.host, '')),
    sceneOf(`${hanging} on another host`, answering, await mixed(receiver.hanging, '/hang')),
    sceneOf(`${hanging} on the same host`, answering, await mixed(receiver.host, '/hang')),
  ];
}

/**
 * Measures with a new process on an empty queue, because earlier hanging attempts would hold slots. Returns p95 from
 * the request to the first byte, in milliseconds. The first byte may come before the response.
 */
async function measureScene(
  { setup, url }: BenchContext,
  receiver: Receiver,
  { targets }: IsolationScenario,
): Promise<number> {
  const kinds = targets.length === 1 ? 1 : 2;
  const product = await startProduct(url, [receiver.host, receiver.hanging], ONE_PROCESS);
  const perSecond = HEALTHY_PER_SECOND * kinds;
  const input = { url: product.url, targets, connections: CONNECTIONS, perSecond, seconds: BUILD_UP_SECONDS + SECONDS };
  try {
    const { delivered } = await publish(receiver, {}, input, (target) => target === targets[0]);
    const counted = delivered.filter(({ index }) => index >= perSecond * BUILD_UP_SECONDS);
    return percentile(counted.map(toFirstByteMs), 95);
  } finally {
    await product.stop();
    await setup.rows('truncate queue');
    await setup.rows('delete from endpoint_health');
  }
}

export async function measureIsolation(context: BenchContext): Promise<Result[]> {
  const receiver = await startReceiver();
  try {
    const scenes = await scenesOf(context, receiver);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const scene of scenes) {
        const p95Ms = await measureScene(context, receiver, scene);
        scene.rounds.push(p95Ms);
        progress(`round ${round} of ${ROUNDS}  ${scene.name}: p95 ${p95Ms.toFixed(1)} ms`);
      }
    }
    return scenes.map(({ name, reference, rounds }): Result => {
      const compared = scenes.find((scene) => scene.name === reference)?.rounds;
      const ratio = compared ? median(rounds.map((p95Ms, at) => p95Ms / (compared[at] ?? Number.NaN))) : null;
      return {
        ...blank,
        name: `${name}: p95 from the request to the first byte`,
        value: median(rounds),
        unit: 'ms',
        reference,
        ratio,
      };
    });
  } finally {
    await receiver.stop();
  }
}
