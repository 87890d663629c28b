// PgBouncer on loopback, in front of a Postgres.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { findPostgresUser } from '../../server/src/embedded/postgres-user.ts';
import { DATABASE_PASSWORD } from '../../test/external-postgres.ts';
import { until } from '../../test/slipway.ts';
import { startDaemon } from '../failover/children.ts';
import { findOrUnpack, libraryEnvironment } from '../failover/programs.ts';

export const POOL_MODES = ['session', 'transaction', 'statement'] as const;
const LOGINS = ['slipway_sandbox', 'slipway_console'];

export interface PoolerProgram {
  path: string;
  env: NodeJS.ProcessEnv;
  version: string;
}

export interface Pooler {
  title: string;
  port: number;
  /** True if it accepts start-up options and drops them. */
  isIgnoring: boolean;
}

interface PoolerOptions {
  folder: string;
  /** The port of Postgres. */
  target: number;
  mode: (typeof POOL_MODES)[number];
  isIgnoring: boolean;
}

/** Finds PgBouncer, or unpacks its packages. Throws MissingProgram if there is none. */
export function findPooler(folder: string): PoolerProgram {
  const path = findOrUnpack('pgbouncer', folder);
  const env = libraryEnvironment(folder);
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', env });
  const [version = ''] = stdout.split('\n');
  return { path, env, version };
}

export async function startPooler(
  { path, env }: PoolerProgram,
  { folder, target, mode, isIgnoring }: PoolerOptions,
): Promise<Pooler> {
  const port = await freePort();
  const home = join(folder, `${mode}-${isIgnoring ? 'ignoring' : 'strict'}`);
  mkdirSync(home);
  const logins = join(home, 'users.txt');
  writeFileSync(logins, LOGINS.map((login) => `"${login}" "${DATABASE_PASSWORD}"\n`).join(''), { mode: 0o600 });
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: mode,
    auth_type: 'trust',
    auth_file: logins,
    ...(isIgnoring && { ignore_startup_parameters: 'options' }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(home, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = host=127.0.0.1 port=${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const user = findPostgresUser(undefined); // PgBouncer refuses to run as root
  if (user) for (const one of [home, logins, file]) chownSync(one, user.uid, user.gid);
  startDaemon([path, file], { env, log: join(folder, `${mode}-${isIgnoring}.log`), user });
  const client = () => new pg.Client({ host: '127.0.0.1', port, user: LOGINS[0], database: LOGINS[0] });
  await until(async () => {
    const one = client();
    one.on('error', () => {});
    return one.connect().then(
      () => one.end().then(() => true),
      () => false,
    );
  });
  return { title: `${mode} mode, options ${isIgnoring ? 'ignored' : 'not ignored'}`, port, isIgnoring };
}
