// The databases of a backup. Production has separate backups, so that no file opens both environments.
import type { Environment } from '../access/authority/index.ts';
import { settingOf } from '../config/plane-settings.ts';

/**
 * In the order of their snapshots. The Console comes first: an organisation that is suspended in between is suspended
 * in neither snapshot, or is reported again.
 */
export const BACKUP_DATABASES = {
  sandbox: ['console', 'sandbox'],
  production: ['production'],
} as const satisfies Record<Environment, readonly string[]>;
export type DatabaseName = (typeof BACKUP_DATABASES)[Environment][number];

export const DATABASES = {
  sandbox: { kind: 'plane', setting: settingOf('sandbox', 'DATABASE_URL'), words: 'the sandbox' },
  production: { kind: 'plane', setting: settingOf('production', 'DATABASE_URL'), words: 'production' },
  console: { kind: 'console', setting: 'SLIPWAY_CONSOLE_DATABASE_URL', words: 'the Console' },
} as const satisfies Record<DatabaseName, object>;

export type RowCounts = Partial<Record<DatabaseName, number>>;

/** Returns the number of rows of each database, as the end of a sentence. */
export const describeRowCounts = (rows: RowCounts, environment: Environment): string =>
  [...BACKUP_DATABASES[environment]]
    .reverse()
    .map((name, at) => `${rows[name] ?? 0}${at === 0 ? ' rows' : ''} of ${DATABASES[name].words}`)
    .join(', ');
