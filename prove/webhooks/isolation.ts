// Isolation: endpoints that hang until the deadline get half of all traffic, in the same apps as those that are well. How much
// later do the others get theirs?
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import type { Check } from '../kit.ts';
import { toCheck } from './agreement.ts';
import type { App, Ground } from './ground.ts';
import { startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { sharedMs } from './tell.ts';

export interface IsolationWish {
  apps: number;
  /** Of each app that hang, and as many that are well. */
  endpoints: number;
  emitEveryMs: number;
  /** Nothing is counted before. */
  warmUpMs: number;
  withoutMs: number;
  /** From the first one that hangs on. */
  buildUpMs: number;
  withMs: number;
  limit: number;
}

/** Takes connections and never says a word. */
async function startHanging(): Promise<{ host: string; open(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

interface Scene {
  ground: Ground;
  apps: App[];
  receivers: Receiver[];
  hanging: Awaited<ReturnType<typeof startHanging>>[];
}

async function openScene(ground: Ground, wish: IsolationWish): Promise<Scene> {
  const scene: Scene = { ground, apps: [], receivers: [], hanging: [] };
  for (let index = 0; index < wish.apps; index++) {
    const app = await ground.addApp();
    const receiver = await startReceiver(() => ({ status: 200, afterMs: 0 }));
    for (let endpoint = 0; endpoint < wish.endpoints; endpoint++) {
      const { secret } = await ground.addEndpoint(app, receiver.url(`/${endpoint}`));
      receiver.expect(`/${endpoint}`, secret);
    }
    scene.apps.push(app);
    scene.receivers.push(receiver);
    scene.hanging.push(await startHanging());
  }
  return scene;
}

async function addHanging({ ground, apps, hanging }: Scene, endpoints: number): Promise<void> {
  for (const [index, app] of apps.entries()) {
    for (let endpoint = 0; endpoint < endpoints; endpoint++) {
      await ground.addEndpoint(app, `http://${hanging[index]?.host}/${endpoint}`);
    }
  }
}

/** Emits to one app after the other for so long; returns the times to each arrival from the commit of its event. */
async function measure({ ground, apps, receivers }: Scene, wish: IsolationWish, forMs: number) {
  const emittedAtMs = new Map<string, number>();
  const untilMs = sharedMs() + forMs;
  for (let turn = 0; sharedMs() < untilMs; turn++) {
    const beganMs = sharedMs();
    const app = apps[turn % apps.length];
    for (const id of app ? await ground.emit(app) : []) emittedAtMs.set(id, sharedMs());
    await pause(Math.max(0, wish.emitEveryMs - (sharedMs() - beganMs)));
  }
  const expected = emittedAtMs.size * wish.endpoints;
  const latencies = (): number[] =>
    receivers.flatMap(({ arrivals }) =>
      arrivals.flatMap(({ body, atMs }) => {
        const beganMs = emittedAtMs.get(JSON.parse(body).subject.id);
        return beganMs === undefined ? [] : [atMs - beganMs];
      }),
    );
  // The last may be on their way; what comes later than this is as bad as what never comes.
  for (let waits = 0; waits < 100 && latencies().length < expected; waits++) await pause(50);
  const missing = expected - latencies().length;
  return [...latencies(), ...Array<number>(missing).fill(Infinity)];
}

export async function proveIsolation(ground: Ground, folder: string, wish: IsolationWish): Promise<Check[]> {
  const scene = await openScene(ground, wish);
  const { receivers, hanging } = scene;
  const allowHosts = [...receivers, ...hanging].map(({ host }) => host);
  const worker = await startNode('worker', ground.url, folder, { allowHosts });
  try {
    await measure(scene, wish, wish.warmUpMs);
    const without = p95(await measure(scene, wish, wish.withoutMs));
    progress(`isolation: p95 ${without.toFixed(1)} ms when nobody hangs`);
    await addHanging(scene, wish.endpoints);
    const whileFilling = p95(await measure(scene, wish, wish.buildUpMs));
    const open = hanging.reduce((all, one) => all + one.open(), 0);
    progress(`isolation: p95 ${whileFilling.toFixed(1)} ms while they begin to hang; ${open} hang now`);
    const latencies = await measure(scene, wish, wish.withMs);
    const ratio = p95(latencies) / without;
    const hang = wish.apps * wish.endpoints;
    return [
      {
        name: `isolation: p95 of the well beside ${hang} endpoints that hang, to that without them`,
        ok: ratio <= wish.limit,
        figure: `${p95(latencies).toFixed(1)} ms to ${without.toFixed(1)} ms: ${ratio.toFixed(2)} (at most ${wish.limit}) of ${latencies.length}`,
      },
      {
        name: 'isolation: endpoints that hang while it is measured',
        ok: open >= hang / 2,
        figure: `${open} connections`,
      },
      toCheck({
        name: 'isolation: arrivals that the public library does not verify',
        broken: receivers.flatMap((receiver) => receiver.refused),
        of: `${receivers.reduce((all, { arrivals }) => all + arrivals.length, 0)}`,
      }),
    ];
  } finally {
    await worker.stop();
    await Promise.all([...receivers, ...hanging].map((one) => one.close()));
  }
}
