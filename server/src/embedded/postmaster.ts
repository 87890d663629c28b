// Starts and stops Postgres on a cluster. Postgres is ready when a connection holds the lock, and stopped when its
// process has ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Binaries, program, programEnvironment, signalPostgres } from './binaries.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { takeLock } from './lock.ts';

export type Postmaster = { port: number; pid: number; lock: Client; exited: Promise<void>; isOver: () => boolean };

const maxLogBytes = 10 * 1024 * 1024;
const startTimeoutMs = 300_000; // crash recovery may have to replay a gigabyte of log
const maxAttempts = 40;

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=128MB',
  'fsync=on',
  'synchronous_commit=on',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  'log_destination=stderr',
  'logging_collector=off',
  'timezone=UTC',
  'log_timezone=UTC',
].flatMap((setting) => ['-c', setting]);

export async function startPostmaster(
  binaries: Binaries,
  location: ClusterLocation,
  password: string,
  maxConnections: number,
): Promise<Postmaster> {
  const logFile = join(location.dataDir, 'postgres.log');
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) truncateSync(logFile);
  for (let attempt = 1; ; attempt += 1) {
    const started = await startOnce(binaries, location, password, logFile, maxConnections);
    if ('lock' in started) return started;
    const isPortTaken = /could not bind|could not create any TCP/i.test(started.log);
    // The backends of a killed Postgres take a short time to notice.
    const isMemoryHeld = /shared memory block .* is still in use/.test(started.log);
    if (attempt >= maxAttempts || !(isPortTaken || isMemoryHeld)) {
      throw new Error(`${started.reason} The end of ${logFile}:\n${started.log.trim()}`, { cause: started.cause });
    }
    if (isMemoryHeld) await sleep(100);
  }
}

type StartFailure = { reason: string; log: string; cause?: unknown };

async function startOnce(
  binaries: Binaries,
  location: ClusterLocation,
  password: string,
  logFile: string,
  maxConnections: number,
): Promise<Postmaster | StartFailure> {
  const port = await freePort();
  const logFd = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const own = ['-c', `port=${port}`, '-c', `max_connections=${maxConnections}`];
  const child = spawn(program(binaries, 'postgres'), ['-D', location.clusterDir, ...own, ...settings], {
    stdio: ['ignore', logFd, logFd],
    // A separate process group: a terminal's Ctrl-C reaches Slipway only, which stops Postgres after its last client.
    detached: true,
    windowsHide: true,
    cwd: '/',
    ...location.owner,
    env: programEnvironment(),
  });
  closeSync(logFd);
  const { exited, failure, isOver } = watchExit(child);
  const outcome = await untilReady(port, password, isOver);
  if (child.pid !== undefined && !('reason' in outcome)) {
    return { port, pid: child.pid, lock: outcome.lock, exited, isOver };
  }
  if (!isOver() && child.pid !== undefined) signalPostgres(binaries, child.pid, 'SIGQUIT');
  await exited;
  const reason = 'reason' in outcome ? outcome.reason : 'Postgres did not start.';
  return { reason, log: tail(logFile, logStart), cause: failure() ?? ('cause' in outcome ? outcome.cause : undefined) };
}

function watchExit(child: ChildProcess): { exited: Promise<void>; failure: () => unknown; isOver: () => boolean } {
  let failure: unknown;
  let isOver = false;
  const exited = new Promise<void>((resolve) => {
    const end = (error?: unknown): void => {
      failure = error;
      isOver = true;
      resolve();
    };
    child.once('error', end);
    child.once('exit', () => end());
  });
  return { exited, failure: () => failure, isOver: () => isOver };
}

async function untilReady(
  port: number,
  password: string,
  isOver: () => boolean,
): Promise<{ lock: Client } | { reason: string; cause: unknown }> {
  const deadlineMs = performance.now() + startTimeoutMs;
  let cause: unknown;
  while (!isOver()) {
    try {
      return { lock: await takeLock(port, password) };
    } catch (error) {
      cause = error;
    }
    if (String((cause as { code?: unknown }).code).startsWith('28')) {
      return { reason: 'Postgres does not accept the password in postgres.password.', cause };
    }
    if (performance.now() > deadlineMs) return { reason: 'Postgres was not ready in time.', cause };
    await sleep(15);
  }
  return { reason: 'Postgres ended while starting.', cause };
}

/** Returns a free port. Another program may take it before it is used, so the caller tries again with another port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function tail(file: string, from: number): string {
  const size = statSync(file).size;
  const start = Math.max(from, size - 4096);
  const buffer = Buffer.alloc(size - start);
  const fd = openSync(file, 'r');
  readSync(fd, buffer, 0, buffer.length, start);
  closeSync(fd);
  return buffer.toString();
}

export async function stopPostmaster(binaries: Binaries, postmaster: Postmaster): Promise<void> {
  if (postmaster.isOver()) return;
  signalPostgres(binaries, postmaster.pid, 'SIGINT');
  const press = setTimeout(() => signalPostgres(binaries, postmaster.pid, 'SIGQUIT'), 8_000);
  await postmaster.exited;
  clearTimeout(press);
}
