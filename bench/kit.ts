// Tools of every benchmark: a separate Postgres, child processes, medians, and one output format.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Result {
  name: string;
  value: number;
  unit: string;
  /** The name of the reference that was measured in the same run. */
  reference: string | null;
  ratio: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
}

/** Returns the text after a flag of the command line. */
export function argument(flag: string): string | undefined {
  return process.argv[process.argv.indexOf(flag) + 1 || Infinity];
}

export function numberOf(flag: string, fallback: number): number {
  return Number(argument(flag) ?? fallback);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** Returns a percentile, rounded up in rank: of a hundred values the slowest is p99. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export function report(bench: string, results: readonly Result[]): void {
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ bench, results }));
    return;
  }
  const number = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
  const isTwice = (name: string): boolean => results.filter((one) => one.name === name).length > 1;
  console.table(
    Object.fromEntries(
      results.map(({ name, value, unit, reference, ratio, p50Ms, p99Ms }) => [
        isTwice(name) ? `${name}, to ${reference}` : name,
        {
          value: number(value, value < 10 ? 2 : 0),
          unit,
          ratio: number(ratio, 2),
          p50Ms: number(p50Ms, 2),
          p99Ms: number(p99Ms, 2),
        },
      ]),
    ),
  );
}

/** Prints the progress of a long run on stderr, because programs read stdout. */
export function progress(text: string): void {
  console.error(text);
}

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM'); // also if the benchmark fails
});

/**
 * Starts a script of the repository with its dependencies bundled, like a server. Resolves with its first line, which
 * the script prints when it is ready.
 */
export function startScript(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; firstLine: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', '--whole', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', () => {
      running.delete(child);
      resolve();
    }),
  );
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end === -1) return;
      child.stdout.removeAllListeners('data').resume();
      resolve({
        child,
        firstLine: text.slice(0, end),
        stop() {
          child.kill('SIGTERM');
          return exited;
        },
      });
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready.`)));
  });
}

/** Runs a script of the repository to its end. Returns the JSON that it printed. */
export function runScript<T>(script: string, args: readonly string[]): Promise<T> {
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    // Not `exit`: output may still arrive after it.
    child.once('close', (code) => {
      if (code === 0)
        resolve(JSON.parse(text) as T); // the structure of the script's output
      else reject(new Error(`${script} ended with ${code}.`));
    });
  });
}

/** Returns the machine's time for a small durable write in milliseconds: the lower limit of a commit. */
export function fsyncMs(folder: string): number {
  const file = openSync(join(folder, 'fsync-probe'), 'w');
  const page = Buffer.alloc(8192, 1);
  const times = Array.from({ length: 51 }, () => {
    const startedAt = performance.now();
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  return median(times);
}

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
