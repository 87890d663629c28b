// Starts one Postgres for the test files of all projects: the embedded one, or an external one named by
// SLIPWAY_TEST_DATABASE_URL (a superuser's URL). Migrates both databases once, as templates that each file clones. A
// plane's template has the partitions of the next hours, so that no clone needs housekeeping.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { PLANE_ROLES, provision } from '../src/boot/provision.ts';
import { startEmbeddedPostgres } from '../src/embedded/index.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { openDatabase } from '../src/kit/db/db.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { runHousekeeping } from '../src/platform/housekeeping/index.ts';

const PASSWORD = 'for tests only';
/** Three files run at a time, each with one or several planes, whose pools together have about 50 connections. */
const MAX_CONNECTIONS = 300;
const migrations = (kind: string): string => new URL(`../migrations/${kind}`, import.meta.url).pathname;

async function startPostgres(): Promise<{ superuserUrl: string; stop(): Promise<void> }> {
  const external = process.env.SLIPWAY_TEST_DATABASE_URL;
  if (external) return { superuserUrl: external, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, maxConnections: MAX_CONNECTIONS });
  const superuserUrl = postgres.connection('postgres', postgres.superuserPassword, 'postgres');
  await speedUpAuthentication(superuserUrl, dataDir, postgres.superuserPassword);
  return {
    superuserUrl,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Speeds up connecting, because the files open thousands of connections. Hashing the password 4,096 times and SCRAM
 * each take a quarter of the time of a connection. So passwords are sent in clear text, which never leaves this
 * machine.
 */
async function speedUpAuthentication(superuserUrl: string, dataDir: string, password: string): Promise<void> {
  const own = 'set scram_iterations = 1';
  await sql(superuserUrl, own, `alter role postgres password ${pg.escapeLiteral(password)}`);
  await writeFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'host all all 127.0.0.1/32 password\n');
  await sql(superuserUrl, 'alter system set scram_iterations = 1', 'select pg_reload_conf()');
}

async function makePartitions(url: string): Promise<void> {
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const worker = openDatabase({ url, role: 'slipway_worker', max: 1, ...patience });
  await runHousekeeping(worker);
  await worker.close();
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

interface SharedServer {
  provided: Pick<ProvidedContext, 'superuserUrl' | 'planeTemplate' | 'consoleTemplate' | 'loginPassword'>;
  end(): Promise<void>;
}

async function makeTemplates(): Promise<SharedServer> {
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
  const planeUrl = ownerUrl(superuserUrl, 'slipway_sandbox', planeTemplate);
  await migrate(planeUrl, migrations('plane'));
  await makePartitions(planeUrl);
  await migrate(ownerUrl(superuserUrl, 'slipway_console', consoleTemplate), migrations('console'));
  return {
    provided: { superuserUrl, planeTemplate, consoleTemplate, loginPassword: PASSWORD },
    async end() {
      await sql(superuserUrl, `drop database ${planeTemplate}`, `drop database ${consoleTemplate}`);
      await stop();
    },
  };
}

// This file is loaded once per project, in one process.
declare global {
  var sharedByProjects: { made: Promise<SharedServer>; users: number } | undefined;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.sharedByProjects ??= { made: makeTemplates(), users: 0 };
  const shared = globalThis.sharedByProjects;
  shared.users += 1;
  const { provided, end } = await shared.made;
  project.provide('superuserUrl', provided.superuserUrl);
  project.provide('planeTemplate', provided.planeTemplate);
  project.provide('consoleTemplate', provided.consoleTemplate);
  project.provide('loginPassword', provided.loginPassword);
  return async () => {
    shared.users -= 1;
    if (shared.users === 0) await end();
  };
}
