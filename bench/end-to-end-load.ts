// The publisher, as a separate process: `end-to-end-load.ts JSON` (a LoadOptions) publishes numbered events to the
// targets in turn, and prints JSON (a LoadResult).
import { sharedMs } from '../prove/webhooks/print-errors.ts';
import { atPace } from './pace.ts';
import { type Connection, openConnection } from './plain-client.ts';

export interface Target {
  path: string;
  token: string;
  /** JSON, in which NUMBER stands for the number of the event. */
  body: string;
}

export interface LoadOptions {
  url: string;
  targets: readonly Target[];
  connections: number;
  seconds: number;
  /** Events per second. Undefined publishes as fast as the connections allow. */
  perSecond?: number;
  /** The number of the first event. */
  from: number;
}

export interface LoadResult {
  /** By the number of the event, starting with the first. NaN for an event whose request failed. */
  sentAtMs: (number | null)[];
  answeredAtMs: (number | null)[];
  failures: string[];
  cpuMs: number;
  memoryMb: number;
}

const input: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
const all = await Promise.all(Array.from({ length: input.connections }, () => openConnection(input.url)));
const idle = [...all];
const sentAtMs: number[] = [];
const answeredAtMs: number[] = [];
const failures: string[] = [];

async function publishOn(connection: Connection, index: number): Promise<void> {
  const { path, token, body } = input.targets[index % input.targets.length] as Target; // there is at least one
  answeredAtMs[index] = Number.NaN;
  sentAtMs[index] = sharedMs();
  try {
    const answer = await connection.post(path, token, body.replace('NUMBER', String(input.from + index)));
    if (answer.status === 201) answeredAtMs[index] = sharedMs();
    else failures.push(`${answer.status}: ${answer.body}`);
  } catch (error) {
    failures.push(String(error));
  }
}

async function asFastAsPossible(): Promise<void> {
  const endMs = performance.now() + input.seconds * 1000;
  let next = 0;
  const publishAll = async (connection: Connection): Promise<void> => {
    while (performance.now() < endMs) await publishOn(connection, next++);
  };
  await Promise.all(all.map(publishAll));
}

/** Publishes at a fixed rate. Opens another connection if all others wait for a response. */
async function publish(index: number): Promise<void> {
  let connection = idle.pop();
  if (!connection) {
    connection = await openConnection(input.url);
    all.push(connection);
  }
  await publishOn(connection, index);
  idle.push(connection);
}

const before = process.cpuUsage();
await (input.perSecond === undefined ? asFastAsPossible() : atPace(input.perSecond, input.seconds, publish));
const { user, system } = process.cpuUsage(before);
const { maxRSS } = process.resourceUsage();
const result: LoadResult = {
  sentAtMs,
  answeredAtMs,
  failures,
  cpuMs: (user + system) / 1000,
  memoryMb: maxRSS / 1024,
};
console.log(JSON.stringify(result));
for (const connection of all) connection.close();
