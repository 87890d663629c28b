// Measures a Slipway that is started as users start it: the time until the API answers, its memory and its shutdown.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './kit.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface BenchServer {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  consoleUrl: string;
  apiUrl: string;
  remove(): void;
}

/** Returns a new data folder and free ports. */
export async function createBenchServer(): Promise<BenchServer> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-bench-')));
  chmodSync(home, 0o711); // lets the user that runs Postgres pass through if root measures
  const ports = [await freePort(), await freePort(), await freePort()];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SLIPWAY_|npm_)/.test(name));
  return {
    dataDir: join(home, 'data'),
    consoleUrl: `http://127.0.0.1:${ports[0]}`,
    apiUrl: `http://127.0.0.1:${ports[1]}`,
    env: {
      ...Object.fromEntries(inherited),
      SLIPWAY_DATA_DIR: join(home, 'data'),
      SLIPWAY_CONSOLE_PORT: String(ports[0]),
      SLIPWAY_SANDBOX_API_PORT: String(ports[1]),
      SLIPWAY_DEMO_RECEIVER_PORT: String(ports[2]),
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export interface StartedServer {
  child: ChildProcess;
  /** Milliseconds from the spawn to the first 200 of the API. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Starts a Slipway. `command` is the command of a user; `cwd` is the clone. */
export async function start(
  at: BenchServer,
  command: readonly [string, ...string[]],
  cwd = root,
): Promise<StartedServer> {
  const [program, ...args] = command;
  const begunMs = performance.now();
  const child = spawn(program, args, { cwd, env: at.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await answers(at))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}.`);
    await pause(5);
  }
  const readyMs = performance.now() - begunMs;
  return {
    child,
    readyMs,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      while (postgresPid(at) !== undefined) await pause(10); // npm ends before its child
    },
  };
}

async function answers({ apiUrl }: BenchServer): Promise<boolean> {
  return fetch(`${apiUrl}/v1/openapi.json`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status === 200;
    },
    () => false,
  );
}

/** Returns undefined after the end: Postgres removes the file. */
export function postgresPid({ dataDir }: BenchServer): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** Waits for the first run's note, which is the last step of a start. */
export async function readNote({ dataDir }: BenchServer): Promise<{ key: string; link: string }> {
  for (;;) {
    try {
      const note = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
      return { key: /slw_test_\w+/.exec(note)?.[0] ?? '', link: /#link=(\S+)/.exec(note)?.[1] ?? '' };
    } catch {
      await pause(10);
    }
  }
}

/** Signs the owner in by the first run's link, and returns the Cookie header. */
export async function signIn({ consoleUrl }: BenchServer, link: string): Promise<string> {
  const answer = await fetch(`${consoleUrl}/api/sign-in-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'slipway-console': '1' },
    body: JSON.stringify({ token: link }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (answer.status !== 204 || cookie === undefined) throw new Error(`Signing in was answered ${answer.status}.`);
  return cookie;
}

/** Returns resident memory in MB. */
export function residentMb(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Restarts the same installation `times` times. Returns the milliseconds of each. */
export async function restarts(
  at: BenchServer,
  command: readonly [string, ...string[]],
  times: number,
): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < times; round++) {
    const started = await start(at, command);
    took.push(started.readyMs);
    await started.stop();
  }
  return took;
}
