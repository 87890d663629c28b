// The context of a command of slipway-server, and its findings: one line each, with the fix.
import { parseArgs } from 'node:util';
import type { Environment } from '../access/authority/index.ts';
import type { Lifetime } from '../boot/process.ts';
import { type Config, ConfigError } from '../config/config.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { describeArgumentError } from '../kit/text/argument-error.ts';

export interface CommandContext {
  config: Config;
  lifetime: Lifetime;
  /** Log of the parts that a command starts. The command's own result is printed. */
  log: Log;
  print(line: string): void;
}

/** Resolves to true if the command succeeded. If false, the exit code is 1. */
export type Command = (args: string[], tools: CommandContext) => Promise<boolean>;

export interface CheckResult {
  level: 'ok' | 'warn' | 'fail';
  what: string;
  fix?: string;
}

export const ok = (what: string): CheckResult => ({ level: 'ok', what });
export const warn = (what: string, fix: string): CheckResult => ({ level: 'warn', what, fix });
export const fail = (what: string, fix?: string): CheckResult => ({ level: 'fail', what, ...(fix && { fix }) });

/** Prints the findings. Returns true if none of them is a failure. */
export function printCheckResults(findings: readonly CheckResult[], print: (line: string) => void): boolean {
  for (const { level, what, fix } of findings) print(`${level.padEnd(4)}  ${what}${fix ? ` ${fix}` : ''}`);
  return findings.every(({ level }) => level !== 'fail');
}

/** Returns the findings of a check; an error that it throws becomes a finding too. */
export async function runCheck(check: () => Promise<readonly CheckResult[]>): Promise<readonly CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    return [fail(error instanceof Error ? error.message : String(error))];
  }
}

export const ENVIRONMENT_OPTION = { environment: { type: 'string' } } as const;

/** Returns the environment of a command; the sandbox by default. */
export function readEnvironment(options: { environment?: string | boolean | undefined }, usage: string): Environment {
  const { environment = 'sandbox' } = options;
  if (environment === 'sandbox' || environment === 'production') return environment;
  throw new ConfigError(`There is no environment "${environment}".\n${usage}`);
}

type Options = Record<string, { type: 'string' | 'boolean' }>;

/** Parses the arguments of a command. An invalid argument is reported with the usage. */
export function readArguments(
  args: string[],
  { options = {}, usage, count }: { options?: Options; usage: string; count: number },
): { options: Record<string, string | boolean | undefined>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    // no option is declared as `multiple`, so no value is a list
    if (positionals.length === count) return { options: values as Record<string, string | boolean>, positionals };
  } catch (error) {
    throw new ConfigError(`${describeArgumentError(error)}\n${usage}`);
  }
  throw new ConfigError(
    `It takes ${count === 0 ? 'no argument' : `${count} argument${count === 1 ? '' : 's'}`}.\n${usage}`,
  );
}
