// The operator's commands on a separate Postgres before the first start: their findings, their changes, and the
// settings that they ask for.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLifetime } from '../src/boot/process.ts';
import { check } from '../src/commands/check.ts';
import type { CheckResult, Command } from '../src/commands/command.ts';
import { doctor } from '../src/commands/doctor.ts';
import { migrate } from '../src/commands/migrate.ts';
import { rotateMasterKey, rotatePepper } from '../src/commands/rotate.ts';
import { readConfig } from '../src/config/config.ts';
import { readSecrets, recordStartedVersions } from '../src/config/secrets.ts';
import { newUuid } from '../src/kit/crypto/ids.ts';

const SECRETS = {
  SLIPWAY_SANDBOX_PEPPER: 'a pepper for tests, of no other use at all',
  SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  SLIPWAY_SANDBOX_MANAGEMENT_KEY: 'a management key for tests, of no other use',
};
type Settings = Record<string, string>;

let admin: pg.Client;
const names: string[] = [];

/** Creates a database that its login owns, without migrations. */
async function emptyDatabase(login: string): Promise<string> {
  const name = `test_${newUuid().replaceAll('-', '')}`;
  await admin.query(`create database ${name} owner ${login} template template0`);
  names.push(name);
  const url = new URL(inject('superuserUrl'));
  return Object.assign(url, { pathname: `/${name}`, username: login, password: inject('loginPassword') }).href;
}

let databases: { SLIPWAY_SANDBOX_DATABASE_URL: string; SLIPWAY_CONSOLE_DATABASE_URL: string };
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('superuserUrl') });
  await admin.connect();
  databases = {
    SLIPWAY_SANDBOX_DATABASE_URL: await emptyDatabase('slipway_sandbox'),
    SLIPWAY_CONSOLE_DATABASE_URL: await emptyDatabase('slipway_console'),
  };
});
afterAll(async () => {
  for (const name of names) await admin.query(`drop database ${name}`); // fails if a command left a connection open
  await admin.end();
});

const lines = (findings: readonly CheckResult[]): string[] => findings.map(({ level, what }) => `${level} ${what}`);
const checked = async (settings: Settings): Promise<string[]> => lines(await check('api', readConfig(settings)));

async function run(command: Command, settings: Settings): Promise<{ isWell: boolean; printed: string[] }> {
  const printed: string[] = [];
  const log = { info: () => {}, error: () => {} };
  const lifetime = createLifetime(log);
  const tools = { config: readConfig(settings), lifetime, log, print: (line: string) => void printed.push(line) };
  try {
    return { isWell: await command([], tools), printed };
  } finally {
    await lifetime.stop();
  }
}

test('check names all missing settings together, says what a start would do, and changes nothing', async () => {
  const missing = [...Object.keys(SECRETS), 'SLIPWAY_SANDBOX_DATABASE_URL'].sort();
  expect((await checked({})).map((line) => /^fail (\w+) is missing/.exec(line)?.[1]).sort()).toEqual(missing);
  for (let time = 0; time < 2; time += 1) {
    expect(await checked({ ...databases, ...SECRETS })).toEqual([
      'ok The settings are complete.',
      expect.stringMatching(/^ok .* can be reached; a start applies \d+ migrations, from 0001_/),
      'ok The database roles are limited to one tenant each.',
    ]);
  }
});

test('check warns of an https address without a declared proxy', async () => {
  const proxied = { ...databases, ...SECRETS, SLIPWAY_SANDBOX_API_URL: 'https://sandbox.example.org' };
  const warning = /^warn https:\/\/sandbox\.example\.org needs a proxy for TLS, but SLIPWAY_TRUSTED_PROXIES is not set/;
  expect(await checked(proxied)).toContainEqual(expect.stringMatching(warning));
  const declared = await checked({ ...proxied, SLIPWAY_TRUSTED_PROXIES: '10.0.0.0/8' });
  expect(declared.filter((line) => line.startsWith('warn'))).toEqual([]);
});

test('check reports an unreachable database and a login that cannot use the roles', async () => {
  const unreachable = {
    ...databases,
    SLIPWAY_SANDBOX_DATABASE_URL: 'postgres://slipway_sandbox:x@127.0.0.1:1/slipway_sandbox',
  };
  expect((await checked({ ...unreachable, ...SECRETS })).at(-1)).toMatch(
    /^fail .*SLIPWAY_SANDBOX_DATABASE_URL .*ECONNREFUSED/,
  );
  const roleless = { ...databases, SLIPWAY_SANDBOX_DATABASE_URL: databases.SLIPWAY_CONSOLE_DATABASE_URL };
  expect((await checked({ ...roleless, ...SECRETS })).at(-1)).toMatch(/^fail Its login cannot play slipway_api, /);
});

test('migrate applies all migrations and ends, a second run has nothing to do, and check agrees', async () => {
  const { SLIPWAY_SANDBOX_DATABASE_URL } = databases;
  const [one, both] = [await run(migrate, { SLIPWAY_SANDBOX_DATABASE_URL }), await run(migrate, databases)];
  expect(one).toEqual({ isWell: true, printed: [expect.stringMatching(/^sandbox: applied 0001_/)] });
  expect(both).toEqual({ isWell: true, printed: ['sandbox: up to date', expect.stringMatching(/^console: applied/)] });
  expect(await checked({ ...databases, ...SECRETS })).toEqual([
    'ok The settings are complete.',
    "ok The sandbox's database is up to date.",
    'ok The database roles are limited to one tenant each.',
    'ok All sealed values can be opened.',
  ]);
});

test('rotating secrets in settings names each setting to change, and draws a new secret only once', async () => {
  const settings = { ...databases, ...SECRETS };
  const first = await run(rotatePepper, settings);
  const [, others = ''] = /^SLIPWAY_SANDBOX_OTHER_PEPPERS='(.*)'$/.exec(first.printed[1] ?? '') ?? [];
  expect(others).toMatch(/^2:[\w+/]{43}=$/);
  const second = await run(rotatePepper, { ...settings, SLIPWAY_SANDBOX_OTHER_PEPPERS: others });
  const next = Object.fromEntries(
    second.printed.slice(1).map((line) => /^(\w+)='?([^']*)'?$/.exec(line)?.slice(1) ?? []),
  );
  expect(next).toEqual({
    SLIPWAY_SANDBOX_PEPPER: others.slice(2),
    SLIPWAY_SANDBOX_PEPPER_VERSION: '2',
    SLIPWAY_SANDBOX_OTHER_PEPPERS: `1:${SECRETS.SLIPWAY_SANDBOX_PEPPER}`,
  });
  const third = await run(rotatePepper, { ...settings, ...next });
  expect(third).toEqual({
    isWell: true,
    printed: [expect.stringMatching(/^3 of 3\. .*leave SLIPWAY_SANDBOX_OTHER_PEPPERS out/)],
  });
});

test('rotating secrets in the data folder waits until Slipway knows the new one, and ends when nothing needs the earlier ones', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-rotation-'));
  const settings = { ...databases, SLIPWAY_DATA_DIR: dataDir };
  const config = readConfig(settings);
  const storedSecrets = (): Record<string, string> => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  await readSecrets(config);
  const before = storedSecrets();
  const appId = newUuid();
  const superuser = new pg.Client({
    connectionString: Object.assign(new URL(inject('superuserUrl')), { pathname: `/${names[0]}` }).href,
  });
  await superuser.connect();
  await superuser.query(
    "insert into apps (app_id, organisation_id, name, created_by) values ($1, $1, 'An app', 'a test')",
    [appId],
  );
  await superuser.query(
    `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
     values ($1, $1, 'AAAAAAAAAAAA', decode(repeat('00', 32), 'hex'), 1, 'A key', '{servers:read}', 'a test', now(), now() + interval '1 day')`,
    [appId],
  );

  for (const [command, name] of [
    [rotatePepper, 'pepper'],
    [rotateMasterKey, 'master key'],
  ] as const) {
    const started = { isWell: true, printed: [expect.stringMatching(`^The current ${name} is now version 2`)] };
    expect(await run(command, settings)).toEqual(started);
    const early = { isWell: false, printed: [expect.stringMatching(`not been started with the new ${name} yet`)] };
    expect(await run(command, settings)).toEqual(early);
  }
  expect(storedSecrets()).toMatchObject({
    otherPeppers: `1:${before.pepper}`,
    otherMasterKeys: `1:${before.masterKey}`,
  });
  await recordStartedVersions(config, { startedWithPepperVersion: '2', startedWithMasterKeyVersion: '2' });
  const needed = { isWell: false, printed: [expect.stringMatching(/of version 1 is needed yet: 1 keys/)] };
  expect(await run(rotatePepper, settings)).toEqual(needed);
  expect(storedSecrets().otherPeppers).toBe(`1:${before.pepper}`);
  await superuser.query("update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test'");
  await superuser.end();
  for (const command of [rotatePepper, rotateMasterKey]) {
    expect(await run(command, settings)).toEqual({
      isWell: true,
      printed: [expect.stringMatching(/^Nothing needs an earlier/)],
    });
  }
  const after = storedSecrets();
  expect(after).toMatchObject({ pepperVersion: '2', masterKeyVersion: '2' });
  expect([after.otherPeppers, after.otherMasterKeys, after.pepper === before.pepper]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  rmSync(dataDir, { recursive: true });
});

test('doctor warns if no worker runs, with the command that starts one, and counts running workers', async () => {
  const SLIPWAY_SANDBOX_DATABASE_URL = await emptyDatabase('slipway_sandbox');
  const settings = { SLIPWAY_SANDBOX_DATABASE_URL, ...SECRETS };
  await run(migrate, settings);
  const idle = (await run(doctor, settings)).printed;
  expect(idle).toContainEqual(
    expect.stringMatching(/^warn {2}No worker of the sandbox is running: .*slipway-server worker/),
  );
  const url = new URL(inject('superuserUrl'));
  const database = new pg.Client({
    connectionString: Object.assign(url, { pathname: new URL(SLIPWAY_SANDBOX_DATABASE_URL).pathname }).href,
  });
  await database.connect();
  await database.query('insert into workers (worker_id) values ($1)', [newUuid()]);
  await database.end();
  expect((await run(doctor, settings)).printed).toContain('ok    Workers that are running: 1.');
});
