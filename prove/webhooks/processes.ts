// The processes under proof, and their logs.
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScript } from '../../bench/kit.ts';
import { newUuid } from '../../server/src/kit/crypto/ids.ts';
import type { CrashPoint } from './crash-points.ts';

export interface NodeOptions {
  /** The file of its log. */
  log: string;
  allowHosts?: readonly string[];
  allowCidrs?: readonly string[];
  /** The durable step at which it kills itself, and the occurrence of the step. */
  diesAt?: { point: CrashPoint; nth: number };
  isWithoutPermit?: boolean;
  /** True if its claims wait until the proof releases them. */
  beginsLate?: boolean;
  /** True if its claims take time and no barrier sees a claim in progress. */
  hidesClaims?: boolean;
  /** True if its hand-offs take time and no barrier sees a hand-off in progress. */
  hidesHandOffs?: boolean;
  /** True if its claims take a revoked key for a valid one. */
  claimsRevokedKeys?: boolean;
  isDnsFlipping?: boolean;
}

/** One request, as its sender recorded it. */
export interface SentRequest {
  path: string;
  deliveryId: string;
  attempt: number;
  permittedAtMs: number;
  sentAtMs: number;
}

export interface ProofNode {
  child: ChildProcess;
  /** The address of an API. */
  url: string;
  /** Resolves with the signal that ended it. */
  exited: Promise<NodeJS.Signals | null>;
  /** Returns the requests that it has sent so far. */
  sent(): SentRequest[];
  /** Returns the number of claimed deliveries below a path that have not begun, if it begins late. */
  holds(below: string): number;
  /** Releases held deliveries, also for a suspended process when it resumes. */
  letGo(): void;
  /** Returns how many times all released deliveries have ended. */
  timesBegun(): number;
  /** Returns the ids under which it was registered as a worker. */
  workerIds(): string[];
  /** Returns the number of deliveries that its mutations handed to its dispatcher: those of an app, or all. */
  handedOff(appId?: string): number;
  diedAt(): string | undefined;
  stop(): Promise<void>;
}

const linesOf = (log: string, word: string): string[] =>
  (existsSync(log) ? readFileSync(log, 'utf8') : '')
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));

function toSent(line: string): SentRequest {
  const [path = '', deliveryId = '', attempt, permittedAtMs, sentAtMs] = line.split(' ');
  return {
    path,
    deliveryId,
    attempt: Number(attempt),
    permittedAtMs: Number(permittedAtMs),
    sentAtMs: Number(sentAtMs),
  };
}

/** Starts a node. `folder` contains its log. */
export async function startNode(
  role: 'api' | 'worker' | 'node',
  databaseUrl: string,
  folder: string,
  input: Omit<NodeOptions, 'log'> = {},
): Promise<ProofNode> {
  const log = join(folder, `${role}-${newUuid()}`);
  const env = { BENCH_DATABASE_URL: databaseUrl, BENCH_RATE: '1000000' };
  const started = await startScript(`prove/webhooks/${role}.ts`, [JSON.stringify({ ...input, log })], env);
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
    handedOff: (appId) => linesOf(log, 'handed').filter((one) => appId === undefined || one === appId).length,
    diedAt: () => linesOf(log, 'died')[0],
    async stop() {
      // A suspended process receives no other signal.
      child.kill('SIGCONT');
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  };
}
