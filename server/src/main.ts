// `slipway-server`: reads the configuration, starts what this role needs, and stops it cleanly.
import { parseArgs } from 'node:util';
import { startAllInOne } from './all-in-one.ts';
import { BACKUP_USAGE, backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { type Command, tell } from './commands/command.ts';
import { CREATE_OPERATOR_USAGE, createOperator } from './commands/create-operator.ts';
import { DOCTOR_USAGE, doctor } from './commands/doctor.ts';
import { MIGRATE_USAGE, migrate } from './commands/migrate.ts';
import { RESTORE_USAGE, restore } from './commands/restore.ts';
import { ROTATE_USAGE, rotateMasterKey, rotatePepper } from './commands/rotate.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog, type Log } from './kit/log.ts';
import { SchemaMismatch } from './kit/migrate.ts';
import { createLifetime } from './process.ts';
import { startApiRole, startConsoleRole, startWorkerRole } from './roles.ts';
import { VERIFY_USAGE, verifyAudit } from './verify-audit.ts';

const USAGE = `slipway-server                                  Console and sandbox in one process
slipway-server api --environment sandbox        the sandbox API and its private management listener
slipway-server worker --environment sandbox     webhook dispatch and housekeeping of the sandbox
slipway-server console                          the Console

${MIGRATE_USAGE}
slipway-server check [ROLE ...]                 what would keep it from starting so; changes nothing
${DOCTOR_USAGE}
${CREATE_OPERATOR_USAGE}
${ROTATE_USAGE}
${BACKUP_USAGE}
${RESTORE_USAGE}
${VERIFY_USAGE}`;

const ROLES = { all: startAllInOne, api: startApiRole, worker: startWorkerRole, console: startConsoleRole };

const COMMANDS: Record<string, Command> = {
  migrate,
  doctor,
  backup,
  restore,
  'create-operator': createOperator,
  'rotate-pepper': rotatePepper,
  'rotate-master-key': rotateMasterKey,
  check: async (args, { config, print }) => tell(await check(readRole(args), config), print),
  'audit-verify': (args, { config, print }) => verifyAudit(args, config, print),
};

function parseArguments(args: string[]) {
  const options = { environment: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function readRole(args: string[]): keyof typeof ROLES {
  const { values, positionals } = parseArguments(args);
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const [role = 'all', ...rest] = positionals;
  if (!Object.hasOwn(ROLES, role) || rest.length > 0)
    throw new ConfigError(`There is no role "${positionals.join(' ')}".\n${USAGE}`);
  const needsEnvironment = role === 'api' || role === 'worker';
  if (needsEnvironment && values.environment !== 'sandbox') {
    throw new ConfigError(`The role ${role} needs --environment sandbox.`);
  }
  if (!needsEnvironment && values.environment) throw new ConfigError(`The role ${role} takes no --environment.`);
  return role as keyof typeof ROLES; // looked up two lines above
}

/** A command's answer is all that it prints, unless something goes wrong. */
const quietLog = (log: Log): Log => ({ info: () => {}, error: log.error });

async function main(): Promise<void> {
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
    const [command, ...args] = process.argv.slice(2);
    if (command !== undefined && Object.hasOwn(COMMANDS, command)) {
      const tools = { config: readConfig(), lifetime, log: quietLog(log), print: console.log };
      if (!(await COMMANDS[command]?.(args, tools))) process.exitCode = 1;
      return stop();
    }
    const role = readRole(process.argv.slice(2));
    await ROLES[role](readConfig(), log, lifetime);
  } catch (error) {
    // A start that a signal cut short fails in ways of its own, and nobody needs to know them.
    if (!lifetime.isStopping()) {
      process.exitCode = 1;
      // A sentence for the operator; a stack only for what nobody foresaw.
      const isForeseen = error instanceof ConfigError || error instanceof SchemaMismatch;
      console.error(isForeseen ? `slipway: ${error.message}` : error);
    }
    await stop();
  }
}

await main();
