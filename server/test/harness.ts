// The basis of integration tests: a database that is cloned from a migrated template, and a plane on it.

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenPlane, openPlane, type PlaneOptions } from '../src/boot/plane.ts';
import { newUuid } from '../src/kit/crypto/ids.ts';
import type { MasterKeys } from '../src/kit/crypto/seal.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { readSigningKeys } from '../src/tenancy/keys/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the database `postgres`. */
    superuserUrl: string;
    planeTemplate: string;
    consoleTemplate: string;
    /** The password of the login roles slipway_sandbox and slipway_console. */
    loginPassword: string;
  }
}

export interface TestDatabase {
  /** The owner's URL, as an operator would configure it. */
  url: string;
  /** A superuser's connection, to inspect the database directly. */
  superuser: pg.Client;
  drop(): Promise<void>;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

function urlOf(superuserUrl: string, changes: { database: string; user?: string; password?: string }): string {
  const url = new URL(superuserUrl);
  url.pathname = `/${changes.database}`;
  if (changes.user !== undefined) url.username = changes.user;
  if (changes.password !== undefined) url.password = changes.password;
  return url.href;
}

/** Clones the migrated template. Dropping the clone fails if a connection of the role under test has leaked. */
export async function cloneDatabase(kind: 'plane' | 'console'): Promise<TestDatabase> {
  const superuserUrl = inject('superuserUrl');
  const template = inject(kind === 'plane' ? 'planeTemplate' : 'consoleTemplate');
  const owner = kind === 'plane' ? 'slipway_sandbox' : 'slipway_console';
  const name = `test_${newUuid().replaceAll('-', '')}`;
  const admin = await connect(superuserUrl);
  await admin.query(`create database ${name} template ${template} owner ${owner} strategy file_copy`);
  const superuser = await connect(urlOf(superuserUrl, { database: name }));
  return {
    url: urlOf(superuserUrl, { database: name, user: owner, password: inject('loginPassword') }),
    superuser,
    async drop() {
      await superuser.end();
      const leaked = await waitForNoConnections(admin, name);
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      if (leaked.length > 0) throw new Error(`Connections leaked: ${leaked.join(', ')}`);
    },
  };
}

async function waitForNoConnections(admin: pg.Client, name: string): Promise<string[]> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const { rows } = await admin.query<{ query: string }>(
      'select query from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    if (rows.length === 0 || performance.now() > deadline) return rows.map((row) => row.query);
    await pause(LOOK_EVERY_MS);
  }
}

export interface TestPlane extends OpenPlane {
  database: TestDatabase;
  options: PlaneOptions;
}

/** The key that signed the example message in GitHub's documentation. */
const GITHUB_KEYS = JSON.stringify({
  public_keys: [
    {
      key_identifier: 'bcb53661c06b4728e59d897fb6165d5c9cda0fd9cdf9d09ead458168deb7518c',
      key: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYAGMWO8XgCamYKMJS6jc/qgvSlAd\nAjPuDPRcXU22YxgBrz+zoN19MzuRyW87qEt9/AmtoNP5GrobzUvQSyJFVw==\n-----END PUBLIC KEY-----\n',
      is_current: true,
    },
  ],
});

/** The master keys of planes in tests. */
export const MASTER_KEYS: MasterKeys = { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 7).toString('base64')) } };

/** Opens a sandbox plane on its own database. */
export async function testPlane(changes: Partial<PlaneOptions> = {}): Promise<TestPlane> {
  const database = await cloneDatabase('plane');
  const options: PlaneOptions = {
    environment: 'sandbox',
    databaseUrl: database.url,
    publicUrl: 'http://sandbox.test',
    peppers: { current: 1, keys: { 1: secret('a pepper for tests') } },
    masterKeys: MASTER_KEYS,
    cursorKey: secret('a cursor key for tests'),
    managementKey: secret('a management key for tests, long enough'),
    // Tests are fast, so limits are high. Tests of the rate limit set their own.
    rate: { perSecond: 1_000_000, burst: 1_000_000 },
    unauthenticatedRate: { perMinute: 1_000_000, burst: 1_000_000 },
    githubKeys: readSigningKeys(GITHUB_KEYS),
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    // A busy machine may stand still for most of a second, which is no fault of the code under test.
    patience: 5,
    onError: () => {},
    ...changes,
  };
  const open = openPlane(options);
  return {
    ...open,
    database,
    options,
    async close() {
      await open.close();
      await database.drop();
    },
  };
}

/** Polling without a pause would take processor time from the awaited work. */
const LOOK_EVERY_MS = 2;

/** Resolves when the condition holds. Rejects with the last result after the deadline. */
export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`The condition did not hold within ${deadlineMs} ms.`);
    await pause(LOOK_EVERY_MS);
  }
}
