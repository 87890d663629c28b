// The program: reads the configuration, starts what this role needs, and stops it cleanly.
import { parseArgs } from 'node:util';
import type { Environment } from '../access/authority/index.ts';
import { createLifetime, type Lifetime } from '../boot/process.ts';
import { startTracing } from '../boot/tracing.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { createLog, type Log, printFailure, printOutput } from '../kit/telemetry/log.ts';
import { describeArgumentError } from '../kit/text/argument-error.ts';
import { ForeseenError } from '../kit/text/foreseen-error.ts';
import type { ProcessRole } from './check.ts';
import type { Command } from './command.ts';

const ROLES_USAGE = `slipway-server                                  start the Console and the sandbox in one process
slipway-server api --environment sandbox        start the sandbox API and its private management listener
slipway-server worker --environment sandbox     start the webhook dispatch and the housekeeping of the sandbox
slipway-server api --environment production     start the production API (docs/operate/production.md)
slipway-server worker --environment production  start the webhook dispatch and the housekeeping of production
slipway-server console                          start the Console`;

type Start = (config: Config, log: Log, lifetime: Lifetime) => Promise<void>;

/**
 * The start of each role. Each is loaded on demand, so a process holds only the code of its own role and environment.
 */
const STARTS: Record<string, () => Promise<Start>> = {
  all: async () => (await import('../boot/all-in-one.ts')).startAllInOne,
  'api sandbox': async () => (await import('../boot/roles/sandbox-api.ts')).start,
  'worker sandbox': async () => (await import('../boot/roles/sandbox-worker.ts')).start,
  'api production': async () => (await import('../boot/roles/production-api.ts')).start,
  'worker production': async () => (await import('../boot/roles/production-worker.ts')).start,
  console: async () => (await import('../boot/roles/console.ts')).start,
};
const ROLES: readonly ProcessRole[] = ['all', 'api', 'worker', 'console'];

/** The commands, in the order of the usage. Each is loaded on demand. */
const COMMANDS: Record<string, () => Promise<{ run: Command; usage: string }>> = {
  migrate: async () => {
    const { migrate: run, MIGRATE_USAGE: usage } = await import('./migrate.ts');
    return { run, usage };
  },
  check: async () => {
    const [{ check }, { printCheckResults }] = await Promise.all([import('./check.ts'), import('./command.ts')]);
    const usage = 'slipway-server check [ROLE ...]                 report what would prevent a start; changes nothing';
    const run: Command = async (args, { config, print }) => {
      const { role, environment } = await readRole(args);
      return printCheckResults(await check(role, config, environment), print);
    };
    return { run, usage };
  },
  doctor: async () => {
    const { doctor: run, DOCTOR_USAGE: usage } = await import('./doctor.ts');
    return { run, usage };
  },
  'create-operator': async () => {
    const { createOperator: run, CREATE_OPERATOR_USAGE: usage } = await import('./create-operator.ts');
    return { run, usage };
  },
  'rotate-pepper': async () => {
    const { rotatePepper: run, ROTATE_PEPPER_USAGE: usage } = await import('./rotate.ts');
    return { run, usage };
  },
  'rotate-master-key': async () => {
    const { rotateMasterKey: run, ROTATE_MASTER_KEY_USAGE: usage } = await import('./rotate.ts');
    return { run, usage };
  },
  backup: async () => {
    const { backup: run, BACKUP_USAGE: usage } = await import('./backup.ts');
    return { run, usage };
  },
  restore: async () => {
    const { restore: run, RESTORE_USAGE: usage } = await import('./restore.ts');
    return { run, usage };
  },
  reopen: async () => {
    const { reopen: run, REOPEN_USAGE: usage } = await import('./reopen.ts');
    return { run, usage };
  },
  'audit-verify': async () => {
    const { verifyAudit, VERIFY_USAGE: usage } = await import('./verify-audit.ts');
    return { run: (args, { config, print }) => verifyAudit(args, config, print), usage };
  },
  contract: async () => {
    const { contractCommand: run, CONTRACT_USAGE: usage } = await import('./contract.ts');
    return { run, usage };
  },
};

async function usage(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return [ROLES_USAGE, '', ...commands.map((command) => command.usage)].join('\n');
}

async function parseArguments(args: string[]) {
  const options = { environment: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new ConfigError(`${describeArgumentError(error)}\n${await usage()}`);
  }
}

interface StartRequest {
  role: ProcessRole;
  environment: Environment;
}

async function readRole(args: string[]): Promise<StartRequest> {
  const { values, positionals } = await parseArguments(args);
  if (values.help) {
    printOutput(await usage());
    process.exit(0);
  }
  const [name = 'all', ...rest] = positionals;
  const role = ROLES.find((known) => known === name);
  if (!role || rest.length > 0) throw new ConfigError(`There is no role "${positionals.join(' ')}".\n${await usage()}`);
  const { environment } = values;
  if (role !== 'api' && role !== 'worker') {
    if (environment) throw new ConfigError(`The role ${role} takes no --environment.`);
    return { role, environment: 'sandbox' };
  }
  if (environment === 'sandbox' || environment === 'production') return { role, environment };
  throw new ConfigError(`The role ${role} needs --environment sandbox or --environment production.`);
}

/** Returns a log for commands: a command prints only its result and errors. */
const quietLog = (log: Log): Log => ({ info: () => {}, error: log.error });

/** Runs the command or the role that the arguments of the process name. */
export async function runProgram(): Promise<void> {
  const log = createLog(process.stdout.isTTY === true);
  const lifetime = createLifetime(log);
  const stop = async (): Promise<void> => {
    await lifetime.stop();
    process.exit(); // with process.exitCode
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop); // the terminal was closed
  try {
    const [name, ...args] = process.argv.slice(2);
    const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined;
    if (command) {
      const tools = { config: readConfig(), lifetime, log: quietLog(log), print: printOutput };
      if (!(await command.run(args, tools))) process.exitCode = 1;
      return stop();
    }
    const { role, environment } = await readRole(process.argv.slice(2));
    const start = await STARTS[role === 'api' || role === 'worker' ? `${role} ${environment}` : role]?.();
    const config = readConfig();
    await startTracing({ role, environment }, config, log, lifetime);
    await start?.(config, log, lifetime);
  } catch (error) {
    // If a signal interrupts the start, the start fails with errors that need no report.
    if (!lifetime.isStopping()) {
      process.exitCode = 1;
      // Prints one sentence for a known error, and the stack of any other error.
      printFailure(error instanceof ForeseenError ? `slipway: ${error.message}` : error);
    }
    await stop();
  }
}
