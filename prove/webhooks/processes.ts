// The processes under proof, and what they wrote down.
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScript } from '../../bench/kit.ts';
import { newUuid } from '../../server/src/kit/crypto/ids.ts';
import type { Point } from './points.ts';

export interface NodeWish {
  /** Where it writes down what it does. */
  log: string;
  allowHosts?: readonly string[];
  allowCidrs?: readonly string[];
  /** At which durable step it kills itself, and the how many-th time it comes there. */
  diesAt?: { point: Point; nth: number };
  isWithoutPermit?: boolean;
  /** What it has claimed waits until it is told to go on. */
  beginsLate?: boolean;
  /** Its claims take a while, and no stop sees that one is under way. */
  hidesClaims?: boolean;
  isDnsFlipping?: boolean;
}

/** One request, as its sender saw it. */
export interface Sent {
  path: string;
  deliveryId: string;
  attempt: number;
  permittedAtMs: number;
  sentAtMs: number;
}

export interface ProofNode {
  child: ChildProcess;
  /** Where an API listens. */
  url: string;
  /** Resolves with the signal that ended it. */
  exited: Promise<NodeJS.Signals | null>;
  /** What it has sent so far. */
  sent(): Sent[];
  /** How much below a path it has claimed and not begun, where it begins late. */
  holds(below: string): number;
  /** So that it begins it; also while it stands still, for when it goes on. */
  letGo(): void;
  /** How often all that it held when it was let go is over. */
  timesBegun(): number;
  /** Under which ids it has been a worker. */
  workerIds(): string[];
  diedAt(): string | undefined;
  stop(): Promise<void>;
}

const linesOf = (log: string, word: string): string[] =>
  (existsSync(log) ? readFileSync(log, 'utf8') : '')
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));

function toSent(line: string): Sent {
  const [path = '', deliveryId = '', attempt, permittedAtMs, sentAtMs] = line.split(' ');
  return {
    path,
    deliveryId,
    attempt: Number(attempt),
    permittedAtMs: Number(permittedAtMs),
    sentAtMs: Number(sentAtMs),
  };
}

/** `folder` keeps what it writes down. */
export async function startNode(
  role: 'api' | 'worker',
  databaseUrl: string,
  folder: string,
  wish: Omit<NodeWish, 'log'> = {},
): Promise<ProofNode> {
  const log = join(folder, `${role}-${newUuid()}`);
  const env = { BENCH_DATABASE_URL: databaseUrl, BENCH_RATE: '1000000' };
  const started = await startScript(`prove/webhooks/${role}.ts`, [JSON.stringify({ ...wish, log })], env);
  const { child, firstLine, stop } = started;
  const exited = new Promise<NodeJS.Signals | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.signalCode);
    child.once('exit', (_code, signal) => resolve(signal));
  });
  const countBelow = (word: string, below: string): number =>
    linesOf(log, word).filter((path) => path.startsWith(below)).length;
  return {
    child,
    url: firstLine,
    exited,
    sent: () => linesOf(log, 'sent').map(toSent),
    holds: (below) => countBelow('holds', below) - countBelow('lets', below),
    letGo: () => void child.kill('SIGUSR2'),
    timesBegun: () => linesOf(log, 'begun').length,
    workerIds: () => linesOf(log, 'worker'),
    diedAt: () => linesOf(log, 'died')[0],
    async stop() {
      // One that stands still hears of nothing.
      child.kill('SIGCONT');
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  };
}
