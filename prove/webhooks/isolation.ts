// Isolation: slow endpoints get a share of all traffic, in the same apps as healthy ones. They have separate hosts, or
// the host and port of the healthy ones. Measures how much they delay the healthy ones.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import type { Check } from '../kit.ts';
import { toCheck } from './agreement.ts';
import { sharedMs } from './print-errors.ts';
import { startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { App, WebhookSetup } from './setup.ts';

/**
 * The behaviour of slow endpoints: `hang` reads and never answers, `tarpit` accepts and never reads, a number of
 * milliseconds delays the response.
 */
export type SlowBehaviour = 'hang' | 'tarpit' | number;

export interface IsolationOptions {
  apps: number;
  /** Healthy endpoints per app. */
  endpoints: number;
  /** Slow endpoints per app. */
  slow: number;
  manner: SlowBehaviour;
  /** True if the slow endpoints have the host and port of the healthy ones. */
  isShared: boolean;
  /** The minimum number of in-flight attempts to slow endpoints; with fewer the measurement shows nothing. */
  leastOpen: number;
  emitEveryMs: number;
  /** Milliseconds before the measurement. */
  warmUpMs: number;
  withoutMs: number;
  /** Milliseconds since the first slow endpoint in which nothing is measured. */
  buildUpMs: number;
  withMs: number;
  limit: number;
}

interface SlowHost {
  host: string;
  /** Returns the number of open connections or requests. */
  open(): number;
  close(): Promise<void>;
}

/** Starts a host that accepts connections and never answers. A tarpit does not read either. */
async function startSilent(isTarpit: boolean): Promise<SlowHost> {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: isTarpit }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (!isTarpit) socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP address
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Longer than any attempt waits. */
const NEVER_MS = 600_000;
const SLOW_PATH = '/slow';

const answerAfterMs = (manner: SlowBehaviour): number => (typeof manner === 'number' ? manner : NEVER_MS);

function startSlow(manner: SlowBehaviour): Promise<SlowHost> {
  if (typeof manner !== 'number') return startSilent(manner === 'tarpit');
  return startReceiver(() => ({ status: 200, afterMs: manner }));
}

/** Starts a host that answers immediately, except below the path of the slow endpoints. */
const startShared = (manner: SlowBehaviour): Promise<Receiver> =>
  startReceiver(
    ({ path }) => ({ status: 200, afterMs: path.startsWith(SLOW_PATH) ? answerAfterMs(manner) : 0 }),
    (path) => manner === 'tarpit' && path.startsWith(SLOW_PATH),
  );

/** A measurement is divided into this many blocks, so that one pause of the machine changes one block only. */
const BLOCKS = 5;

/** Returns the value below which this share of the values lies. */
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** Returns the median of the p95 of each block. The values are in the order of their events. */
function medianP95(latencies: readonly number[]): number {
  const size = Math.ceil(latencies.length / BLOCKS);
  const blocks = Array.from({ length: BLOCKS }, (_, index) => latencies.slice(index * size, (index + 1) * size));
  return quantile(
    blocks.map((block) => quantile(block, 0.95)),
    0.5,
  );
}

interface IsolationSetup {
  setup: WebhookSetup;
  apps: App[];
  /** The hosts of the healthy endpoints. */
  receivers: Receiver[];
  /** The hosts of the slow endpoints; empty if these share the hosts of the healthy ones. */
  slow: SlowHost[];
}

async function startIsolationSetup(setup: WebhookSetup, input: IsolationOptions): Promise<IsolationSetup> {
  const scene: IsolationSetup = { setup, apps: [], receivers: [], slow: [] };
  if (input.isShared) scene.receivers.push(await startShared(input.manner));
  for (let index = 0; index < input.apps; index++) {
    const app = await setup.addApp();
    scene.apps.push(app);
    if (!input.isShared) {
      scene.receivers.push(await startReceiver(() => ({ status: 200, afterMs: 0 })));
      scene.slow.push(await startSlow(input.manner));
    }
    for (let endpoint = 0; endpoint < input.endpoints; endpoint++) {
      const path = `/healthy/${index}/${endpoint}`;
      const receiver = scene.receivers.at(-1);
      const { secret } = await setup.addEndpoint(app, receiver?.url(path) ?? '');
      receiver?.expect(path, secret);
    }
  }
  return scene;
}

async function addSlow({ setup, apps, receivers, slow }: IsolationSetup, endpoints: number): Promise<void> {
  for (const [index, app] of apps.entries()) {
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      const path = `${SLOW_PATH}/${index}/${endpoint}`;
      const [shared] = receivers;
      const host = slow[index]?.host ?? shared?.host;
      const { secret } = await setup.addEndpoint(app, `http://${host}${path}`);
      if (slow.length === 0) shared?.expect(path, secret);
    }
  }
}

/**
 * Emits events to one app after the other for this time. Returns the times from the commit of each event to its
 * arrivals, in the order of the events. A missing arrival took an infinite time.
 */
async function measure({ setup, apps, receivers }: IsolationSetup, input: IsolationOptions, forMs: number) {
  const emittedAtMs = new Map<string, number>();
  const untilMs = sharedMs() + forMs;
  for (let turn = 0; sharedMs() < untilMs; turn++) {
    const beganMs = sharedMs();
    const app = apps[turn % apps.length];
    for (const id of app ? await setup.emit(app) : []) emittedAtMs.set(id, sharedMs());
    await pause(Math.max(0, input.emitEveryMs - (sharedMs() - beganMs)));
  }
  const expected = emittedAtMs.size * input.endpoints;
  const latenciesById = (): Map<string, number[]> => {
    const found = new Map([...emittedAtMs.keys()].map((id) => [id, [] as number[]]));
    for (const { path, body, atMs } of receivers.flatMap(({ arrivals }) => arrivals)) {
      if (path.startsWith(SLOW_PATH)) continue;
      const { id } = JSON.parse(body).subject;
      found.get(id)?.push(atMs - (emittedAtMs.get(id) ?? Number.NaN));
    }
    return found;
  };
  const count = (): number => [...latenciesById().values()].reduce((all, one) => all + one.length, 0);
  // The last events may be on their way. A later arrival counts as a missing one.
  for (let waits = 0; waits < 100 && count() < expected; waits++) await pause(50);
  return [...latenciesById().values()].flatMap((one) => [
    ...one,
    ...Array<number>(Math.max(0, input.endpoints - one.length)).fill(Infinity),
  ]);
}

/** The number of waits of 50 ms for the slow attempts, because a busy machine begins them late. */
const MOST_WAITS = 200;

const nameOf = (manner: SlowBehaviour): string =>
  typeof manner === 'number' ? `answer after ${manner / 1000} s` : manner;

export async function proveIsolation(setup: WebhookSetup, folder: string, input: IsolationOptions): Promise<Check[]> {
  const scene = await startIsolationSetup(setup, input);
  const { receivers, slow } = scene;
  const allowHosts = [...receivers, ...slow].map(({ host }) => host);
  const worker = await startNode('worker', setup.url, folder, { allowHosts });
  const count = input.apps * input.slow;
  const name = `isolation: ${count} endpoints of ${input.apps} apps that ${nameOf(input.manner)}, on ${input.isShared ? 'the same host' : 'separate hosts'}`;
  // On a shared host, requests to healthy endpoints are open for an instant too.
  const open = (): number => (slow.length > 0 ? slow : receivers).reduce((all, one) => all + one.open(), 0);
  try {
    await measure(scene, input, input.warmUpMs);
    const without = medianP95(await measure(scene, input, input.withoutMs));
    progress(`${name}: p95 ${without.toFixed(1)} ms without slow endpoints`);
    await addSlow(scene, input.slow);
    const whileFilling = medianP95(await measure(scene, input, input.buildUpMs));
    for (let waits = 0; waits < MOST_WAITS && open() < input.leastOpen; waits++) await pause(50);
    const openBefore = open();
    progress(`${name}: p95 ${whileFilling.toFixed(1)} ms while they begin; ${openBefore} are open now`);
    const latencies = await measure(scene, input, input.withMs);
    const withSlow = medianP95(latencies);
    const ratio = withSlow / without;
    return [
      {
        name: `${name}: median p95 of the healthy endpoints, relative to without slow ones`,
        ok: ratio <= input.limit,
        figure: `${withSlow.toFixed(1)} ms to ${without.toFixed(1)} ms: ${ratio.toFixed(2)} (at most ${input.limit}) of ${latencies.length}`,
      },
      {
        name: `${name}: slow attempts in flight during the measurement`,
        ok: openBefore >= input.leastOpen,
        figure: `${openBefore} (at least ${input.leastOpen})`,
      },
      toCheck({
        name: `${name}: arrivals that the public library does not verify`,
        broken: receivers.flatMap((receiver) => receiver.refused),
        of: `${receivers.reduce((all, { arrivals }) => all + arrivals.length, 0)}`,
      }),
    ];
  } finally {
    await worker.stop();
    await Promise.all([...receivers, ...slow].map((one) => one.close()));
  }
}
