// Postgres is killed under traffic and started again. Confirmed changes must survive, and interrupted deliveries must
// continue.
import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '../../bench/kit.ts';
import type { ExternalPostgres } from '../../test/external-postgres.ts';
import type { Check } from '../kit.ts';
import { checkAgreement } from './agreement.ts';
import { countTickets, startCrashSetup, untilSettled } from './crashes.ts';
import { startNode } from './processes.ts';
import type { WebhookSetup } from './setup.ts';
import { startTraffic } from './traffic.ts';

const WORKERS = 2;

/** Kills `postgres`, which `setup` uses. The seed determines when it dies and for how long it is down. */
export async function crashPostgres(
  setup: WebhookSetup,
  postgres: Pick<ExternalPostgres, 'kill' | 'restart'>,
  folder: string,
  seed: number,
): Promise<Check[]> {
  const scene = await startCrashSetup(setup, folder);
  const { receiver } = scene;
  const input = { allowHosts: [receiver.host] };
  scene.api = await startNode('api', setup.url, folder);
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startNode('worker', setup.url, folder, input)),
  );
  const traffic = startTraffic(scene.app, () => scene.api?.url, { callers: 4, pauseMs: 15 });
  async function untilMoreArrived(count: number): Promise<void> {
    const wanted = receiver.arrivals.length + count;
    while (receiver.arrivals.length < wanted) await pause(1);
  }
  try {
    await untilMoreArrived(20 + seed * 3);
    await postgres.kill();
    await pause((seed * 311) % 2_500);
    await postgres.restart();
    await untilMoreArrived(20);
    await traffic.stop();
    // After a worker has left, another one takes over claims whose commit the worker never learned of.
    await Promise.all(workers.map((worker) => worker.stop()));
    const survivor = await startNode('worker', setup.url, folder, input);
    await untilSettled(scene, []).finally(() => survivor.stop());
    progress(`seed ${seed}: Postgres killed, ${receiver.arrivals.length} arrivals`);
    return [...(await countTickets(scene, traffic.confirmed)), ...(await checkAgreement(setup, scene.app, [receiver]))];
  } finally {
    traffic.giveUp();
    await Promise.all([scene.api, ...workers].map((node) => node?.stop()));
    await receiver.close();
  }
}
