// Tools of every proof: checks with a measured figure, and one output format.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Check {
  name: string;
  ok: boolean;
  figure: string;
}

/** Checks that a figure does not exceed its limit. */
export function atMost(name: string, value: number, limit: number, unit: string): Check {
  return { name, ok: value <= limit, figure: `${value.toFixed(0)} ${unit} (at most ${limit})` };
}

/** Checks that a figure is not below its limit. */
export function atLeast(name: string, value: number, limit: number, unit: string): Check {
  return { name, ok: value >= limit, figure: `${value} ${unit} (at least ${limit})` };
}

/** Checks that a count is 0. `of` is the number of checked items in words. */
export function none(name: string, value: number, of: string): Check {
  return { name, ok: value === 0, figure: `${value} of ${of}` };
}

/** Prints the checks. Makes the process exit with code 1 if one of them fails. */
export function conclude(proof: string, checks: readonly Check[]): void {
  if (process.argv.includes('--json')) console.log(JSON.stringify({ proof, checks }));
  else for (const { name, ok, figure } of checks) console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${figure}`);
  if (checks.length === 0) console.error('No check ran: the options selected none.');
  if (checks.length === 0 || checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Returns the number after a flag of the command line. */
export function numberAfter(flag: string, fallback: number): number {
  const at = process.argv.indexOf(flag);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
}

/** Runs a part of the test suite. Resolves with true if it passed. */
export function runTests(args: readonly string[], env: Record<string, string>): Promise<boolean> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', process.argv.includes('--json') ? 2 : 1, 2],
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}
