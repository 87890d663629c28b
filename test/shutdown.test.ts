// Shutdown: a signal stops everything cleanly and leaves no process, and the next start recovers from a kill.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../server/src/embedded/processes.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type Run, root, type SlipwayInstance, until } from './slipway.ts';
import { ask, createTicket, firstServerId, readNote } from './visitor.ts';

async function expectStopped(instance: SlipwayInstance, run: Run, exitCode: number): Promise<void> {
  expect([await run.exited, run.stderr()]).toEqual([exitCode, '']);
  expect(run.stdout()).not.toMatch(/database\.connection_failed|process\.stop_failed/);
  expect(instance.postgres()).toBeUndefined();
  expect(existsSync(`${instance.dataDir}/postgres/postmaster.pid`)).toBe(false); // Postgres removes it when it ends regularly
}

/** Returns the backends of a Postgres with connections to one of its databases. */
function connectionsTo(postgres: number, database: string): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(postgres)], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(` ${database} `)).map((line) => Number.parseInt(line, 10));
}

describe('an installation that is started repeatedly', () => {
  let instance: SlipwayInstance;
  let run: Run;
  let key: string;
  beforeAll(async () => {
    instance = await createInstance(copyPreparedData);
    run = instance.start();
    await run.ready;
    key = readNote(instance).key ?? '';
  });
  afterEach(async () => {
    run.child.kill('SIGTERM');
    await run.exited;
  });
  afterAll(() => instance.remove());

  test('SIGTERM, SIGINT and SIGHUP stop everything without an error and leave no Postgres', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      expect(instance.postgres()).toBeDefined();
      run.child.kill(signal);
      await expectStopped(instance, run, 0);
      run = instance.start();
      await run.ready;
    }
  });

  // Postgres terminates slow connections itself, although Slipway has closed them already. Suspended backends are the
  // slowest possible ones.
  test.runIf(process.platform === 'linux')('errors of connections during a shutdown are not reported', async () => {
    run = instance.start();
    await run.ready;
    const slow = connectionsTo(instance.postgres() ?? 0, 'slipway_console');
    expect(slow).not.toEqual([]);
    for (const pid of slow) process.kill(pid, 'SIGSTOP');
    run.child.kill('SIGTERM');
    await until(() => readFileSync(`${instance.dataDir}/postgres/postmaster.pid`, 'utf8').includes('stopping'));
    for (const pid of slow) process.kill(pid, 'SIGCONT');
    await expectStopped(instance, run, 0);
  });

  test('a signal to `npm start` alone stops everything', async () => {
    run = instance.spawn('npm', ['start']);
    await run.ready;
    const postgres = instance.postgres() ?? 0;
    expect(isAlive(postgres)).toBe(true);
    run.child.kill('SIGTERM');
    await run.exited;
    await until(() => !isAlive(postgres));
    expect(instance.postgres()).toBeUndefined();
    await expect(ask(`${instance.apiUrl}/v1/openapi.json`)).rejects.toThrow();
  });

  test('a kill leaves Postgres running, and the next start takes over with everything that was acknowledged', async () => {
    run = instance.start();
    await run.ready;
    const serverId = await firstServerId(instance, key);
    const ticket = { serverId, subject: 'Acknowledged', idempotencyKey: 'acknowledged' };
    const created = await createTicket(instance, key, ticket);
    expect(created.status).toBe(201);
    const postgresPid = instance.postgres() ?? 0;
    run.child.kill('SIGKILL');
    await run.exited;
    expect(isAlive(postgresPid)).toBe(true);

    run = instance.start();
    await run.ready;
    expect(isAlive(postgresPid)).toBe(false);
    expect(run.stdout()).toContain('An earlier Slipway ended without stopping its Postgres');
    const again = await createTicket(instance, key, ticket);
    expect(again.body.id).toBe(created.body.id);
    expect(readNote(instance).key).toBeUndefined();
  });

  test('the server reports the death of its Postgres in a sentence and exits with code 1', async () => {
    run = instance.start();
    await run.ready;
    process.kill(instance.postgres() ?? 0, 'SIGKILL');
    expect(await run.exited).toBe(1);
    expect(run.stderr()).toMatch(/^slipway: The embedded Postgres has ended\. The reason is in .+postgres\.log\.$/m);
    // The output reports errors of dead connections without the connection objects, which contain their keys.
    expect(run.stdout()).not.toMatch(/secretKey|"client"/);
  });

  test('the server can be started from any folder', async () => {
    run = instance.spawn('sh', ['-c', `cd / && exec ${process.execPath} ${root}server/dist/main.js`]);
    await run.ready;
    expect((await ask(`${instance.apiUrl}/v1/openapi.json`)).status).toBe(200);
  });
});

describe('a signal during the first start leaves no process, and the next start is complete', () => {
  let instance: SlipwayInstance;
  beforeEach(async () => {
    instance = await createInstance();
  });
  afterEach(() => instance.remove());

  const hasEntry = (name: RegExp): boolean =>
    existsSync(instance.dataDir) && readdirSync(instance.dataDir).some((entry) => name.test(entry));

  test.each([
    ['while the database is being made', () => hasEntry(/^postgres\.new-\d+$/)],
    ['while Postgres is starting', () => instance.postgres() !== undefined],
    ['while the database is being filled', () => hasEntry(/^postgres$/) && !hasEntry(/^postgres\.starting$/)],
  ])('SIGTERM %s stops the first start cleanly', async (_moment, isReached) => {
    const run = instance.start();
    await until(isReached);
    run.child.kill('SIGTERM');
    await expectStopped(instance, run, 0);
    const next = instance.start();
    await next.ready;
    expect(readNote(instance).link).not.toBe('');
  });
});
