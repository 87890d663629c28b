// Decides where the cluster of a data folder lies, and stores its password. Usually that is `<dataDir>/postgres`. Only
// root with a data folder under a private home keeps the cluster elsewhere.
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sharedDir } from './binaries.ts';
import { canReach, findPostgresUser, isTraversable, type PostgresUser } from './postgres-user.ts';

const dataDirHint = 'Set SLIPWAY_DATA_DIR to another folder.';

export type ClusterLocation = {
  /** The data folder, a real path. */
  dataDir: string;
  /** The cluster, a real path; it may not exist yet. */
  clusterDir: string;
  /** The user that runs Postgres, if it differs from the current one. */
  owner: PostgresUser | undefined;
};

export function makeDataDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new Error(`The data folder cannot be made: ${reason}. ${dataDirHint}`, { cause });
  }
  const dataDir = realpathSync(resolve(path));
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written by this user. ${dataDirHint}`, { cause });
  }
  return dataDir;
}

export function locateCluster(dataDir: string, password: string, log: (message: string) => void): ClusterLocation {
  const entry = join(dataDir, 'postgres');
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  const target = stat?.isSymbolicLink() ? resolve(dataDir, readlinkSync(entry)) : entry;
  // A link whose target is missing is a cluster whose initdb did not finish.
  const existing = existsSync(target) ? realpathSync(target) : undefined;
  const owner = findPostgresUser(existing);
  if (!owner) {
    refuseForeign(existing ?? target, dataDir);
    return { dataDir, clusterDir: existing ?? target, owner };
  }
  if (stat?.isSymbolicLink()) return { dataDir, clusterDir: existing ?? target, owner };
  if (canReach(owner, dirname(dataDir))) {
    if (!isTraversable(owner, dataDir)) chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | 0o011);
    return { dataDir, clusterDir: entry, owner };
  }
  if (existing) {
    throw new Error(`Postgres cannot run as root, and the owner of ${existing} (uid ${owner.uid}) cannot reach it.`);
  }
  return { dataDir, clusterDir: linkSharedCluster(dataDir, entry, password, log), owner };
}

/** Creates the link before the cluster, so that a crash leaves no unreferenced cluster. */
function linkSharedCluster(dataDir: string, entry: string, password: string, log: (message: string) => void): string {
  // The password makes the name unique to this folder: a data folder that was moved away keeps its own cluster.
  const id = createHash('sha256').update(`${dataDir}\n${password}`).digest('hex').slice(0, 12);
  const clusterDir = join(sharedDir, `data-${id}`);
  mkdirSync(sharedDir, { recursive: true });
  chmodSync(sharedDir, 0o711);
  symlinkSync(clusterDir, entry);
  log(
    `postgres.data_linked: The user that runs Postgres cannot reach ${dataDir}. The database is in ${clusterDir}, and ${entry} links to that folder.`,
  );
  return clusterDir;
}

function refuseForeign(clusterDir: string, dataDir: string): void {
  const uid = process.getuid?.();
  const stat = statSync(clusterDir, { throwIfNoEntry: false });
  if (uid === undefined || !stat || stat.uid === uid) return;
  throw new Error(
    `The database in ${dataDir} belongs to another user (uid ${stat.uid}). Start Slipway as that user or as root. ${dataDirHint}`,
  );
}

/** Returns the superuser's password, which is generated once, before the cluster exists. */
export function ensurePassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new Error(`${file} is missing. Without this file the database cannot be opened. Restore the file.`);
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(`${file}.new`, `${password}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return password;
}
