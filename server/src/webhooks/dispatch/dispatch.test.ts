import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import { type Database, DatabaseUnavailable } from '../../kit/db/db.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { releaseDeliveriesOfServers } from '../webhooks/server-grants-store.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from './dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterEach(() => world.close());

const queue = () =>
  world.rows<{ state: string; attempt_no: number; in_ms: number }>(`select state, attempt_no,
    (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as in_ms from queue`);
const bringForward = () => world.rows(`update queue set due_at = clock_timestamp() where state = 'waiting'`);
const statusOfAll = async (status: string) => {
  const all = await deliveriesOf(world);
  return all.length > 0 && all.every((one) => one.status === status) && all;
};

describe('delivery', () => {
  test('a delivery arrives once, with a signature over its raw bytes that the public library verifies', async () => {
    const { url, received } = await world.receiver((response) => response.writeHead(204).end());
    const { secret } = await world.addEndpoint(url, keyId);
    await world.dispatcher();
    await world.emit();
    const [delivery] = await until(() => statusOfAll('succeeded'));
    expect(received).toHaveLength(1);
    const { headers, body } = received[0] ?? { headers: {}, body: Buffer.alloc(0) };
    const verified = new Webhook(secret.reveal()).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'ticket.created', environment: 'sandbox', data: { subject: 'Grüße 1' } });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Slipway-Webhooks/1',
      'webhook-id': (verified as { id: string }).id,
      'slipway-attempt': '1',
      'slipway-trigger': 'scheduled',
      'slipway-schema-version': '2',
      'slipway-environment': 'sandbox',
    });
    expect(headers['slipway-delivery-id']).toMatch(/^dlv_/);
    expect(delivery).toMatchObject({ outcomes: ['response'] });
    expect(await queue()).toEqual([]);
    await until(() => world.lines.filter((line) => line.event === 'webhook.attempt_ended').length === 1);
  });

  test('a delivery to an endpoint pinned to an older schema version carries that version on every attempt, signed', async () => {
    const { url, received } = await world.receiver((response, _received, index) =>
      response.writeHead(index === 0 ? 500 : 200).end(),
    );
    const { secret } = await world.addEndpoint(url, keyId, { 'ticket.created': 1 });
    const dispatcher = await world.dispatcher();
    await world.emit();
    await until(async () => (await queue())[0]?.attempt_no === 1 && (await queue())[0]?.state === 'waiting');
    await bringForward();
    dispatcher.wake();
    await until(() => statusOfAll('succeeded'));
    const bodies = received.map(({ headers, body }) => {
      expect(headers['slipway-schema-version']).toBe('1');
      return new Webhook(secret.reveal()).verify(body, headers as Record<string, string>);
    });
    expect(bodies[0]).toMatchObject({ schemaVersion: 1, data: { betreff: 'Grüße 1' } });
    expect(received[1]?.body).toEqual(received[0]?.body);
  });

  test('a failed delivery is attempted again by the schedule, with the same id and bytes', async () => {
    const { url, received } = await world.receiver((response, _received, index) =>
      response.writeHead(index === 0 ? 500 : 200).end('oh\0no'),
    );
    await world.addEndpoint(url, keyId);
    const dispatcher = await world.dispatcher();
    await world.emit();
    const [waiting] = await until(async () => {
      const rows = await queue();
      return rows[0]?.state === 'waiting' && rows[0].attempt_no === 1 && rows;
    });
    expect(waiting?.in_ms).toBeGreaterThan(3_000);
    expect(waiting?.in_ms).toBeLessThan(6_001);
    await bringForward();
    dispatcher.wake();
    await until(() => statusOfAll('succeeded'));
    expect(await world.rows('select attempt_no, status, response_body from attempts order by attempt_no')).toEqual([
      { attempt_no: 1, status: 500, response_body: 'oh\uFFFDno' },
      { attempt_no: 2, status: 200, response_body: 'oh\uFFFDno' },
    ]);
    const [first, second] = received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['slipway-attempt']).toBe('2');
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('a response of 410 ends the delivery and disables its endpoint', async () => {
    const { url } = await world.receiver((response) => response.writeHead(410).end());
    await world.addEndpoint(url, keyId);
    await world.dispatcher();
    await world.emit();
    await until(() => statusOfAll('failed'));
    expect(await world.rows('select state, disabled_reason from endpoints')).toEqual([
      { state: 'disabled', disabled_reason: 'The receiver responded with 410 Gone.' },
    ]);
    await world.emit();
    expect((await deliveriesOf(world))[1]).toMatchObject({ status: 'skipped', reason: 'endpoint_disabled' });
  });

  test('a delivery is cancelled, not sent, if its key is revoked after it was queued', async () => {
    const { url, received } = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId);
    await world.emit();
    await world.rows(`update keys set state = 'revoked', revoked_at = now(), revoked_by = 'a test'`);
    await world.dispatcher();
    expect(await until(() => statusOfAll('cancelled'))).toMatchObject([{ reason: 'key_revoked', outcomes: [] }]);
    expect(received).toEqual([]);
    expect(await queue()).toEqual([]);
  });

  test('a delivery is cancelled if its endpoint is deleted while it waits', async () => {
    const { url } = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId);
    await world.emit();
    await world.rows('delete from endpoints');
    await world.dispatcher();
    expect(await until(() => statusOfAll('cancelled'))).toMatchObject([{ reason: 'endpoint_deleted' }]);
  });

  test.each([
    true,
    false,
  ])('a delivery for a paused installation is held until the installation is authorised (notified: %s)', async (isTold) => {
    const { url, received } = await world.receiver((response) => response.end());
    await world.addEndpoint(url, keyId);
    await world.emit();
    await world.rows(`update installations set state = 'paused'`);
    const dispatcher = await world.dispatcher();
    expect(await until(() => statusOfAll('held'))).toMatchObject([{ reason: 'installation_paused' }]);
    expect(await queue()).toMatchObject([{ state: 'held', attempt_no: 0 }]);
    await world.rows(`update installations set state = 'authorised'`);
    if (isTold)
      await runAsTenant(world.plane.db.manager, world.appId, (tenant) =>
        releaseDeliveriesOfServers(tenant, [{ serverId: world.serverId, scope: null }]),
      );
    dispatcher.wake();
    await until(() => statusOfAll('succeeded'));
    expect(received).toHaveLength(1);
  });
});

describe('endpoint', () => {
  test('a hanging endpoint with a backlog delays no other endpoint', async () => {
    const hanging = await world.hangingReceiver();
    const quick = await world.receiver((response) => response.end());
    await world.addEndpoint(hanging.url, keyId);
    await world.emit(60);
    await world.dispatcher({ maxInFlight: 10 });
    await until(() => hanging.seen.firstBytesAtMs.length === 2);
    const { endpointId } = await world.addEndpoint(quick.url, keyId);
    await world.emit(20);
    await until(() => quick.received.length === 20);
    expect(hanging.seen.closed).toBe(0); // its attempts still hang
    const done = () =>
      world.rows(`select from deliveries where endpoint_id = $1 and status = 'succeeded'`, [endpointId]);
    await until(async () => (await done()).length === 20);
  });
});

test('deliveries are found even if every LISTEN connection dies', async () => {
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.dispatcher();
  const listeners = `from pg_stat_activity where datname = current_database() and query like 'listen %'`;
  await until(async () => (await world.rows(`select ${listeners}`)).length === 2);
  await world.rows(`select pg_terminate_backend(pid) ${listeners}`);
  await world.emit();
  await until(() => received.length === 1);
});

test('a response that arrives while the database is away is recorded when it is back', async () => {
  let isAway = false;
  let refusedRecords = 0;
  const reach = async (...statements: readonly Sql[]): Promise<void> => {
    if (!isAway) return;
    if (statements.some(({ text }) => text.includes('insert into attempts'))) refusedRecords += 1;
    throw new DatabaseUnavailable(new Error('away'));
  };
  const db: Database = {
    ...world.worker,
    query: (statement) => reach(statement).then(() => world.worker.query(statement)),
    together: (statements) => reach(...statements).then(() => world.worker.together(statements)),
    transaction: (run) => reach().then(() => world.worker.transaction(run)),
  };
  const { url, received } = await world.receiver((response) => {
    isAway = true;
    response.end();
  });
  await world.addEndpoint(url, keyId);
  await world.dispatcher({ db });
  await world.emit();
  await until(() => refusedRecords >= 2);
  expect(await queue()).toMatchObject([{ state: 'in_flight' }]);
  isAway = false;
  expect(await until(() => statusOfAll('succeeded'))).toMatchObject([{ outcomes: ['response'] }]);
  expect(received).toHaveLength(1);
});

test('a committed claim whose response was lost is immediately claimed again', async () => {
  let lost = 0;
  const db: Database = {
    ...world.worker,
    async transaction(run) {
      const round = await world.worker.transaction(run);
      if (lost > 0 || (await queue()).every(({ state }) => state !== 'in_flight')) return round;
      lost += 1;
      throw new DatabaseUnavailable(new Error('the connection died'));
    },
  };
  const { url, received } = await world.receiver((response) => response.end());
  await world.addEndpoint(url, keyId);
  await world.dispatcher({ db });
  await world.emit();
  expect(await until(() => statusOfAll('succeeded'))).toMatchObject([{ outcomes: ['interrupted', 'response'] }]);
  expect({ lost, received: received.length }).toEqual({ lost: 1, received: 1 });
});

test('nothing is lost and no process crashes if every database connection dies', async () => {
  const { url, received } = await world.receiver((response) => void setTimeout(() => response.end(), 20));
  await world.addEndpoint(url, keyId);
  await world.dispatcher();
  await world.emit(60);
  await until(() => received.length > 5);
  for (let round = 0; round < 5; round += 1) {
    await world.rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not like '%insert into events%'`);
    const before = received.length;
    await until(() => received.length > before || received.length >= 60);
  }
  await until(() => statusOfAll('succeeded'));
});
