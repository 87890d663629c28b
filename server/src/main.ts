// `slipway-server`: reads the configuration, starts what this role needs, and stops it cleanly.
import { parseArgs } from 'node:util';
import { startAllInOne } from './all-in-one.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './kit/log.ts';
import { SchemaMismatch } from './kit/migrate.ts';
import { createLifetime } from './process.ts';
import { startApiRole, startConsoleRole, startWorkerRole } from './roles.ts';
import { VERIFY_USAGE, verifyAudit } from './verify-audit.ts';

const USAGE = `slipway-server                                  Console and sandbox in one process
slipway-server api --environment sandbox        the sandbox API and its private management listener
slipway-server worker --environment sandbox     webhook dispatch and housekeeping of the sandbox
slipway-server console                          the Console
${VERIFY_USAGE}`;

const ROLES = { all: startAllInOne, api: startApiRole, worker: startWorkerRole, console: startConsoleRole };

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
    if (command === 'audit-verify') {
      if (!(await verifyAudit(args, readConfig(), console.log))) process.exitCode = 1;
      return;
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
