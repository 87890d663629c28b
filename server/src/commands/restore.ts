// `slipway-server restore FILE`: fills an installation in which nobody is yet, embedded or on a Postgres of the operator's.
import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Config, ConfigError, refuseHalfDatabases } from '../config.ts';
import { type Databases, reachDatabases } from '../databases.ts';
import { openChunks, UnopenedFile } from '../kit/sealed-file.ts';
import type { Secret } from '../kit/secret.ts';
import { lookAtSchema, migrateDatabase, neededMigrations } from '../process.ts';
import { prepareDataDir, readSecrets } from '../secrets.ts';
import { type Block, type Manifest, readBlocks, type TableHead } from './backup-format.ts';
import { keepSecrets, refuseOtherSecrets } from './backup-secrets.ts';
import { type Command, readArguments } from './command.ts';
import { PASSPHRASE_OPTIONS, readPassphrase } from './passphrase.ts';
import { type Filling, hasContent, openFilling } from './restore-store.ts';

export const RESTORE_USAGE =
  'slipway-server restore FILE                     a backup, into an installation in which nobody is yet';

const KINDS = { sandbox: 'plane', console: 'console' } as const;
const SETTINGS = { sandbox: 'SLIPWAY_SANDBOX_DATABASE_URL', console: 'SLIPWAY_CONSOLE_DATABASE_URL' } as const;
const NAMES = ['console', 'sandbox'] as const;

export const restore: Command = async (args, { config, log, lifetime, print }) => {
  const { positionals, options } = readArguments(args, { options: PASSPHRASE_OPTIONS, usage: RESTORE_USAGE, count: 1 });
  const [file = ''] = positionals;
  if (!existsSync(file)) throw new ConfigError(`There is no file ${file}.`);
  const passphrase = await readPassphrase(options['passphrase-file']);
  refuseHalfDatabases(config);
  // Once through, before anything is touched: a file that is cut off or was changed restores nothing.
  const manifest = await checkWhole(file, passphrase);
  await refuseNewerSchemas(manifest);
  if (!config.databases && existsSync(join(config.dataDir, 'postgres'))) throw taken(config);
  await refuseOtherSecrets(config, manifest.secrets);
  // Before the databases: their own content tells whether they are taken, also of an external one.
  if (config.databases) await refuseContent(config.databases, manifest);

  prepareDataDir(config);
  const kept = await keepSecrets(config, manifest.secrets);
  if (!config.databases) await readSecrets(config); // and draws the passwords of its own databases
  const databases = (await reachDatabases(config, log, lifetime)) as Databases; // both: halves were refused
  const rows = await fillBoth(file, passphrase, manifest, databases).catch(async (error: unknown) => {
    // Of databases that are empty as before: nothing is left that another try would meet.
    if (kept !== undefined && config.databases) await rm(kept);
    throw error;
  });
  for (const name of NAMES) await migrateDatabase(KINDS[name], databases[name], SETTINGS[name]);
  print(`As of ${manifest.takenAt}: ${rows.sandbox} rows of the sandbox, ${rows.console} of the Console.`);
  if (kept !== undefined) print(`The secrets that no setting gives are in ${kept}.`);
  return true;
};

const taken = ({ dataDir }: Config): ConfigError =>
  new ConfigError(
    `There is an installation in ${dataDir} already. A restore begins with an empty folder: SLIPWAY_DATA_DIR names another.`,
  );

/** Its blocks, one by one; `use` sees them as they are read. */
async function eachBlock(
  file: string,
  passphrase: Secret,
  use: (blocks: AsyncGenerator<Block>) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(
      createReadStream(file),
      (chunks: AsyncIterable<Buffer>) => openChunks(chunks, passphrase),
      createGunzip(),
      (bytes: AsyncIterable<Buffer>) => use(readBlocks(bytes)),
    );
  } catch (error) {
    if (error instanceof UnopenedFile) throw new ConfigError(error.message, { cause: error });
    throw error;
  }
}

async function checkWhole(file: string, passphrase: Secret): Promise<Manifest> {
  let manifest: Manifest | undefined;
  await eachBlock(file, passphrase, async (blocks) => {
    for await (const block of blocks) if (block.kind === 'manifest') manifest = block.of;
  });
  if (!manifest) throw new ConfigError('The file has no manifest.');
  return manifest;
}

async function refuseNewerSchemas({ databases }: Manifest): Promise<void> {
  for (const name of NAMES) {
    const known = await neededMigrations(KINDS[name]);
    const isOurs = databases[name].migrations.every((row, at) => known[at]?.checksum === row.checksum);
    if (!isOurs)
      throw new ConfigError('The backup is of a newer version of Slipway, or of another. Restore it with that one.');
  }
}

async function refuseContent(databases: Databases, manifest: Manifest): Promise<void> {
  for (const name of NAMES) {
    const { pending } = await lookAtSchema(KINDS[name], databases[name], SETTINGS[name]);
    const applied = (await neededMigrations(KINDS[name])).length - pending.length;
    if (applied > manifest.databases[name].migrations.length) {
      throw new ConfigError(
        `The database that ${SETTINGS[name]} names was migrated further than the backup. A restore begins with an empty one.`,
      );
    }
    if (!(await hasContent(databases[name]))) continue;
    throw new ConfigError(
      `The database that ${SETTINGS[name]} names has content already. A restore begins with an empty one.`,
    );
  }
}

async function fillBoth(file: string, passphrase: Secret, manifest: Manifest, databases: Databases) {
  const rows = { sandbox: 0, console: 0 };
  const fillings: Partial<Record<keyof Databases, Filling>> = {};
  try {
    for (const name of NAMES) {
      const head = manifest.databases[name];
      // As it was then; what has come since is applied to what was restored, as to any older database.
      await migrateDatabase(KINDS[name], databases[name], SETTINGS[name], head.migrations.length);
      fillings[name] = await openFilling(databases[name], KINDS[name], head);
    }
    await eachBlock(file, passphrase, async (blocks) => {
      for await (const block of blocks) {
        if (block.kind !== 'table') continue;
        const { database, ...table } = block.of;
        rows[database] += await fillTable(fillings[database], table, blocks);
      }
    });
    for (const name of NAMES) await fillings[name]?.commit();
  } finally {
    await Promise.all(Object.values(fillings).map((filling) => filling.close()));
  }
  return rows;
}

async function fillTable(
  filling: Filling | undefined,
  table: TableHead,
  blocks: AsyncGenerator<Block>,
): Promise<number> {
  let wanted = -1;
  async function* rowsOf(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value: block, done } = await blocks.next();
      if (done || (block.kind !== 'rows' && block.kind !== 'tableEnd')) throw new Error(`${table.name} does not end.`);
      if (block.kind === 'rows') yield block.bytes;
      else {
        wanted = block.of.rows;
        return;
      }
    }
  }
  const filled = await filling?.fill(table, rowsOf());
  if (filled !== wanted) throw new Error(`${table.name} had ${wanted} rows, and has ${filled} now.`);
  return wanted;
}
