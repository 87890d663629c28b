// Processor time and memory of processes, read from /proc on Linux. Other systems are not supported.
import { readFileSync } from 'node:fs';

export interface Usage {
  cpuMs: number;
  memoryMb: number;
}

/** A tick of /proc is 10 ms on every Linux. */
const MS_PER_TICK = 10;
const SAMPLE_EVERY_MS = 200;

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // the process has ended
  }
}

/** Returns the fields of /proc/PID/stat from the third on. The second field may contain any text. */
const statOf = (pid: number | string): string[] => {
  const stat = readProc(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const childrenOf = (pid: number): string[] => readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean);

/** Returns the parent of a process. The parent of a backend is the Postgres server. */
export const parentOf = (pid: number): number => Number(statOf(pid)[1]);

/** Returns the usage of a process and its children, including ended ones. */
function readUsage(pid: number): Usage {
  const all = [String(pid), ...childrenOf(pid)];
  const ticks = (fields: readonly string[]): number => fields.reduce((sum, field) => sum + Number(field || 0), 0);
  const ofLiving = all.map((one) => ticks(statOf(one).slice(11, 13)));
  const ofEnded = ticks(statOf(pid).slice(13, 15));
  const status = all.map((one) => readProc(one, 'status'));
  const kilobytes = (text: string, field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const own = status.reduce((sum, text) => sum + kilobytes(text, 'RssAnon'), 0);
  // Counted once, because the processes of a Postgres share their buffers and their program.
  const shared = Math.max(...status.map((text) => kilobytes(text, 'RssFile') + kilobytes(text, 'RssShmem')));
  return {
    cpuMs: (ofLiving.reduce((sum, one) => sum + one, 0) + ofEnded) * MS_PER_TICK,
    memoryMb: (own + shared) / 1024,
  };
}

/** Measures processes and their children until it is stopped: processor time, and the maximum memory of all samples. */
export function watchUsage(pids: Readonly<Record<string, number>>): { stop(): Record<string, Usage> } {
  if (process.platform !== 'linux') return { stop: () => ({}) };
  const watched = Object.entries(pids).map(([name, pid]) => ({ name, pid, first: readUsage(pid), mostMb: 0 }));
  const sample = (): void => {
    for (const one of watched) one.mostMb = Math.max(one.mostMb, readUsage(one.pid).memoryMb);
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return Object.fromEntries(
        watched.map(({ name, pid, first, mostMb }) => [
          name,
          { cpuMs: readUsage(pid).cpuMs - first.cpuMs, memoryMb: mostMb },
        ]),
      );
    },
  };
}
