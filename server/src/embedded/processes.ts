// Queries another process by its id: whether it is alive, what it runs, and whether it is the same process as before.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const isLinux = process.platform === 'linux';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A zombie accepts signals but is dead. Without an init as process 1 of a container, it may never be collected.
  return statFields(pid)?.[0] !== 'Z';
}

/** Returns the command line of a living process; undefined if unknown. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (isLinux) return readProc(pid, 'cmdline')?.replaceAll('\0', ' ');
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Distinguishes a process from an earlier or later one with the same id: returns its start in clock ticks, empty if
 * unknown.
 */
export function startedAt(pid: number): string {
  return statFields(pid)?.[19] ?? '';
}

/**
 * Returns the fields of /proc/<pid>/stat from the third on. Before them is the program's name, which may contain any
 * character.
 */
function statFields(pid: number): string[] | undefined {
  if (!isLinux) return undefined;
  const stat = readProc(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(pid: number, file: 'cmdline' | 'stat'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
