// `npm run bench -- start`: the time from a clone to the first response, a restart, and the memory of an idle process.
// The reference of a restart is `node -e 0` on the same machine in the same run. The clone contains the committed
// files; `--no-clone` omits it.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, progress, type Result, report, temporaryFolder } from './kit.ts';
import { createBenchServer, readNote, residentMb, restarts, root, signIn, start } from './server.ts';

const ROUNDS = 5;
const IDLE_MS = 10_000;
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
const results: Result[] = [];

function took(name: string, run: () => unknown): void {
  const begunMs = performance.now();
  run();
  seconds(name, (performance.now() - begunMs) / 1000);
}

function seconds(name: string, value: number): void {
  results.push({ name, value, unit: 's', ...blank });
  progress(`${name}: ${value.toFixed(1)} s`);
}

async function fromClone(): Promise<void> {
  const folder = await temporaryFolder();
  const clone = join(folder.path, 'slipway');
  const at = await createBenchServer();
  try {
    took('git clone', () => execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]));
    took('npm ci', () => execFileSync('npm', ['ci', '--prefer-offline'], { cwd: clone, env: at.env, stdio: 'ignore' }));
    const first = await start(at, ['npm', 'start'], clone);
    seconds('first npm start', first.readyMs / 1000);
    await readNote(at);
    await first.stop();
    seconds(
      'clone to ready',
      results.reduce((sum, { value }) => sum + value, 0),
    );
  } finally {
    at.remove();
    await folder.remove();
  }
}

function restartResult(name: string, times: number[], referenceMs: number): Result {
  const sorted = [...times].sort((a, b) => a - b);
  const value = median(times);
  progress(`${name}: ${value.toFixed(0)} ms`);
  return {
    name,
    value,
    unit: 'ms',
    reference: 'node -e 0',
    ratio: value / referenceMs,
    p50Ms: value,
    p99Ms: sorted.at(-1) ?? null,
  };
}

function nodeStartMs(): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const begunMs = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      return performance.now() - begunMs;
    }),
  );
}

async function again(): Promise<void> {
  const at = await createBenchServer();
  const byNode = [process.execPath, 'scripts/start.mjs'] as const;
  try {
    const first = await start(at, byNode);
    await readNote(at);
    await first.stop();
    const referenceMs = nodeStartMs();
    results.push({ name: 'node -e 0', value: referenceMs, unit: 'ms', ...blank });
    const before = await restarts(at, byNode, ROUNDS);
    results.push(restartResult('restart before the first sign-in', before, referenceMs));
    // The link of the earlier start stays until this one has written its own.
    rmSync(join(at.dataDir, 'first-run.txt'));
    const running = await start(at, byNode);
    await signIn(at, (await readNote(at)).link);
    await running.stop();
    results.push(restartResult('restart, npm start', await restarts(at, ['npm', 'start'], ROUNDS), referenceMs));
    results.push(restartResult('restart, node scripts/start.mjs', await restarts(at, byNode, ROUNDS), referenceMs));
    const idle = await start(at, byNode);
    await pause(IDLE_MS); // measure an idle process
    results.push({ name: 'memory of the idle process', value: residentMb(idle.child.pid), unit: 'MB', ...blank });
    await idle.stop();
  } finally {
    at.remove();
  }
}

if (!process.argv.includes('--no-clone')) await fromClone();
await again();
report('start', results);
