// The embedded Postgres with real processes: persistence, refusals, and the recovery after a kill.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts';
import { isAlive } from './processes.ts';

const here = dirname(fileURLToPath(import.meta.url));
const runTs = join(here, '../../../scripts/run-ts.mjs');
const timeoutMs = 60_000;

let template: string;
let home: string;
let dataDir: string;
let said: string[];
let running: EmbeddedPostgres[];
let children: ChildProcess[];

/**
 * Creates a folder that the Postgres user can reach if the tests run as root, like a checkout outside a private home.
 */
function makeHome(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-embedded-')));
  chmodSync(made, 0o711);
  return made;
}

beforeAll(async () => {
  template = makeHome();
  await (await startEmbeddedPostgres({ dataDir: join(template, 'data'), log: () => {} })).stop();
}, timeoutMs);

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  home = makeHome();
  dataDir = join(home, 'data');
  [said, running, children] = [[], [], []];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const postgres of running) await postgres.stop();
  const pid = postmasterPid();
  if (pid && isAlive(pid)) {
    process.kill(pid, 'SIGQUIT');
    await until(() => !isAlive(pid));
  }
  if (existsSync(join(dataDir, 'postgres')) && lstatSync(join(dataDir, 'postgres')).isSymbolicLink()) {
    rmSync(realpathSync(join(dataDir, 'postgres')), { recursive: true, force: true });
  }
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => said.push(message) });
  running.push(postgres);
  return postgres;
}

/** Copies a stopped cluster, which takes a tenth of the time of creating one. */
function useTemplate(): void {
  execFileSync('cp', ['-a', join(template, 'data'), dataDir]);
}

async function startInChild(): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [runTs, join(here, 'run-postgres.fixture.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return { child, line };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function superuser(postgres: EmbeddedPostgres): string {
  return postgres.connection('postgres', postgres.superuserPassword, 'postgres');
}

function postmasterPid(): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 5, timeout: 20_000 }).toBe(true);
}

test('a new cluster is UTF-8, durable, and listens with a password on the loopback address only', {
  timeout: timeoutMs,
}, async () => {
  const postgres = await start();
  const rows = await query(
    superuser(postgres),
    `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
     current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
     current_setting('password_encryption') as passwords`,
  );
  expect(rows).toEqual([
    { encoding: 'UTF8', fsync: 'on', addresses: '127.0.0.1', sockets: '', passwords: 'scram-sha-256' },
  ]);
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  await expect(query(postgres.connection('postgres', 'wrong', 'postgres'), 'select 1')).rejects.toThrow(/password/);
});

test('a restart keeps the data', { timeout: timeoutMs }, async () => {
  useTemplate();
  const first = await start();
  await query(superuser(first), 'create table kept as select 42 as answer');
  const pid = postmasterPid();
  await first.stop();
  expect(pid && isAlive(pid)).toBe(false);
  const second = await start();
  expect(await query(superuser(second), 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a second Slipway on the same data folder is refused, and the first one is not affected', {
  timeout: timeoutMs,
}, async () => {
  useTemplate();
  const first = await start();
  const sentence = `Another Slipway is already running on the data folder ${dataDir}. Stop it first, or give this one a folder of its own with SLIPWAY_DATA_DIR.`;
  await expect(start()).rejects.toThrow(sentence);
  expect((await startInChild()).line).toBe(sentence);
  expect(await query(superuser(first), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('only one of two Slipways that start concurrently on a new data folder runs, and the other is refused', {
  timeout: timeoutMs,
}, async () => {
  const results = await Promise.allSettled([start(), start()]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(String(results.find((result) => result.status === 'rejected')?.reason)).toContain('already running');
  expect(await query(superuser(running[0] as EmbeddedPostgres), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the Postgres that a killed Slipway left running is stopped, and its data is complete', {
  timeout: timeoutMs,
}, async () => {
  useTemplate();
  const { child, line } = await startInChild();
  await query(line, 'create table kept as select 42 as answer');
  const orphanPid = postmasterPid() as number;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(orphanPid)).toBe(true);
  const next = await start();
  expect(isAlive(orphanPid)).toBe(false);
  expect(said.join()).toContain('stops that Postgres first');
  expect(await query(superuser(next), 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a Postgres that was also killed recovers', { timeout: timeoutMs }, async () => {
  useTemplate();
  const first = await start();
  await query(superuser(first), 'create table kept as select 42 as answer');
  process.kill(postmasterPid() as number, 'SIGKILL');
  await first.exited;
  const next = await start();
  expect(await query(superuser(next), 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a process id that now belongs to another program does not prevent the start', {
  timeout: timeoutMs,
}, async () => {
  useTemplate();
  const first = await start();
  await first.stop();
  const innocent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  children.push(innocent);
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(file, `${innocent.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n0 0\nready\n`);
  const next = await start();
  expect(await query(superuser(next), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(innocent.exitCode).toBe(null);
  expect(innocent.signalCode).toBe(null);
});

test('a cluster that is incomplete after a kill during initdb is removed', { timeout: timeoutMs }, async () => {
  mkdirSync(join(dataDir, 'postgres.new-999999999', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.starting'), '999999999 1');
  const postgres = await start();
  expect(await query(superuser(postgres), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(existsSync(join(dataDir, 'postgres.new-999999999'))).toBe(false);
});

test('a lock that was lost with its connection is taken again', { timeout: timeoutMs }, async () => {
  useTemplate();
  const postgres = await start();
  await query(
    superuser(postgres),
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway lock'`,
  );
  const held = `select count(*)::int as held from pg_locks where locktype = 'advisory' and granted`;
  await expect.poll(() => query(superuser(postgres), held), { interval: 20 }).toEqual([{ held: 1 }]);
});

test.runIf(process.getuid?.() === 0)(
  'root with a data folder under a private home keeps the cluster elsewhere and says so',
  { timeout: timeoutMs },
  async () => {
    chmodSync(home, 0o700);
    const first = await start();
    await query(superuser(first), 'create table kept as select 42 as answer');
    await first.stop();
    expect(said).toEqual([expect.stringContaining(realpathSync(join(dataDir, 'postgres')))]);
    const second = await start();
    expect(await query(superuser(second), 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(said).toHaveLength(1);
  },
);
