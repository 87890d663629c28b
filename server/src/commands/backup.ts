// `slipway-server backup FILE`: both databases, each in one snapshot, with the secrets without which they are of no use, in one file
// under a passphrase; while the server goes on.
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ConfigError } from '../config.ts';
import { reachDatabases } from '../databases.ts';
import { nowMs } from '../kit/clock.ts';
import { sealChunks } from '../kit/sealed-file.ts';
import { neededMigrations } from '../process.ts';
import { type Manifest, writeBlock } from './backup-format.ts';
import { BACKED_UP, readBackupSecrets } from './backup-secrets.ts';
import { openSnapshot, type Snapshot } from './backup-store.ts';
import { type Command, readArguments } from './command.ts';
import { PASSPHRASE_OPTIONS, readPassphrase } from './passphrase.ts';

export const BACKUP_USAGE =
  'slipway-server backup FILE                      databases and secrets, under a passphrase (standard input, or --passphrase-file)';

type Snapshots = Record<'sandbox' | 'console', Snapshot>;

export const backup: Command = async (args, { config, log, lifetime, print }) => {
  const { positionals, options } = readArguments(args, { options: PASSPHRASE_OPTIONS, usage: BACKUP_USAGE, count: 1 });
  const [file = ''] = positionals;
  if (existsSync(file)) throw new ConfigError(`${file} is there already.`);
  const passphrase = await readPassphrase(options['passphrase-file']);
  const secrets = await readBackupSecrets(config);
  const missing = BACKED_UP.filter(({ name }) => secrets[name] === undefined).map(({ setting }) => setting);
  if (missing.length > 0)
    throw new ConfigError(`A backup without ${missing.join(', ')} would be of no use: set what is missing.`);
  const { sandbox, console } = await reachDatabases(config, log, lifetime);
  if (sandbox === undefined || console === undefined) {
    throw new ConfigError('A backup is of both: SLIPWAY_SANDBOX_DATABASE_URL and SLIPWAY_CONSOLE_DATABASE_URL.');
  }

  const rows = { sandbox: 0, console: 0 };
  const opened: Snapshot[] = [];
  const unfinished = `${file}.unfinished`;
  lifetime.onStop(() => rm(unfinished, { force: true }));
  try {
    // The Console's first: an organisation that was stopped in between is stopped in neither, or told of anew.
    const ofConsole = await openSnapshot(console);
    opened.push(ofConsole);
    const ofSandbox = await openSnapshot(sandbox);
    opened.push(ofSandbox);
    const snapshots: Snapshots = { sandbox: ofSandbox, console: ofConsole };
    await refuseOtherSchemas(snapshots);
    const manifest: Manifest = {
      takenAt: new Date(nowMs()).toISOString(),
      secrets,
      databases: { sandbox: headOf(ofSandbox), console: headOf(ofConsole) },
    };
    await pipeline(
      blocksOf(manifest, snapshots, rows),
      createGzip({ level: 4 }),
      (chunks: AsyncIterable<Buffer>) => sealChunks(chunks, passphrase),
      createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }),
    );
    await keep(unfinished, file);
  } finally {
    await Promise.all(opened.map((snapshot) => snapshot.close()));
  }
  print(`${file}: ${rows.sandbox} rows of the sandbox, ${rows.console} of the Console.`);
  return true;
};

const headOf = ({ migrations, partitions }: Snapshot): Manifest['databases']['sandbox'] => ({ migrations, partitions });

/** Another version's tables may need what this one does not know. */
async function refuseOtherSchemas(snapshots: Snapshots): Promise<void> {
  for (const [name, kind] of [
    ['sandbox', 'plane'],
    ['console', 'console'],
  ] as const) {
    const needed = await neededMigrations(kind);
    if (snapshots[name].migrations.length === needed.length) continue;
    throw new ConfigError(
      `The ${name}'s database has another schema than this version: back it up with its own, or \`slipway-server migrate\`.`,
    );
  }
}

async function* blocksOf(
  manifest: Manifest,
  snapshots: Snapshots,
  rows: Record<keyof Snapshots, number>,
): AsyncGenerator<Buffer> {
  yield writeBlock({ kind: 'manifest', of: manifest });
  for (const database of ['console', 'sandbox'] as const) {
    for (const table of snapshots[database].tables) {
      yield writeBlock({ kind: 'table', of: { ...table, database } });
      const copy = snapshots[database].read(table);
      let next = await copy.next();
      for (; !next.done; next = await copy.next()) yield writeBlock({ kind: 'rows', bytes: next.value });
      yield writeBlock({ kind: 'tableEnd', of: { rows: next.value } });
      rows[database] += next.value;
    }
  }
  yield writeBlock({ kind: 'end' });
}

/** On the disk before it has its name. */
async function keep(unfinished: string, file: string): Promise<void> {
  const handle = await open(unfinished, 'r');
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
}
