// `slipway-server backup FILE`: writes the databases of Console and sandbox, or production's, with the secrets that
// they require, to one file under a passphrase. Each database is read in one snapshot while the server continues.
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { resolveDatabases } from '../boot/databases.ts';
import { requiredMigrations } from '../boot/process.ts';
import { ConfigError, refuseOtherCredentials } from '../config/config.ts';
import { sealChunks } from '../kit/crypto/sealed-file.ts';
import { nowMs } from '../kit/flow/clock.ts';
import {
  BACKUP_DATABASES,
  DATABASES,
  type DatabaseName,
  describeRowCounts,
  type RowCounts,
} from './backup-databases.ts';
import { BACKUP_FILE, type DatabaseHead, type Manifest, writeBlock } from './backup-format.ts';
import { readBackupSecrets } from './backup-secrets.ts';
import { openSnapshot, type Snapshot } from './backup-store.ts';
import { type Command, ENVIRONMENT_OPTION, readArguments, readEnvironment } from './command.ts';
import { PASSPHRASE_OPTIONS, readPassphrase } from './passphrase.ts';

export const BACKUP_USAGE =
  'slipway-server backup FILE [--environment production]    back up databases and secrets, encrypted with a passphrase (standard input, or --passphrase-file)';
export const BACKUP_OPTIONS = { ...PASSPHRASE_OPTIONS, ...ENVIRONMENT_OPTION };

type Snapshots = Map<DatabaseName, Snapshot>;

export const backup: Command = async (args, { config, log, lifetime, print }) => {
  const { positionals, options } = readArguments(args, { options: BACKUP_OPTIONS, usage: BACKUP_USAGE, count: 1 });
  const environment = readEnvironment(options, BACKUP_USAGE);
  const [file = ''] = positionals;
  if (existsSync(file)) throw new ConfigError(`${file} exists already.`);
  if (environment === 'production') refuseOtherCredentials(config, environment);
  const passphrase = await readPassphrase(options['passphrase-file']);
  const secrets = await readBackupSecrets(config, environment);
  if (environment === 'production') config.need(DATABASES.production.setting);
  const urls: Partial<Record<DatabaseName, string>> = await resolveDatabases(config, log, lifetime);
  const names = BACKUP_DATABASES[environment];
  if (names.some((name) => urls[name] === undefined)) {
    throw new ConfigError(
      'A backup contains both databases: set SLIPWAY_SANDBOX_DATABASE_URL and SLIPWAY_CONSOLE_DATABASE_URL.',
    );
  }

  const rows: RowCounts = {};
  const snapshots: Snapshots = new Map();
  const unfinished = `${file}.unfinished`;
  lifetime.onStop(() => rm(unfinished, { force: true }));
  try {
    for (const name of names) snapshots.set(name, await openSnapshot(urls[name] ?? ''));
    await refuseOtherSchemas(snapshots);
    const databases: Partial<Record<DatabaseName, DatabaseHead>> = {};
    for (const [name, { migrations, partitions }] of snapshots) databases[name] = { migrations, partitions };
    const manifest: Manifest = { takenAt: new Date(nowMs()).toISOString(), secrets, databases };
    await pipeline(
      blocksOf(manifest, snapshots, rows),
      createGzip({ level: 4 }),
      (chunks: AsyncIterable<Buffer>) => sealChunks(chunks, BACKUP_FILE, passphrase),
      createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }),
    ).catch(explainFile(file));
    await commitFile(unfinished, file);
  } finally {
    await Promise.all([...snapshots.values()].map((snapshot) => snapshot.close()));
  }
  print(`${file}: ${describeRowCounts(rows, environment)}.`);
  return true;
};

const FILE_ERRORS = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EEXIST',
]);

/** Reports errors that an operator can fix, such as a missing folder or a full disk. Other errors keep their stack. */
const explainFile =
  (file: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw FILE_ERRORS.has(code) ? new ConfigError(`${file} cannot be written: ${String(error)}`) : error;
  };

/** Tables of another version may require knowledge that this version lacks. */
async function refuseOtherSchemas(snapshots: Snapshots): Promise<void> {
  for (const [name, { migrations }] of snapshots) {
    const { kind, setting } = DATABASES[name];
    const needed = await requiredMigrations(kind);
    if (migrations.length === needed.length) continue;
    throw new ConfigError(
      `The database that ${setting} names has the schema of another version: run the backup of that version, or \`slipway-server migrate\` first.`,
    );
  }
}

async function* blocksOf(manifest: Manifest, snapshots: Snapshots, rows: RowCounts): AsyncGenerator<Buffer> {
  yield writeBlock({ kind: 'manifest', of: manifest });
  for (const [database, snapshot] of snapshots) {
    let count = 0;
    for (const table of snapshot.tables) {
      yield writeBlock({ kind: 'table', of: { ...table, database } });
      const copy = snapshot.read(table);
      let next = await copy.next();
      for (; !next.done; next = await copy.next()) yield writeBlock({ kind: 'rows', bytes: next.value });
      yield writeBlock({ kind: 'tableEnd', of: { rows: next.value } });
      count += next.value;
    }
    rows[database] = count;
  }
  yield writeBlock({ kind: 'end' });
}

/** Syncs the file to disk before it gets its name. */
async function commitFile(unfinished: string, file: string): Promise<void> {
  const handle = await open(unfinished, 'r');
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
}
