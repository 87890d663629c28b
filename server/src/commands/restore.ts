// `slipway-server restore FILE`: fills an empty installation, with the embedded Postgres or the operator's.
import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Environment } from '../access/authority/index.ts';
import { resolveDatabases } from '../boot/databases.ts';
import { inspectSchema, migrateDatabase, requiredMigrations } from '../boot/process.ts';
import { type Config, ConfigError, refuseHalfDatabases, refuseOtherCredentials } from '../config/config.ts';
import { prepareDataDir, readSecrets } from '../config/secrets.ts';
import { SealedFileError, unsealChunks } from '../kit/crypto/sealed-file.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import { BACKUP_OPTIONS } from './backup.ts';
import {
  BACKUP_DATABASES,
  DATABASES,
  type DatabaseName,
  describeRowCounts,
  type RowCounts,
} from './backup-databases.ts';
import {
  BACKUP_FILE,
  type Block,
  type DatabaseHead,
  type Manifest,
  readBlocks,
  type TableHead,
} from './backup-format.ts';
import { refuseOtherSecrets, storeSecrets } from './backup-secrets.ts';
import { type Command, readArguments, readEnvironment } from './command.ts';
import { readPassphrase } from './passphrase.ts';
import { type DatabaseRestore, hasContent, openDatabaseRestore } from './restore-store.ts';

export const RESTORE_USAGE =
  'slipway-server restore FILE [--environment production]   restore a backup into an installation without members';

type Urls = Readonly<Partial<Record<DatabaseName, string>>>;

export const restore: Command = async (args, { config, log, lifetime, print }) => {
  const { positionals, options } = readArguments(args, { options: BACKUP_OPTIONS, usage: RESTORE_USAGE, count: 1 });
  const environment = readEnvironment(options, RESTORE_USAGE);
  const [file = ''] = positionals;
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`);
  const passphrase = await readPassphrase(options['passphrase-file']);
  const isProduction = environment === 'production';
  if (isProduction) {
    refuseOtherCredentials(config, environment);
    config.need(DATABASES.production.setting);
  } else refuseHalfDatabases(config);
  // Reads the whole file before anything is changed, so a truncated or changed file restores nothing.
  const manifest = await readWholeBackup(file, passphrase);
  const heads = headsOf(manifest, environment);
  await refuseNewerSchemas(heads);
  if (!config.databases && existsSync(join(config.dataDir, 'postgres'))) throw occupiedFolderError(config);
  await refuseOtherSecrets(config, manifest.secrets, environment);
  // Before the databases are touched: their content shows whether they are in use, also for an external Postgres.
  if (config.databases) await refuseContent(config.databases, heads);

  prepareDataDir(config);
  const secretsFile = await storeSecrets(config, manifest.secrets, environment);
  if (!config.databases) await readSecrets(config); // also generates the passwords of its own databases
  const databases = await resolveDatabases(config, log, lifetime);
  const rows = await fillAll(file, passphrase, heads, databases).catch(async (error: unknown) => {
    // The databases are still empty. The file is removed, because the next try would refuse to overwrite it.
    if (secretsFile !== undefined && config.databases) await rm(secretsFile);
    throw error;
  });
  for (const name of heads.keys()) {
    const { kind, setting } = DATABASES[name];
    await migrateDatabase(kind, urlOf(databases, name), setting);
  }
  print(`Restored the state of ${manifest.takenAt}: ${describeRowCounts(rows, environment)}.`);
  print(
    `It is closed: every call is answered 503 until \`slipway-server reopen${isProduction ? ' --environment production' : ''}\` has run.`,
  );
  if (secretsFile !== undefined) print(`The secrets that no setting contains are in ${secretsFile}.`);
  if (secretsFile !== undefined && isProduction) print('Set them from this file, then delete the file.');
  return true;
};

type Heads = ReadonlyMap<DatabaseName, DatabaseHead>;

/** Returns the databases of the backup. A backup of one environment can be restored only as that environment. */
function headsOf({ databases }: Manifest, environment: Environment): Heads {
  const heads = new Map<DatabaseName, DatabaseHead>();
  for (const name of BACKUP_DATABASES[environment]) {
    const head = databases[name];
    if (!head)
      throw new ConfigError(
        `The backup does not contain ${DATABASES[name].words}. Select the environment of the backup with --environment.`,
      );
    heads.set(name, head);
  }
  return heads;
}

/** Always present: an incomplete pair was refused, and production's is required. */
const urlOf = (urls: Urls, name: DatabaseName): string => urls[name] ?? '';

const occupiedFolderError = ({ dataDir }: Config): ConfigError =>
  new ConfigError(
    `There is an installation in ${dataDir} already. A restore requires an empty folder: set SLIPWAY_DATA_DIR to another one.`,
  );

/** Reads the blocks of the file; `use` receives them as they are read. */
async function eachBlock(
  file: string,
  passphrase: Secret,
  use: (blocks: AsyncGenerator<Block>) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(
      createReadStream(file),
      (chunks: AsyncIterable<Buffer>) => unsealChunks(chunks, BACKUP_FILE, passphrase),
      createGunzip(),
      (bytes: AsyncIterable<Buffer>) => use(readBlocks(bytes)),
    );
  } catch (error) {
    if (error instanceof SealedFileError) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

async function readWholeBackup(file: string, passphrase: Secret): Promise<Manifest> {
  let manifest: Manifest | undefined;
  await eachBlock(file, passphrase, async (blocks) => {
    for await (const block of blocks) if (block.kind === 'manifest') manifest = block.of;
  });
  if (!manifest) throw new ConfigError('The file has no manifest.');
  return manifest;
}

async function refuseNewerSchemas(heads: Heads): Promise<void> {
  for (const [name, { migrations }] of heads) {
    const known = await requiredMigrations(DATABASES[name].kind);
    const isKnownSchema = migrations.every((row, at) => known[at]?.checksum === row.checksum);
    if (!isKnownSchema)
      throw new ConfigError(
        'The backup was made by a newer or different version of Slipway. Restore it with that version.',
      );
  }
}

async function refuseContent(urls: Urls, heads: Heads): Promise<void> {
  for (const [name, { migrations }] of heads) {
    const { kind, setting } = DATABASES[name];
    const url = urlOf(urls, name);
    const { pending } = await inspectSchema(kind, url, setting);
    const applied = (await requiredMigrations(kind)).length - pending.length;
    if (applied > migrations.length) {
      throw new ConfigError(
        `The database that ${setting} names has newer migrations than the backup. A restore requires an empty database.`,
      );
    }
    if (!(await hasContent(url))) continue;
    throw new ConfigError(
      `The database that ${setting} names has content already. A restore requires an empty database.`,
    );
  }
}

async function fillAll(file: string, passphrase: Secret, heads: Heads, urls: Urls): Promise<RowCounts> {
  const rows: RowCounts = {};
  const fillings = new Map<DatabaseName, DatabaseRestore>();
  try {
    for (const [name, head] of heads) {
      const { kind, setting } = DATABASES[name];
      // Migrates to the schema of the backup. Later migrations are then applied to the restored data, as to any older
      // database.
      await migrateDatabase(kind, urlOf(urls, name), setting, head.migrations.length);
      fillings.set(name, await openDatabaseRestore(urlOf(urls, name), kind, head));
    }
    await eachBlock(file, passphrase, async (blocks) => {
      for await (const block of blocks) {
        if (block.kind !== 'table') continue;
        const { database, ...table } = block.of;
        rows[database] = (rows[database] ?? 0) + (await fillTable(fillings.get(database), table, blocks));
      }
    });
    for (const filling of fillings.values()) await filling.commit();
  } finally {
    await Promise.all([...fillings.values()].map((filling) => filling.close()));
  }
  return rows;
}

async function fillTable(
  filling: DatabaseRestore | undefined,
  table: TableHead,
  blocks: AsyncGenerator<Block>,
): Promise<number> {
  let expectedRows = -1;
  async function* rowsOf(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value: block, done } = await blocks.next();
      if (done || (block.kind !== 'rows' && block.kind !== 'tableEnd'))
        throw new Error(`The backup ends within the table ${table.name}.`);
      if (block.kind === 'rows') yield block.bytes;
      else {
        expectedRows = block.of.rows;
        return;
      }
    }
  }
  const filled = await filling?.fill(table, rowsOf());
  if (filled !== expectedRows)
    throw new Error(`${table.name} had ${expectedRows} rows in the backup, but has ${filled} now.`);
  return expectedRows;
}
