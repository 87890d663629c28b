// What can be known about another process by its id: whether it lives, what it runs, and which of the bearers of that id it is.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const isLinux = process.platform === 'linux';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A zombie answers signals, but it is dead; nobody may ever collect it when process 1 of a container is no init.
  return statFields(pid)?.[0] !== 'Z';
}

/** The command line of a living process; undefined where that cannot be known. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (isLinux) return readProc(pid, 'cmdline')?.replaceAll('\0', ' ');
  const { status, stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Tells a process from an earlier or later one with the same id: its start in clock ticks, empty where unknown. */
export function startedAt(pid: number): string {
  return statFields(pid)?.[19] ?? '';
}

/** The fields of /proc/<pid>/stat from the third on: before them comes the program's name, which may hold anything. */
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
