// `npm run prove -- pooler`: behind a real PgBouncer, every role and command of the server is refused with a sentence,
// and nothing is migrated. PgBouncer runs in each of its modes, with and without `ignore_startup_parameters = options`.
// It is taken from the PATH, or unpacked from Debian packages. Run `npm run build` first.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { progress, temporaryFolder } from '../bench/kit.ts';
import { BENCH_SECRETS } from '../bench/secrets.ts';
import { freePort } from '../scripts/nodes/free-port.ts';
import { DATABASE_PASSWORD, type ExternalPostgres, startExternalPostgres } from '../test/external-postgres.ts';
import { MAIN, root } from '../test/slipway.ts';
import { atEnd } from './failover/children.ts';
import { MissingProgram } from './failover/programs.ts';
import { type Check, conclude } from './kit.ts';
import { findPooler, POOL_MODES, type Pooler, startPooler } from './pooler/pgbouncer.ts';

const TIMEOUT_MS = 60_000;

interface ProcessEnd {
  /** Null if the command had to be ended. */
  code: number | null;
  output: string;
}

const sandbox = ['--environment', 'sandbox'];
/** The commands that use a migrated database. */
const COMMANDS = [['check', 'api', ...sandbox], ['api', ...sandbox], ['worker', ...sandbox], ['console']] as const;

async function settingsOf(folder: string, urlOf: (name: string) => string): Promise<NodeJS.ProcessEnv> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SLIPWAY_|OTEL_)/.test(name));
  const { peppers, masterKeys, managementKey } = BENCH_SECRETS;
  return {
    ...Object.fromEntries(inherited),
    SLIPWAY_DATA_DIR: join(folder, 'data'),
    SLIPWAY_SANDBOX_DATABASE_URL: urlOf('slipway_sandbox'),
    SLIPWAY_CONSOLE_DATABASE_URL: urlOf('slipway_console'),
    SLIPWAY_SANDBOX_PEPPER: peppers.keys[1].reveal(),
    SLIPWAY_SANDBOX_MASTER_KEY: masterKeys.keys.m1.reveal(),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: managementKey.reveal(),
    SLIPWAY_SANDBOX_MANAGEMENT_URL: 'http://127.0.0.1:1',
    SLIPWAY_CONSOLE_SECRET: 'the secret of the Console in proofs, long enough',
    SLIPWAY_SANDBOX_API_PORT: String(await freePort()),
    SLIPWAY_SANDBOX_MANAGEMENT_PORT: String(await freePort()),
    SLIPWAY_CONSOLE_PORT: String(await freePort()),
    SLIPWAY_MONITORING_PORT: String(await freePort()),
  };
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: root, env, timeout: TIMEOUT_MS }, (_, out, err) =>
      resolve({ code: child.exitCode, output: `${out}${err}`.trim() }),
    );
  });
}

const urlThrough =
  (port: number) =>
  (name: string): string =>
    `postgres://${name}:${encodeURIComponent(DATABASE_PASSWORD)}@127.0.0.1:${port}/${name}`;

/** Judges that a command failed and said why. */
function judgeRefusal(pooler: Pooler, args: readonly string[], { code, output }: ProcessEnd): Check {
  const sentence = pooler.isIgnoring
    ? `127.0.0.1:${pooler.port} dropped the start-up options of the connection, as the pooler PgBouncer does. Connect directly to Postgres.`
    : 'A pooler such as PgBouncer refused it. Connect directly to Postgres.';
  const isTold = output.includes(sentence);
  const name = `${pooler.title}: ${args.join(' ')} is refused with a sentence`;
  const said = isTold ? sentence : output.split('\n').slice(-3).join(' | ');
  return { name, ok: code !== null && code !== 0 && isTold, figure: `exit code ${code}: ${said}` };
}

/** Shows that the pooler itself works: a client without options is served, as the owner and without time limits. */
async function judgePooler({ title, port }: Pooler): Promise<Check> {
  const client = new pg.Client({ connectionString: urlThrough(port)('slipway_sandbox') });
  await client.connect();
  const { rows } = await client.query<{ login: string; limit: string }>(
    `select current_user::text as login, current_setting('statement_timeout') as limit`,
  );
  await client.end();
  const [{ login = '', limit = '' } = {}] = rows;
  const figure = `role ${login}, statement_timeout ${limit}`;
  return { name: `${title}: a client without options is served`, ok: login === 'slipway_sandbox', figure };
}

const countTables = async (postgres: ExternalPostgres): Promise<number> => {
  const counts = await Promise.all(
    ['slipway_sandbox', 'slipway_console'].map((name) =>
      postgres.query("select count(*)::int as count from pg_tables where schemaname = 'public'", name),
    ),
  );
  return counts.reduce((total, [row]) => total + Number(row?.count), 0);
};

async function prove(folder: string, postgres: ExternalPostgres, poolers: readonly Pooler[]): Promise<Check[]> {
  const checks: Check[] = [];
  const runThrough = async (pooler: Pooler, args: readonly string[]): Promise<void> => {
    checks.push(judgeRefusal(pooler, args, await run(args, await settingsOf(folder, urlThrough(pooler.port)))));
  };
  progress('empty databases');
  for (const pooler of poolers) {
    checks.push(await judgePooler(pooler));
    await runThrough(pooler, ['migrate']);
    await runThrough(pooler, ['api', ...sandbox]);
  }
  const tables = await countTables(postgres);
  checks.push({ name: 'no refused command has created a table', ok: tables === 0, figure: `${tables} tables` });

  progress('migrated databases');
  const directUrls = postgres.settings;
  const direct = { ...(await settingsOf(folder, () => '')), ...directUrls };
  for (const args of [['migrate'], ['check', 'api', ...sandbox], ['check', 'console']]) {
    const { code, output } = await run(args, direct);
    const figure = `exit code ${code}${code === 0 ? '' : `: ${output}`}`;
    checks.push({ name: `directly: ${args.join(' ')} succeeds`, ok: code === 0, figure });
  }
  for (const pooler of poolers) for (const args of COMMANDS) await runThrough(pooler, args);
  return checks;
}

const { path: folder } = await temporaryFolder();
// The user that runs PgBouncer passes through if the proof runs as root.
chmodSync(folder, 0o711);
atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
mkdirSync(join(folder, 'data'));
let postgres: ExternalPostgres | undefined;
try {
  const program = findPooler(folder);
  postgres = await startExternalPostgres();
  const target = Number(new URL(postgres.settings.SLIPWAY_SANDBOX_DATABASE_URL).port);
  const poolers: Pooler[] = [];
  for (const mode of POOL_MODES)
    for (const isIgnoring of [false, true])
      poolers.push(await startPooler(program, { folder, target, mode, isIgnoring }));
  progress(program.version);
  conclude('pooler', await prove(folder, postgres, poolers));
} catch (error) {
  console.error(error instanceof MissingProgram ? error.message : error);
  process.exitCode = 1;
} finally {
  await postgres?.remove();
}
process.exit(); // ends PgBouncer
