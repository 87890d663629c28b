// One run of the end-to-end benchmark: events are published, and the receiver is polled until it has received all of
// them.
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../prove/webhooks/setup.ts';
import { toId } from '../server/src/kit/crypto/ids.ts';
import type { LoadOptions, LoadResult, Target } from './end-to-end-load.ts';
import { progress, runScript, startScript } from './kit.ts';
import { type Usage, watchUsage } from './usage.ts';

export interface Receiver {
  host: string;
  /** A host that accepts requests and answers none. */
  hanging: string;
  pid: number;
  count(): Promise<number>;
  /** Returns the first arrival of each event by its number, and resets the receiver. */
  take(): Promise<Map<number, number>>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const { firstLine, stop, child } = await startScript('bench/end-to-end-receiver.ts', []);
  const { host, hanging, control }: { host: string; hanging: string; control: string } = JSON.parse(firstLine);
  const ask = async (path: string): Promise<string> => (await fetch(`${control}${path}`)).text();
  return {
    host,
    hanging,
    pid: child.pid ?? 0,
    count: async () => Number(await ask('/count')),
    take: async () => new Map<number, number>(JSON.parse(await ask('/take'))),
    stop,
  };
}

/** Returns a target that creates tickets. The event of such a ticket has about 600 bytes. */
export const ticketTarget = ({ serverId, token }: App): Target => ({
  path: `/v1/servers/${toId('srv', serverId)}/tickets`,
  token,
  body: JSON.stringify({ subject: 'No. NUMBER', body: 'The reminder comes twice.' }),
});

const BARE_BODY = JSON.stringify({
  id: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa',
  subject: 'No. NUMBER',
  text: 'x'.repeat(530),
});

export const bareTarget = (path: string): Target => ({ path, token: 'none', body: BARE_BODY });

/** An event that was published and delivered. */
export interface DeliveryTimes {
  index: number;
  sentAtMs: number;
  answeredAtMs: number;
  arrivedAtMs: number;
}

export interface Run {
  delivered: DeliveryTimes[];
  usage: Record<string, Usage>;
}

// Numbers of different runs never overlap, so that a late repeat of one run is not counted in the next.
const NUMBERS_OF_A_RUN = 10_000_000;
let runs = 0;

/** A receiver without a new event for this long will receive no more. */
const SILENT_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 25;

async function untilArrived(receiver: Receiver, wanted: number): Promise<void> {
  let count = 0;
  for (let silentMs = 0; count < wanted && silentMs < SILENT_AFTER_MS; silentMs += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    const now = await receiver.count();
    if (now > count) silentMs = 0;
    count = now;
  }
}

/**
 * Publishes events, and waits for those of the targets that `isAwaited` selects, by default all. Names each request
 * that fails and each event that does not arrive, and makes the benchmark exit with code 1.
 */
export async function publish(
  receiver: Receiver,
  pids: Readonly<Record<string, number>>,
  input: Omit<LoadOptions, 'from'>,
  isAwaited: (target: Target) => boolean = () => true,
): Promise<Run> {
  runs += 1;
  const from = runs * NUMBERS_OF_A_RUN;
  await receiver.take();
  const watch = watchUsage({ ...pids, receiver: receiver.pid });
  const load = await runScript<LoadResult>('bench/end-to-end-load.ts', [JSON.stringify({ ...input, from })]);
  const published = load.sentAtMs.flatMap((sentAtMs, index) => {
    const target = input.targets[index % input.targets.length];
    const answeredAtMs = load.answeredAtMs[index] ?? null;
    if (sentAtMs === null || answeredAtMs === null || !target || !isAwaited(target)) return [];
    return [{ index, sentAtMs, answeredAtMs }];
  });
  await untilArrived(receiver, published.length);
  const usage = { ...watch.stop(), load: { cpuMs: load.cpuMs, memoryMb: load.memoryMb } };
  const arrived = await receiver.take();
  const delivered = published.flatMap((one): DeliveryTimes[] => {
    const arrivedAtMs = arrived.get(from + one.index);
    return arrivedAtMs === undefined ? [] : [{ ...one, arrivedAtMs }];
  });
  const { failures } = load;
  if (failures.length > 0) fail(`${failures.length} requests FAILED, first ${failures[0]}`);
  if (delivered.length < published.length) fail(`${published.length - delivered.length} events did NOT ARRIVE`);
  return { delivered, usage };
}

function fail(sentence: string): void {
  progress(sentence);
  process.exitCode = 1;
}

/** Returns events per second, from the first request to the last arrival. */
export function perSecondOf({ delivered }: Run): number {
  const beganMs = delivered.reduce((least, { sentAtMs }) => Math.min(least, sentAtMs), Number.POSITIVE_INFINITY);
  const endedMs = delivered.reduce((most, { arrivedAtMs }) => Math.max(most, arrivedAtMs), 0);
  return (delivered.length * 1000) / (endedMs - beganMs);
}
