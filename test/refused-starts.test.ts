// Refused starts of Slipway. One sentence on stderr names the fault and the setting that fixes it, the exit code is 1,
// and no process stays behind.
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance, MAIN, type Run, root, type SlipwayInstance } from './slipway.ts';
import { readNote } from './visitor.ts';

async function expectRefusal(run: Run, sentence: RegExp): Promise<void> {
  expect(await run.exited).toBe(1);
  const lines = run.stderr().trimEnd().split('\n');
  expect(lines).toEqual([expect.stringMatching(sentence)]);
  expect(lines[0]).toMatch(/^slipway: [^\n]+$/);
}

describe('occupied ports', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance();
  });
  afterAll(() => instance.remove());

  test.each([
    ['console', 'SLIPWAY_CONSOLE_PORT'],
    ['api', 'SLIPWAY_SANDBOX_API_PORT'],
    ['receiver', 'SLIPWAY_DEMO_RECEIVER_PORT'],
    ['monitoring', 'SLIPWAY_MONITORING_PORT'],
  ] as const)('the occupied port of the %s is refused with the name of %s, and no Postgres is left', async (name, setting) => {
    const other = createServer().listen(instance.ports[name], '127.0.0.1');
    await once(other, 'listening');
    try {
      const chosen = { [setting]: String(instance.ports[name]) };
      await expectRefusal(
        instance.start(chosen),
        new RegExp(`Port ${instance.ports[name]} .*is taken.*${setting}\\.$`),
      );
      expect(instance.postgres()).toBeUndefined();
    } finally {
      other.close();
    }
  });

  test('a refused first start still shows the demo key later, and an occupied default port of monitoring does not prevent a start', async () => {
    const other = createServer()
      .listen(4010, '127.0.0.1')
      .on('error', () => {}); // an already occupied port is fine
    const run = instance.start({ SLIPWAY_MONITORING_PORT: '' });
    await run.ready;
    other.close();
    expect(run.stdout()).toMatch(/monitoring\.port_taken: .* port 4010 .*SLIPWAY_MONITORING_PORT/);
    expect(readNote(instance).key).toBeDefined();
  });

  test('a second start on the same data folder is refused, and the first one continues', async () => {
    const postgres = instance.postgres();
    const elsewhere = await createInstance();
    const settings = {
      SLIPWAY_DATA_DIR: instance.dataDir,
      SLIPWAY_DEMO_RECEIVER_PORT: String(elsewhere.ports.receiver),
    };
    await expectRefusal(
      elsewhere.start(settings),
      /Another Slipway is already running on the data folder .+SLIPWAY_DATA_DIR\.$/,
    );
    await elsewhere.remove();
    expect(instance.postgres()).toBe(postgres);
    expect((await fetch(`${instance.apiUrl}/v1/openapi.json`)).status).toBe(200);
  });
});

describe('incomplete settings', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance();
  });
  afterAll(() => instance.remove());

  const url = 'postgres://slipway_sandbox:secret-password@127.0.0.1:1/slipway_sandbox';
  const long = 'a secret of at least thirty-two characters';
  const sandbox = {
    SLIPWAY_SANDBOX_DATABASE_URL: url,
    SLIPWAY_SANDBOX_PEPPER: long,
    SLIPWAY_SANDBOX_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: long,
  };
  const api = ['api', '--environment', 'sandbox'];
  const without = (name: keyof typeof sandbox) => ({ ...sandbox, [name]: '' });

  test.each<[string, Record<string, string>, string[], RegExp]>([
    [
      'only one of the two databases',
      { SLIPWAY_SANDBOX_DATABASE_URL: url },
      [],
      /SLIPWAY_CONSOLE_DATABASE_URL is missing/,
    ],
    ['only the other database', { SLIPWAY_CONSOLE_DATABASE_URL: url }, [], /SLIPWAY_SANDBOX_DATABASE_URL is missing/],
    ['a misspelt setting', { SLIPWAY_CONSOL_PORT: '3001' }, [], /SLIPWAY_CONSOL_PORT is not a setting/],
    [
      'one port for two listeners',
      { SLIPWAY_CONSOLE_PORT: '4123', SLIPWAY_SANDBOX_API_PORT: '4123' },
      [],
      /SLIPWAY_SANDBOX_API_PORT and SLIPWAY_CONSOLE_PORT are both 4123/,
    ],
    ['a host that is not of this machine', { SLIPWAY_HOST: '192.0.2.1' }, [], /192\.0\.2\.1 .*SLIPWAY_HOST/],
    [
      'the role api without its database',
      without('SLIPWAY_SANDBOX_DATABASE_URL'),
      api,
      /SLIPWAY_SANDBOX_DATABASE_URL is missing, which this role needs\. [^.]+, as the owner of its database\. Several hosts are separated by commas; the primary is used\.$/,
    ],
    ['the role api without its pepper', without('SLIPWAY_SANDBOX_PEPPER'), api, /SLIPWAY_SANDBOX_PEPPER is missing/],
    [
      'the role worker without its master key',
      without('SLIPWAY_SANDBOX_MASTER_KEY'),
      ['worker', '--environment', 'sandbox'],
      /SLIPWAY_SANDBOX_MASTER_KEY is missing/,
    ],
    [
      'the role console without the management key',
      {},
      ['console'],
      /SLIPWAY_SANDBOX_MANAGEMENT_KEY is missing, which this role needs\. [^.]+; signs the Console's requests\.$/,
    ],
    ['a role without its environment', sandbox, ['api'], /needs --environment sandbox/],
    ['a database without a server', sandbox, api, /SLIPWAY_SANDBOX_DATABASE_URL .*cannot be used: .*ECONNREFUSED/],
  ])('a start with %s is refused', async (_what, settings, args, sentence) => {
    const run = instance.start(settings, args);
    await expectRefusal(run, sentence);
    expect(run.stdout() + run.stderr()).not.toContain('secret-password');
    expect(instance.postgres()).toBeUndefined();
  });

  test.each([
    [['everything'], 'There is no role "everything".'],
    [['--role', 'api'], "Unknown option '--role'"],
  ])('the arguments %j are refused with the available roles', async (args, sentence) => {
    const run = instance.start({}, args);
    expect(await run.exited).toBe(1);
    expect(run.stderr()).toContain(sentence);
    expect(run.stderr()).toContain('slipway-server worker --environment sandbox');
    expect(run.stderr()).not.toMatch(/^\s+at |positional/m);
  });
});

describe('unusable data folders', () => {
  let instance: SlipwayInstance;
  beforeAll(async () => {
    instance = await createInstance();
  });
  afterAll(() => instance.remove());

  /** Starts as an ordinary user, also if the tests run as root. */
  function startAsUser(dataDir: string): Run {
    const program = [process.execPath, MAIN];
    const withoutPrivileges = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...program];
    const [command = '', ...args] = process.getuid?.() === 0 ? withoutPrivileges : program;
    return instance.spawn(command, args, { SLIPWAY_DATA_DIR: dataDir });
  }

  test('a data folder that is a file, or inside a file, is refused', async () => {
    const file = `${dirname(instance.dataDir)}/file`;
    writeFileSync(file, '');
    for (const folder of [file, `${file}/data`])
      await expectRefusal(
        instance.start({ SLIPWAY_DATA_DIR: folder }),
        /cannot be made: .*\/file.*SLIPWAY_DATA_DIR to another folder\.$/,
      );
  });

  test('a data folder without write permission is refused', async () => {
    const folder = `${dirname(instance.dataDir)}/unwritable`;
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    await expectRefusal(
      startAsUser(folder),
      /unwritable cannot be written by this user\..*SLIPWAY_DATA_DIR to another folder\.$/,
    );
    await expectRefusal(startAsUser(`${folder}/data`), /cannot be made: EACCES.*SLIPWAY_DATA_DIR to another folder\.$/);
  });
});

test('a server that was never built says so', async () => {
  const instance = await createInstance();
  const bin = `${dirname(instance.dataDir)}/bin`;
  mkdirSync(bin);
  copyFileSync(`${root}server/bin/slipway-server.mjs`, `${bin}/slipway-server.mjs`);
  await expectRefusal(instance.spawn(process.execPath, [`${bin}/slipway-server.mjs`]), /has not been built yet/);
  await instance.remove();
});
