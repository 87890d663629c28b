// The secrets of an installation that runs in one process: drawn at its first start and kept in the data folder, readable
// by its owner alone. Each can be given as a setting instead.
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { makeDataDir } from './embedded/index.ts';
import { randomBytes } from './kit/ids.ts';
import { type Secret, secret } from './kit/secret.ts';
import type { SettingName } from './settings.ts';

export interface Secrets {
  pepper: Secret;
  masterKey: Secret;
  managementKey: Secret;
  consoleSecret: Secret;
  sandboxDatabasePassword: Secret;
  consoleDatabasePassword: Secret;
}

const SETTING: Partial<Record<keyof Secrets, SettingName>> = {
  pepper: 'SLIPWAY_SANDBOX_PEPPER',
  masterKey: 'SLIPWAY_SANDBOX_MASTER_KEY',
  managementKey: 'SLIPWAY_SANDBOX_MANAGEMENT_KEY',
  consoleSecret: 'SLIPWAY_CONSOLE_SECRET',
};

const NAMES: readonly (keyof Secrets)[] = [
  'pepper',
  'masterKey',
  'managementKey',
  'consoleSecret',
  'sandboxDatabasePassword',
  'consoleDatabasePassword',
];

/** Makes the data folder where it is missing; one that cannot be used is the operator's to mend. */
export function prepareDataDir({ dataDir }: Config): void {
  try {
    makeDataDir(dataDir);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

export async function readSecrets(config: Config): Promise<Secrets> {
  prepareDataDir(config);
  const file = join(config.dataDir, 'secrets.json');
  const kept = await readKept(file);
  const missing = NAMES.filter((name) => kept[name] === undefined);
  for (const name of missing) kept[name] = randomBytes(32).toString('base64');
  if (missing.length > 0) await keep(file, kept);
  const values = NAMES.map((name) => {
    const setting = SETTING[name];
    return [name, (setting && config.findSecret(setting)) ?? secret(kept[name] ?? '')];
  });
  return Object.fromEntries(values) as Record<keyof Secrets, Secret>; // one entry per name
}

async function readKept(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>; // written below
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read; without it the keys and signing secrets of this installation are lost.`, {
      cause: error,
    });
  }
}

// Written whole before it takes its name: half a file would be the loss of every key.
async function keep(file: string, secrets: Record<string, string>): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
}
