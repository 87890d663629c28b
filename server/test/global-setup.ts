// One Postgres for all test files: the embedded one, or an external one named by SLIPWAY_TEST_DATABASE_URL (a
// superuser's). The two databases are migrated once, as templates that every file clones.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/embedded/index.ts';
import { migrate } from '../src/kit/migrate.ts';
import { secret } from '../src/kit/secret.ts';
import { PLANE_ROLES, provision } from '../src/provision.ts';

const PASSWORD = 'for tests only';
const migrations = (kind: string): string => new URL(`../migrations/${kind}`, import.meta.url).pathname;

async function startPostgres(): Promise<{ superuserUrl: string; stop(): Promise<void> }> {
  const external = process.env.SLIPWAY_TEST_DATABASE_URL;
  if (external) return { superuserUrl: external, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  return {
    superuserUrl: postgres.connection('postgres', postgres.superuserPassword, 'postgres'),
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function ownerUrl(superuserUrl: string, login: string, database: string): string {
  const url = new URL(superuserUrl);
  url.username = login;
  url.password = PASSWORD;
  url.pathname = `/${database}`;
  return url.href;
}

async function sql(superuserUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { superuserUrl, stop } = await startPostgres();
  const password = secret(PASSWORD);
  await provision(superuserUrl, [
    { name: 'slipway_sandbox', password, roles: PLANE_ROLES },
    { name: 'slipway_console', password, roles: [] },
  ]);
  const suffix = `${process.pid}_${Date.now()}`;
  const planeTemplate = `template_plane_${suffix}`;
  const consoleTemplate = `template_console_${suffix}`;
  await sql(
    superuserUrl,
    `create database ${planeTemplate} owner slipway_sandbox template template0 encoding 'UTF8'`,
    `create database ${consoleTemplate} owner slipway_console template template0 encoding 'UTF8'`,
  );
  await migrate(ownerUrl(superuserUrl, 'slipway_sandbox', planeTemplate), migrations('plane'));
  await migrate(ownerUrl(superuserUrl, 'slipway_console', consoleTemplate), migrations('console'));

  project.provide('superuserUrl', superuserUrl);
  project.provide('planeTemplate', planeTemplate);
  project.provide('consoleTemplate', consoleTemplate);
  project.provide('loginPassword', PASSWORD);
  return async () => {
    await sql(superuserUrl, `drop database ${planeTemplate}`, `drop database ${consoleTemplate}`);
    await stop();
  };
}
