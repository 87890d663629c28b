// Handles what an earlier or another Slipway left in the same data folder. The start is refused while the other Slipway
// is alive. A Postgres that a killed Slipway left running is stopped.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, signalPostgres } from './binaries.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { lockState } from './lock.ts';
import { commandLine, isAlive, startedAt } from './processes.ts';

function createAlreadyRunningError(dataDir: string): Error {
  return new Error(
    `Another Slipway is already running on the data folder ${dataDir}. Stop it first, or give this one a folder of its own with SLIPWAY_DATA_DIR.`,
  );
}

/**
 * Claims the data folder for a start, and returns the function that releases the claim. Between the start of Postgres
 * and taking its lock, another Slipway would find the lock free.
 */
export function claimStart(dataDir: string): () => void {
  const file = join(dataDir, 'postgres.starting');
  const ownFile = `${file}-${process.pid}`;
  // Linked into place, so that a half-written file is never read.
  writeFileSync(ownFile, `${process.pid} ${startedAt(process.pid)}`, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        linkSync(ownFile, file);
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (isClaimAlive(file)) throw createAlreadyRunningError(dataDir);
      rmSync(file, { force: true });
    }
    throw createAlreadyRunningError(dataDir);
  } finally {
    rmSync(ownFile, { force: true });
  }
}

function isClaimAlive(file: string): boolean {
  const [pid = '', ticks = ''] = readIfThere(file).split(' ');
  return isAlive(Number(pid)) && startedAt(Number(pid)) === ticks;
}

export async function stopEarlierPostgres(
  binaries: Binaries,
  location: ClusterLocation,
  password: string,
  log: (message: string) => void,
) {
  const pidFile = join(location.clusterDir, 'postmaster.pid');
  const lines = readIfThere(pidFile).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // Postgres itself replaces the file of a dead process.
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  const command = commandLine(pid);
  if (command !== undefined && !command.includes(location.clusterDir)) {
    // The id now belongs to another program, which Postgres would take for a living Postgres and refuse to start.
    rmSync(pidFile, { force: true });
    return;
  }
  const state = port > 0 ? await lockState(port, password) : 'free';
  if (state === 'held') throw createAlreadyRunningError(location.dataDir);
  if (state === 'not-answering' && isAlive(pid)) {
    throw new Error(
      `The Postgres of ${location.dataDir} (process ${pid}) does not answer. End that process, then start again.`,
    );
  }
  log(
    'postgres.orphan_found: An earlier Slipway ended without stopping its Postgres. This start stops that Postgres first.',
  );
  await stopProcess(binaries, pid);
}

async function stopProcess(binaries: Binaries, pid: number): Promise<void> {
  const begunMs = performance.now();
  let isPressed = false;
  signalPostgres(binaries, pid, 'SIGINT');
  while (isAlive(pid)) {
    const elapsedMs = performance.now() - begunMs;
    if (elapsedMs > 5_000 && !isPressed) {
      signalPostgres(binaries, pid, 'SIGQUIT');
      isPressed = true;
    }
    if (elapsedMs > 15_000) throw new Error(`The Postgres of an earlier Slipway (process ${pid}) does not stop.`);
    await sleep(10);
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
