// The programs of the proofs with a replicated or pooled Postgres. Postgres must be installed for the former. etcd,
// haproxy and PgBouncer are taken from the PATH, or unpacked from Debian packages into the folder of the proof. Patroni
// is installed into a virtual environment there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { progress } from '../../bench/kit.ts';
import { canRun, type PostgresUser } from '../../server/src/embedded/postgres-user.ts';

const REQUIREMENTS = 'prove/failover/requirements.txt';
const POSTGRES_PROGRAMS = [
  'postgres',
  'initdb',
  'pg_basebackup',
  'pg_controldata',
  'pg_ctl',
  'pg_isready',
  'pg_rewind',
];
/** Each package with the libraries that a machine may lack. */
const PACKAGES = {
  etcd: ['etcd-server'],
  haproxy: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
  pgbouncer: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
} as const;

/** A sentence about a program that this machine lacks. */
export class MissingProgram extends Error {}

export interface Programs {
  /** The folder of the programs of Postgres 15. */
  postgresBin: string;
  etcd: string;
  haproxy: string;
  /** The environment for unpacked programs. */
  libraryEnv: NodeJS.ProcessEnv;
  patroni: readonly [string, ...string[]];
}

const folders = (): string[] => (process.env.PATH ?? '').split(delimiter);

function run(program: string, args: readonly string[], cwd: string): { isOk: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { isOk: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`.trim() };
}

function findPostgres(): string {
  for (const folder of [...folders(), '/usr/lib/postgresql/15/bin']) {
    if (!POSTGRES_PROGRAMS.every((name) => existsSync(join(folder, name)))) continue;
    if (/ 15\./.test(run(join(folder, 'postgres'), ['--version'], '/').output)) return folder;
  }
  throw new MissingProgram(
    'The proof requires the programs of Postgres 15 with pg_basebackup and pg_rewind: install the package postgresql-15.',
  );
}

/** Returns a program of the PATH, or unpacks its packages into the folder. */
export function findOrUnpack(name: keyof typeof PACKAGES, folder: string): string {
  const installed = folders().find((path) => existsSync(join(path, name)));
  if (installed !== undefined) return join(installed, name);
  progress(`${name} is not in the PATH: unpacks its Debian packages`);
  const packages = join(folder, 'packages', name);
  const root = join(folder, 'root');
  mkdirSync(packages, { recursive: true });
  mkdirSync(root, { recursive: true });
  const download = () => run('apt-get', ['download', ...PACKAGES[name]], packages);
  // A machine whose lists of packages are missing or old refuses the first time.
  let downloaded = download();
  if (!downloaded.isOk && run('apt-get', ['update'], packages).isOk) downloaded = download();
  const files = readdirSync(packages).filter((file) => file.endsWith('.deb'));
  const isUnpacked = files.every((file) => run('dpkg-deb', ['-x', join(packages, file), root], packages).isOk);
  const found = ['usr/bin', 'usr/sbin'].map((path) => join(root, path, name)).find((path) => existsSync(path));
  if (downloaded.isOk && isUnpacked && found !== undefined) return found;
  throw new MissingProgram(
    `The proof requires ${name}: install it, or make its Debian packages (${PACKAGES[name].join(', ')}) available to apt-get.`,
  );
}

/** Installs Patroni. The user that runs Postgres must be able to run its interpreter. */
function installPatroni(folder: string, user: PostgresUser | undefined): [string, ...string[]] {
  const venv = join(folder, 'venv');
  const python = [...folders(), '/usr/bin']
    .map((path) => join(path, 'python3'))
    .find((path) => existsSync(path) && (!user || canRun(user, realpathSync(path))));
  if (python === undefined) throw new MissingProgram('The proof requires a python3 that every user may run.');
  progress('installs Patroni');
  const steps = [
    [python, '-m', 'venv', '--without-pip', venv],
    ['python3', '-m', 'pip', '--python', join(venv, 'bin/python'), 'install', '--quiet', '-r', REQUIREMENTS],
  ] as const;
  for (const [program, ...args] of steps) {
    const { isOk, output } = run(program, args, process.cwd());
    if (isOk) continue;
    const reason = output.split('\n').at(-1) ?? '';
    throw new MissingProgram(
      `The proof requires Patroni from PyPI (${REQUIREMENTS}), and cannot install it: ${reason}`,
    );
  }
  return [join(venv, 'bin/python'), '-m', 'patroni'];
}

/** Returns the environment for programs that were unpacked into the folder. */
export function libraryEnvironment(folder: string): NodeJS.ProcessEnv {
  const libraries = join(folder, 'root/usr/lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LD_LIBRARY_PATH: libraries };
}

export function findPrograms(folder: string, user: PostgresUser | undefined): Programs {
  const postgresBin = findPostgres();
  const etcd = findOrUnpack('etcd', folder);
  const haproxy = findOrUnpack('haproxy', folder);
  return {
    postgresBin,
    etcd,
    haproxy,
    libraryEnv: libraryEnvironment(folder),
    patroni: installPatroni(folder, user),
  };
}
