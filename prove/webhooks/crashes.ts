// Crash points: processes are killed at every durable step between a mutation and the recorded attempt, under traffic,
// and so is Postgres. Afterwards the receivers' log and the rows must agree.
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import { fromId } from '../../server/src/kit/crypto/ids.ts';
import { atLeast, type Check } from '../kit.ts';
import { checkAgreement, toCheck } from './agreement.ts';
import { API_POINTS, type CrashPoint, HAND_OFF_POINTS, RECOVERY_POINTS, WORKER_POINTS } from './crash-points.ts';
import { type ProofNode, startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { App, WebhookSetup } from './setup.ts';
import { startTraffic } from './traffic.ts';

/** The number of workers that run at a time until they die. */
const AT_ONCE = 3;
const SETTLED_WITHIN_MS = 120_000;
const DIES_WITHIN_MS = 60_000;

export interface CrashSetup {
  setup: WebhookSetup;
  folder: string;
  app: App;
  receiver: Receiver;
  /** The node of /v1 that currently answers. */
  api: ProofNode | undefined;
}

/** Creates an app with an endpoint per schema version, and a receiver that fails occasionally. */
export async function startCrashSetup(setup: WebhookSetup, folder: string): Promise<CrashSetup> {
  let count = 0;
  // Some responses are slow, so that a dying process has in-flight attempts.
  const answer = (): { status: number; afterMs: number } => {
    count += 1;
    return { status: count % 11 === 0 ? 500 : 200, afterMs: count % 3 === 0 ? 150 : 0 };
  };
  const receiver = await startReceiver(answer);
  const app = await setup.addApp();
  for (const version of [1, 2]) {
    const path = `/version-${version}`;
    const { secret } = await setup.addEndpoint(app, receiver.url(path), version);
    receiver.expect(path, secret);
  }
  return { setup, folder, app, receiver, api: undefined };
}

/**
 * Simulates the passing of time for deliveries that wait for their next attempt, and for dead workers, whose heartbeats
 * become old.
 */
async function advanceTime({ setup, app }: CrashSetup, dead: readonly ProofNode[]): Promise<void> {
  const ids = dead.flatMap((node) => node.workerIds());
  await setup.rows("update workers set beat_at = beat_at - interval '10 seconds' where worker_id = any($1)", [ids]);
  await setup.rows(
    "update queue set due_at = clock_timestamp() where app_id = $1 and state = 'waiting' and due_at > clock_timestamp()",
    [app.appId],
  );
}

export async function untilSettled(scene: CrashSetup, dead: readonly ProofNode[]): Promise<void> {
  const { setup, app } = scene;
  const deadlineMs = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    await advanceTime(scene, dead);
    const queued = await setup.rows('select from queue where app_id = $1 limit 1', [app.appId]);
    if (queued.length === 0 || performance.now() > deadlineMs) return;
    await pause(50);
  }
}

/**
 * Returns the occurrence of the point at which the process dies, derived from the seed. It must occur this often within
 * the time limit.
 */
const nthOf = (seed: number, index: number): number => 1 + ((seed * 7 + index * 3) % 6);

async function crashAt(
  scene: CrashSetup,
  role: 'api' | 'worker' | 'node',
  point: CrashPoint,
  nth: number,
): Promise<ProofNode> {
  const input = { allowHosts: [scene.receiver.host], diesAt: { point, nth } };
  const node = await startNode(role, scene.setup.url, scene.folder, input);
  if (role !== 'worker') scene.api = node;
  const ended = await Promise.race([node.exited, pause(DIES_WITHIN_MS, 'too late' as const, { ref: false })]);
  if (ended !== 'SIGKILL' || node.diedAt() !== point) {
    await node.stop();
    throw new Error(`A process did not die at "${point}" the ${nth}. time: ${ended}.`);
  }
  return node;
}

/** Waits for all promises, even if one rejects, so that no part of a seed overlaps the next one. */
async function allEnded(promises: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(promises)) if (one.status === 'rejected') throw one.reason;
}

/** A worker that dies here leaves an attempt that another worker must find. */
const MID_ATTEMPT_POINTS: readonly CrashPoint[] = ['request sent', 'answered, nothing recorded'];

/** Runs the work while time passes for dead workers and waiting deliveries. */
async function whileTimePasses(
  scene: CrashSetup,
  dead: readonly ProofNode[],
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const hastening = (async () => {
    for (; !isOver; await pause(100)) await advanceTime(scene, dead);
  })();
  await work().finally(() => {
    isOver = true;
  });
  await hastening;
}

async function killWorkers(scene: CrashSetup, seed: number, dead: ProofNode[]): Promise<void> {
  const next = [...WORKER_POINTS.entries()].filter(([, point]) => !MID_ATTEMPT_POINTS.includes(point));
  async function killNext(): Promise<void> {
    for (let one = next.shift(); one !== undefined; one = next.shift()) {
      const [index, point] = one;
      // a worker registers once
      dead.push(await crashAt(scene, 'worker', point, point === 'registered' ? 1 : nthOf(seed, index)));
    }
  }
  /** Runs one recovering worker after the other, so that no other worker finds the attempt of a dead one. */
  async function killRecoveringWorkers(): Promise<void> {
    for (const [index, point] of RECOVERY_POINTS.entries()) {
      dead.push(await crashAt(scene, 'worker', MID_ATTEMPT_POINTS[index] ?? 'request sent', nthOf(seed, index)));
      dead.push(await crashAt(scene, 'worker', point, 1));
    }
  }
  await whileTimePasses(scene, dead, () =>
    allEnded(Array.from({ length: AT_ONCE }, killNext)).then(killRecoveringWorkers),
  );
}

export async function countTickets(scene: CrashSetup, confirmed: readonly string[]): Promise<Check[]> {
  const { rows } = scene.setup;
  const tickets = await rows<{ ticket_id: string }>('select ticket_id from tickets where app_id = $1', [
    scene.app.appId,
  ]);
  const stored = new Set(tickets.map((row) => row.ticket_id));
  const lost = confirmed.filter((id) => !stored.has(fromId('tkt', id) ?? ''));
  const isTwice = tickets.length !== confirmed.length;
  return [
    toCheck({ name: 'lost tickets that were confirmed', broken: lost, of: `${confirmed.length}` }),
    {
      name: 'one ticket for each requested mutation',
      ok: !isTwice && confirmed.length > 0,
      figure: `${tickets.length} for ${confirmed.length}`,
    },
  ];
}

/** Crashes at every point once, under traffic, for one seed. */
export async function crashEverywhere(setup: WebhookSetup, folder: string, seed: number): Promise<Check[]> {
  const scene = await startCrashSetup(setup, folder);
  const dead: ProofNode[] = [];
  const traffic = startTraffic(scene.app, () => scene.api?.url, { callers: 4, pauseMs: 15 });
  async function killApis(): Promise<void> {
    for (const [index, point] of API_POINTS.entries()) await crashAt(scene, 'api', point, nthOf(seed, index));
    scene.api = await startNode('api', setup.url, folder);
  }
  try {
    await allEnded([killApis(), killWorkers(scene, seed, dead)]);
    await traffic.stop();
    const survivor = await startNode('worker', setup.url, folder, { allowHosts: [scene.receiver.host] });
    await untilSettled(scene, dead).finally(() => survivor.stop());
    const { arrivals } = scene.receiver;
    progress(`seed ${seed}: ${API_POINTS.length + dead.length} processes killed, ${arrivals.length} arrivals`);
    return [
      ...(await countTickets(scene, traffic.confirmed)),
      ...(await checkAgreement(setup, scene.app, [scene.receiver])),
    ];
  } finally {
    traffic.giveUp();
    await scene.api?.stop();
    await scene.receiver.close();
  }
}

/** Crashes a process that hands deliveries to its own dispatcher, at each of its points once, for one seed. */
export async function crashHandOffs(setup: WebhookSetup, folder: string, seed: number): Promise<Check[]> {
  const scene = await startCrashSetup(setup, folder);
  const dead: ProofNode[] = [];
  const traffic = startTraffic(scene.app, () => scene.api?.url, { callers: 4, pauseMs: 15 });
  async function killNodes(): Promise<void> {
    for (const [index, point] of HAND_OFF_POINTS.entries())
      dead.push(await crashAt(scene, 'node', point, nthOf(seed, index)));
  }
  try {
    await whileTimePasses(scene, dead, killNodes);
    scene.api = await startNode('node', setup.url, folder, { allowHosts: [scene.receiver.host] });
    await traffic.stop();
    await untilSettled(scene, dead);
    const handedOff = [...dead, scene.api].reduce((all, node) => all + node.handedOff(), 0);
    progress(`seed ${seed}: ${dead.length} processes killed, ${handedOff} deliveries handed off`);
    return [
      ...(await countTickets(scene, traffic.confirmed)),
      ...(await checkAgreement(setup, scene.app, [scene.receiver])),
      atLeast('deliveries that were handed off', handedOff, HAND_OFF_POINTS.length, 'deliveries'),
    ];
  } finally {
    traffic.giveUp();
    await scene.api?.stop();
    await scene.receiver.close();
  }
}
