// A reporter of `npm test`: prints the seconds of each project and the slowest files at the end of a run. Files run in
// parallel, so the sums exceed the time of the run.
import type { Reporter, TestModule } from 'vitest/node';

const SLOWEST = 25;

export interface FileTime {
  project: string;
  /** Relative to the root. */
  file: string;
  /** Milliseconds, including imports. */
  ms: number;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;
const slowestFirst = (one: { ms: number }, other: { ms: number }): number => other.ms - one.ms;

/** Returns the lines to print. */
export function durationLines(files: readonly FileTime[]): string[] {
  const names = [...new Set(files.map(({ project }) => project))];
  const projects = names.map((project) => {
    const its = files.filter((file) => file.project === project);
    return { project, files: its.length, ms: its.reduce((sum, { ms }) => sum + ms, 0) };
  });
  const slowest = files.toSorted(slowestFirst).slice(0, SLOWEST);
  return [
    'Time of each project, as the sum over its files:',
    ...projects.toSorted(slowestFirst).map((one) => `${seconds(one.ms)}  ${one.project} (${one.files} files)`),
    `The ${slowest.length} slowest files:`,
    ...slowest.map(({ ms, file }) => `${seconds(ms)}  ${file}`),
  ];
}

function timeOf(module: TestModule): FileTime {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return {
    project: module.project.name,
    file: module.relativeModuleId,
    ms: duration + collectDuration + setupDuration,
  };
}

export default class Durations implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    for (const line of durationLines(modules.map(timeOf))) console.log(line);
  }
}
