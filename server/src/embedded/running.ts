// Finds the Postgres of a data folder whose Slipway is running, so that a command can reach the same databases.
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, isAlive } from './processes.ts';

/** Returns its port; undefined if none is running. */
export function runningPort(dataDir: string): number | undefined {
  try {
    const cluster = realpathSync(join(dataDir, 'postgres'));
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    const isRunning =
      Number.isInteger(pid) && pid > 0 && isAlive(pid) && (commandLine(pid) ?? cluster).includes(cluster);
    return isRunning && port > 0 ? port : undefined;
  } catch {
    return undefined; // no data folder, no cluster, or no process file
  }
}
