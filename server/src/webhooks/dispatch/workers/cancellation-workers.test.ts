// A stop waits for the confirmation of exactly those workers that may send under the denied access.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/harness.ts';
import type { LostAccess } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from '../dispatch.fixture.ts';

let world: DispatchFixture;
let keyId: string;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  keyId = await world.addKey();
});

const stop = (denied: Partial<LostAccess> = { keyId }) => world.stop(denied);

describe('worker that does not confirm', () => {
  let workerId: string;
  beforeEach(async () => {
    workerId = newUuid();
    await world.rows('delete from queue');
    await world.rows('delete from workers');
    await world.rows('insert into workers (worker_id, unqueued) values ($1, 0)', [workerId]);
  });

  const endpointId = newUuid();
  const inFlight = (changes: { appId?: string; workerId?: string } = {}): Promise<unknown> =>
    world.rows(
      `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, state, worker_id)
       values ($1, $2, $3, $2, $2, $4, 'in_flight', $5)`,
      [changes.appId ?? world.appId, newUuid(), endpointId, world.serverId, changes.workerId ?? workerId],
    );

  /**
   * Returns true if the stop waits for the worker. The test confirms in its place, so it does not have to wait for
   * deregistration.
   */
  async function isAsked(denied?: Partial<LostAccess>): Promise<boolean> {
    let isAnswered = false;
    const stopping = stop(denied).then(() => {
      isAnswered = true;
    });
    const first = await until(async () =>
      (await world.rows('select from stops')).length > 0 ? 'asked' : isAnswered && 'answered',
    );
    await world.rows('delete from stops');
    await stopping;
    return first === 'asked';
  }

  test.each<[string, () => Promise<unknown>, Partial<LostAccess>?]>([
    ['nothing on its way', async () => {}],
    ['something of another app', () => inFlight({ appId: newUuid() })],
    ['nothing, while a deregistered worker has', () => inFlight({ workerId: newUuid() })],
    ['something of another server', inFlight, { serverId: newUuid() }],
    ['something to another endpoint', inFlight, { endpointId: newUuid() }],
  ])('a worker is not asked to confirm when it has %s', async (_, arrange, denied) => {
    await arrange();
    await stop(denied);
    expect(await world.rows('select worker_id from workers')).toEqual([{ worker_id: workerId }]);
  });

  test.each<[string, () => Promise<unknown>, Partial<LostAccess>?]>([
    ['has something of the app in flight, under whichever key its row is by now', () => inFlight()],
    ['has something of the server in flight', () => inFlight(), { keyId: null, serverId: '' }],
    ['has something to the endpoint in flight', () => inFlight(), { keyId: null, endpointId }],
    ['has unqueued requests in flight', () => world.rows('update workers set unqueued = 1')],
    ['does not say whether it does', () => world.rows('update workers set unqueued = null')],
  ])('a worker is asked to confirm when it %s', async (_, arrange, denied = { keyId }) => {
    await arrange();
    expect(await isAsked(denied.serverId === '' ? { ...denied, serverId: world.serverId } : denied)).toBe(true);
  });

  test('a worker is asked to confirm while a claim of the app is judged, but not for a claim of another app', async () => {
    for (const [appId, isExpected] of [[world.appId, true] as const, [newUuid(), false] as const]) {
      await world.rows('select pg_advisory_lock_shared(claims_lock($1))', [appId]);
      expect(await isAsked()).toBe(isExpected);
      await world.rows('select pg_advisory_unlock_shared(claims_lock($1))', [appId]);
    }
  });
});

/**
 * Returns a worker's database on which a claim halts after it was judged. With `hasLock` false, its claims also take no
 * shared lock.
 */
function startStalledClaims(db: Database, hasLock: boolean) {
  const claims = { judged: 0, goOn: () => {} };
  const gate = new Promise<void>((resolve) => {
    claims.goOn = resolve;
  });
  const slow: Database = {
    ...db,
    transaction: (run) =>
      db.transaction(async (tx) => {
        let isClaim = false;
        const result = await run({
          ...tx,
          send(statement) {
            isClaim ||= statement.text.includes("set state = 'in_flight'");
            if (hasLock || !statement.text.includes('claims_lock')) tx.send(statement);
          },
        });
        if (isClaim) {
          claims.judged += 1;
          await gate;
        }
        return result;
      }),
  };
  return { slow, claims };
}

/**
 * Revokes while a claim is judged but not committed. Returns the bytes that the receiver got after the response to the
 * revocation.
 */
async function sentAfterRevoke(hasLock: boolean): Promise<number> {
  const hanging = await world.hangingReceiver();
  await world.addEndpoint(hanging.url, keyId);
  const { slow, claims } = startStalledClaims(world.dispatch, hasLock);
  const dispatcher = await world.dispatcher({ db: slow });
  try {
    await world.emit();
    await until(() => claims.judged === 1);
    await world.revokeKey(keyId);
    await stop();
    claims.goOn();
    const isOver = async (): Promise<boolean> => (await deliveriesOf(world)).at(-1)?.status === 'cancelled';
    await until(async () => hanging.seen.bytes > 0 || (await isOver()));
    return hanging.seen.bytes;
  } finally {
    claims.goOn();
    await dispatcher.stop();
  }
}

describe('claim that was judged before a revocation and is committed after it', () => {
  test('a claim judged before a revocation and committed after it is not sent', async () => {
    expect(await sentAfterRevoke(true)).toBe(0);
  });

  test('a claim judged before a revocation and committed after it would be sent without the shared lock', async () => {
    expect(await sentAfterRevoke(false)).toBeGreaterThan(0);
  });
});
