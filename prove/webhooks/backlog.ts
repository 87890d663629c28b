// Kills a worker in the middle of a backlog and starts it again. No event may be lost; measures the time from the
// restart to the last arrival.
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, progress } from '../../bench/kit.ts';
import type { Check } from '../kit.ts';
import { toCheck } from './agreement.ts';
import { sharedMs } from './print-errors.ts';
import { startNode } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { WebhookSetup } from './setup.ts';

export interface BacklogOptions {
  events: number;
  /** The limit in milliseconds, from the start of the new worker's process to the arrival of the last event. */
  mostMs: number;
}

const GIVEN_UP_AFTER_MS = 60_000;

/** Returns the first arrival of each event, by the id of its ticket. Reads each arrival once. */
function firstArrivals({ arrivals }: Receiver) {
  const first = new Map<string, number>();
  let read = 0;
  function look(): Map<string, number> {
    for (const { body, atMs } of arrivals.slice(read)) {
      const { id } = JSON.parse(body).subject;
      if (!first.has(id)) first.set(id, atMs);
      read += 1;
    }
    return first;
  }
  async function until(count: number): Promise<void> {
    const deadlineMs = sharedMs() + GIVEN_UP_AFTER_MS;
    while (look().size < count && sharedMs() < deadlineMs) await pause(10);
  }
  return { look, until };
}

export async function proveBacklog(setup: WebhookSetup, folder: string, input: BacklogOptions): Promise<Check[]> {
  const app = await setup.addApp();
  const receiver = await startReceiver(() => ({ status: 200, afterMs: 0 }));
  const { secret } = await setup.addEndpoint(app, receiver.url('/backlog'));
  receiver.expect('/backlog', secret);
  const ids = await setup.emit(app, input.events);
  const start = () => startNode('worker', setup.url, folder, { allowHosts: [receiver.host] });
  const arrived = firstArrivals(receiver);
  const first = await start();
  try {
    await arrived.until(input.events / 2);
    first.child.kill('SIGKILL');
    await first.exited;
    const before = arrived.look().size;
    const restartedMs = sharedMs();
    const second = await start();
    await arrived.until(input.events).finally(() => second.stop());
    const againMs = [...arrived.look().values()].map((atMs) => atMs - restartedMs).filter((ms) => ms > 0);
    const lastMs = Math.max(...againMs);
    const [firstMs, mostMs] = [0, 90].map((percent) => percentile(againMs, percent).toFixed(0));
    const times = `the first one after ${firstMs} ms, 90 % after ${mostMs} ms, the last one after ${lastMs.toFixed(0)} ms`;
    progress(`backlog: killed after ${before} of ${input.events}; after the restart ${times}`);
    return [
      {
        name: 'backlog: the worker was killed before the end',
        ok: before >= input.events / 2 && before < input.events,
        figure: `${before} of ${input.events} had arrived`,
      },
      toCheck({
        name: 'backlog: events that never arrived',
        broken: ids.filter((id) => !arrived.look().has(id)),
        of: `${ids.length}`,
      }),
      {
        name: 'backlog: the last event after the restart',
        ok: lastMs <= input.mostMs,
        figure: `${lastMs.toFixed(0)} ms (at most ${input.mostMs})`,
      },
      toCheck({
        name: 'backlog: arrivals that the public library does not verify',
        broken: receiver.refused,
        of: `${receiver.arrivals.length}`,
      }),
    ];
  } finally {
    await first.stop();
    await receiver.close();
  }
}
