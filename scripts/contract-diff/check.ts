// Permits breaking changes that were announced at least a migration period before their end.

import { MIN_MIGRATION_DAYS, type MigrationPeriod, migrationDays } from '../../server/src/kit/http/deprecation.ts';
import { breakingChanges, type Contract, unversionedChanges } from '../../server/src/kit/openapi/contract-diff.ts';
import { MIGRATIONS } from '../../server/src/platform/deprecations/index.ts';

export interface ContractMigration extends MigrationPeriod {
  /** The texts of `breakingChanges`. */
  changes: readonly string[];
}

/** Returns the faults that must not be merged, as sentences. `today` has the form `2026-11-21`. */
export function checkContract(
  released: Contract,
  present: Contract,
  today: string,
  migrations: readonly ContractMigration[] = MIGRATIONS,
): string[] {
  const refused = breakingChanges(released, present).flatMap((change) => {
    const migration = migrations.find(({ changes }) => changes.includes(change));
    const reason = migration ? refuse(migration, today) : 'breaks the released contract and is not declared';
    return reason === undefined ? [] : [`${change} (${reason})`];
  });
  const unversioned = unversionedChanges(released.components, present.components);
  return [...refused, ...unversioned.map((change) => `schema ${change}`)];
}

function refuse(migration: ContractMigration, today: string): string | undefined {
  const days = migrationDays(migration);
  if (days < MIN_MIGRATION_DAYS) return `was announced ${days} days before its end, not ${MIN_MIGRATION_DAYS}`;
  return migration.ends > today ? `may be made on ${migration.ends}, when the announced period ends` : undefined;
}
