// `slipway-server migrate`: migrates the configured databases and ends.
import { resolveDatabases } from '../boot/databases.ts';
import { migrateDatabase } from '../boot/process.ts';
import { settingOf } from '../config/plane-settings.ts';
import { readSecrets } from '../config/secrets.ts';
import { type Command, readArguments } from './command.ts';

export const MIGRATE_USAGE =
  'slipway-server migrate                          apply the migrations of the configured databases';

export const migrate: Command = async (args, { config, log, lifetime, print }) => {
  readArguments(args, { usage: MIGRATE_USAGE, count: 0 });
  // An installation in one process needs its secrets first.
  if (!config.databases) await readSecrets(config);
  const { sandbox, production, console } = await resolveDatabases(config, log, lifetime);
  const databases = [
    { name: 'sandbox', kind: 'plane', url: sandbox, setting: settingOf('sandbox', 'DATABASE_URL') },
    { name: 'production', kind: 'plane', url: production, setting: settingOf('production', 'DATABASE_URL') },
    { name: 'console', kind: 'console', url: console, setting: 'SLIPWAY_CONSOLE_DATABASE_URL' },
  ] as const;
  for (const { name, kind, url, setting } of databases) {
    if (url === undefined) continue;
    const applied = await migrateDatabase(kind, url, setting);
    print(`${name}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}`);
  }
  return true;
};
