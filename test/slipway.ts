// A Slipway as users run it: the built server, or `npm start`, as a separate process with its own data folder and
// ports. `remove` ends everything that a test started, including Postgres.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/nodes/free-port.ts';
import { hasNodes } from '../scripts/nodes/has-nodes.ts';
import { isAlive } from '../server/src/embedded/processes.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const MAIN = 'server/dist/main.js';
/** `npm run nodes` without its build: it starts several processes instead of one. */
export const NODES: readonly string[] = ['scripts/run-ts.mjs', 'scripts/nodes.ts'];

export interface Run {
  child: ChildProcess;
  /** Resolves when the process reports that it is ready. Rejects with its output if it ends before. */
  ready: Promise<void>;
  /** Resolves with the exit code; null if a signal ended the process. */
  exited: Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

export interface SlipwayInstance {
  dataDir: string;
  /** A free port for each listener. */
  ports: { console: number; api: number; receiver: number; management: number; monitoring: number };
  consoleUrl: string;
  apiUrl: string;
  receiverUrl: string;
  /** The address of /livez, /readyz and /metrics of a run with `ports.monitoring`; other runs have no monitoring. */
  monitoringUrl: string;
  /** Starts the built server. The settings are added to those of the data folder and the ports. */
  start(settings?: Record<string, string>, args?: readonly string[]): Run;
  /** Starts any program with the same environment. */
  spawn(program: string, args: readonly string[], settings?: Record<string, string>): Run;
  /** Returns the process id in the file of Postgres; undefined if it is not running. */
  postgres(): number | undefined;
  noteFile: string;
  remove(): Promise<void>;
}

// Excludes variables of the test runner, by which libraries detect tests, and settings of the caller.
function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SLIPWAY_|OTEL_|VITEST|NODE_ENV$|TEST$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...settings };
}

function run(program: string, args: readonly string[], settings: Record<string, string>): Run {
  const child = spawn(program, args, { cwd: root, env: environment(settings), stdio: ['pipe', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    text.stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text.stdout += chunk;
      if (/ is ready\./.test(text.stdout)) resolve();
    });
    void exited.then((code) => reject(new Error(`It ended with ${code}.\n${text.stdout}\n${text.stderr}`)));
  });
  ready.catch(() => {}); // a test of a refusal does not await it
  return { child, ready, exited, stdout: () => text.stdout, stderr: () => text.stderr };
}

/** Creates an instance with a new data folder, or with one into which `prepare` copies data. */
export async function createInstance(prepare?: (dataDir: string) => void): Promise<SlipwayInstance> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-start-')));
  chmodSync(home, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  const dataDir = join(home, 'data');
  if (prepare) {
    mkdirSync(dataDir);
    prepare(dataDir);
  }
  const ports = {
    console: await freePort(),
    api: await freePort(),
    receiver: await freePort(),
    management: await freePort(),
    monitoring: await freePort(),
  };
  const own = {
    SLIPWAY_DATA_DIR: dataDir,
    SLIPWAY_CONSOLE_PORT: String(ports.console),
    SLIPWAY_SANDBOX_API_PORT: String(ports.api),
    SLIPWAY_DEMO_RECEIVER_PORT: String(ports.receiver),
    SLIPWAY_SANDBOX_MANAGEMENT_PORT: String(ports.management),
    // Several processes of a role run next to each other here.
    SLIPWAY_MONITORING_PORT: 'off',
  };
  const runs: Run[] = [];
  const start: SlipwayInstance['spawn'] = (program, args, settings = {}) => {
    const started = run(program, args, { ...own, ...settings });
    runs.push(started);
    return started;
  };
  const postgres = (): number | undefined => {
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
    return pid && isAlive(pid) ? pid : undefined;
  };
  return {
    dataDir,
    ports,
    consoleUrl: `http://localhost:${ports.console}`,
    apiUrl: `http://localhost:${ports.api}`,
    receiverUrl: `http://localhost:${ports.receiver}`,
    monitoringUrl: `http://127.0.0.1:${ports.monitoring}`,
    start: (settings, args = []) =>
      start(process.execPath, args.length === 0 && hasNodes ? NODES : [MAIN, ...args], settings),
    spawn: start,
    postgres,
    noteFile: join(dataDir, 'first-run.txt'),
    async remove() {
      await Promise.all(runs.map(endRun));
      const left = postgres();
      if (left) process.kill(left, 'SIGQUIT');
      await until(() => !left || !isAlive(left));
      const cluster = join(dataDir, 'postgres');
      if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function endRun({ child, exited }: Run): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await exited;
}

/** Resolves with the first truthy value. */
export async function until<T>(look: () => T | Promise<T>, timeoutMs = 15_000): Promise<Exclude<T, undefined | false>> {
  const endsMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value) return value as Exclude<T, undefined | false>; // truthy
    if (performance.now() > endsMs) throw new Error(`No result within ${timeoutMs} ms: ${look}`);
    await pause(10);
  }
}
