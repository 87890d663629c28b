// An outage of Postgres while Slipway runs: requests are answered 503, no process ends, and everything recovers
// when Postgres returns.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ExternalPostgres, signalFamily, startExternalPostgres } from './external-postgres.ts';
import { copyPreparedData } from './prepared-data.ts';
import { createInstance, type SlipwayInstance, until } from './slipway.ts';
import { type Answer, ask, createTicket, firstServerId, listServers, readNote } from './visitor.ts';

let instance: SlipwayInstance;
beforeEach(async () => {
  instance = await createInstance(copyPreparedData);
});
afterEach(() => instance.remove());

/** Expects 503 while Postgres is away. `npm run prove -- start` measures how soon. */
async function expectUnavailable(key: string): Promise<void> {
  const answer = (await listServers(instance, key)) as Answer<unknown>;
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ code: 'unavailable', status: 503 });
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
}

/** Waits for the expected readiness. The process reports liveness throughout. */
async function expectHealth(status: 200 | 503, word: string, failed: string[]): Promise<void> {
  expect((await ask(`${instance.monitoringUrl}/livez`)).status).toBe(200);
  const url = `${instance.monitoringUrl}/readyz`;
  const { body } = await until(async () => {
    const answer = await ask<{ status: string; checks: { name: string; status: string }[] }>(url);
    return answer.status === status && answer;
  });
  const failing = body.checks.filter((check) => check.status === 'failed').map(({ name }) => name);
  expect([body.status, failing]).toEqual([word, failed]);
}

const recovers = (key: string): Promise<boolean> =>
  until(async () => (await listServers(instance, key)).status === 200);

test('while the embedded Postgres is suspended each request gets 503, and later requests succeed', async () => {
  const run = instance.start();
  await run.ready;
  const key = readNote(instance).key ?? '';
  const serverId = await firstServerId(instance, key);
  const postgres = instance.postgres() ?? 0;
  signalFamily(postgres, 'SIGSTOP');
  try {
    await expectUnavailable(key);
    await expectUnavailable(key);
    const ticket = await createTicket(instance, key, { serverId, subject: 'Lost', idempotencyKey: 'lost' });
    expect(ticket.status).toBe(503);
  } finally {
    signalFamily(postgres, 'SIGCONT');
  }
  await recovers(key);
  const again = await until(async () => {
    const answer = await createTicket(instance, key, { serverId, subject: 'Lost', idempotencyKey: 'lost' });
    return answer.status !== 503 && answer; // mutations use connections of another pool
  });
  expect(again.status).toBe(201);
  expect(run.child.exitCode).toBe(null);
});

test('an external Postgres may be suspended, killed and restarted without a restart of Slipway', async () => {
  const postgres: ExternalPostgres = await startExternalPostgres(copyPreparedData);
  try {
    const run = instance.start({ ...postgres.settings, SLIPWAY_MONITORING_PORT: String(instance.ports.monitoring) });
    await run.ready;
    expect(instance.postgres()).toBeUndefined();
    await expectHealth(200, 'ready', []);
    const key = readNote(instance).key ?? '';
    expect((await listServers(instance, key)).status).toBe(200);

    postgres.freeze();
    await expectUnavailable(key);
    await expectHealth(503, 'not_ready', ['database.sandbox', 'database.console']);
    postgres.thaw();
    await recovers(key);
    await expectHealth(200, 'ready', []);

    await postgres.kill();
    await expectUnavailable(key);
    await postgres.restart();
    await recovers(key);

    // A committed change must survive a crash right after it.
    await postgres.query("update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test'");
    await postgres.kill();
    await expectUnavailable(key);
    await postgres.restart();
    const seen = new Set<number>();
    await until(async () => seen.add((await listServers(instance, key)).status).has(401));
    expect(seen.has(200)).toBe(false);
    expect(run.child.exitCode).toBe(null);
    run.child.kill('SIGTERM');
    expect(await run.exited).toBe(0);
  } finally {
    await instance.remove(); // before its Postgres, which it needs
    await postgres.remove();
  }
});
