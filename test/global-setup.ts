// Makes the prepared data once for all projects that start processes.
import { chmodSync, lstatSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PLANE_ROLES, provision } from '../server/src/boot/provision.ts';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { DATABASE_PASSWORD } from './external-postgres.ts';

const DATABASES = [
  { name: 'slipway_sandbox', roles: PLANE_ROLES, migrations: 'plane' },
  { name: 'slipway_console', roles: [], migrations: 'console' },
];

async function makePreparedData(): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-prepared-')));
  chmodSync(folder, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  const password = secret(DATABASE_PASSWORD);
  await provision(
    postgres.connection('postgres', postgres.superuserPassword, 'postgres'),
    DATABASES.map(({ name, roles }) => ({ name, roles, password })),
  );
  for (const { name, migrations } of DATABASES) {
    const from = new URL(`../server/migrations/${migrations}`, import.meta.url).pathname;
    await migrate(postgres.connection(name, DATABASE_PASSWORD, name), from);
  }
  await postgres.stop();
  rmSync(join(folder, 'postgres.log'));
  // The first start adds the other secrets, so they differ in each copy.
  const passwords = { sandboxDatabasePassword: DATABASE_PASSWORD, consoleDatabasePassword: DATABASE_PASSWORD };
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(passwords), { mode: 0o600 });
  return lstatSync(join(folder, 'postgres')).isSymbolicLink() ? undefined : folder;
}

// This file is loaded once per project, in one process.
declare global {
  var preparedData: Promise<string | undefined> | undefined;
}

export default async function setup(project: TestProject): Promise<void> {
  globalThis.preparedData ??= makePreparedData();
  project.provide('preparedData', await globalThis.preparedData);
}
