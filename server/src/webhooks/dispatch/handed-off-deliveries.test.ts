// A mutation hands its deliveries to the dispatcher of its process, on a real Postgres (docs/decisions/0101).
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/harness.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { emitEvent } from '../../resources/events/index.ts';
import type { HandOff, Reservation } from '../webhooks/index.ts';
import { type DispatchFixture, deliveriesOf, testWorld } from './dispatch.fixture.ts';
import type { DispatcherOptions } from './dispatch-webhooks.job.ts';

let world: DispatchFixture;
let keyId: string;
beforeEach(async () => {
  world = await testWorld();
  keyId = await world.addKey();
});
afterEach(() => world.close());

interface Publication {
  count?: number;
  /** Runs between the two round trips of the mutation. */
  between?(): Promise<unknown>;
  /** Runs after the writes were given to the transaction. */
  last?(): void;
}

/** Writes events like a mutation of /v1. */
async function publish({ count = 1, between, last }: Publication = {}): Promise<void> {
  const { plane, appId, serverId } = world;
  const of = { type: 'ticket.created', serverId } as const;
  const queued = await plane.mutations.run('a test', appId, async (tenant) => {
    const enqueue = await plane.deliveries.prepare(tenant, of);
    await between?.();
    for (let index = 0; index < count; index += 1) {
      const uuid = newUuid();
      const data = { subject: 'Grüße' };
      const subject = { uuid, id: toId('tkt', uuid) };
      const draft = { ...of, subject, sequence: 1, requestId: null, data, older: [{ betreff: data.subject }] };
      await emitEvent(tenant, plane, draft, enqueue);
    }
    last?.();
    return tenant.queuedEndpoints;
  });
  plane.deliveries.wake(queued);
}

/** Intervals so long that, during a test, only a wake-up makes the dispatcher look. */
const NO_POLLS = { pollMs: 600_000, recoverMs: 600_000, releaseMs: 600_000, moveMs: 600_000 };

/**
 * Starts a dispatcher in the process of the mutations. Counts its claims and reservations; `change` replaces each
 * reservation.
 */
async function start(
  options: Partial<DispatcherOptions> = { timing: NO_POLLS },
  change = (reservation: Reservation): Reservation => reservation,
) {
  const counts = { claims: 0, reserved: 0 };
  const { dispatch } = world;
  const db: Database = {
    ...dispatch,
    transaction: (run, how) => {
      counts.claims += 1;
      return dispatch.transaction(run, how);
    },
  };
  const dispatcher = await world.dispatcher({ db, ...options });
  function open(): ReturnType<HandOff['open']> {
    const reserve = dispatcher.handOff.open();
    if (!reserve) return undefined;
    return (delivery) => {
      const reservation = reserve(delivery);
      if (reservation === undefined) return undefined;
      counts.reserved += 1;
      return change(reservation);
    };
  }
  world.attachDispatcher({ ...dispatcher, handOff: { open } });
  return { dispatcher, counts };
}

/** Returns a receiver that answers, or keeps its responses in `kept` while `isKeeping`, and counts those that close. */
async function keepingReceiver() {
  const kept: ServerResponse[] = [];
  const state = { kept, isKeeping: false, closed: 0 };
  const { url, received } = await world.receiver((response) => {
    if (!state.isKeeping) {
      response.writeHead(204).end();
      return;
    }
    kept.push(response);
    response.on('close', () => {
      state.closed += 1;
    });
  });
  return { url, received, state };
}

const settled = async (): Promise<boolean> => (await deliveriesOf(world)).every(({ status }) => status !== 'pending');
const succeeded = (count: number) => async (): Promise<boolean> =>
  (await deliveriesOf(world)).filter(({ status }) => status === 'succeeded').length === count;
const statesInQueue = async (): Promise<string[]> =>
  (await world.rows<{ state: string }>('select state from queue order by delivery_id')).map(({ state }) => state);

/** Publishes an event, which a claim takes: the dispatcher then knows the endpoint. */
async function publishFirst(): Promise<void> {
  await publish();
  await until(settled);
}

test('a delivery to an idle endpoint is committed as in flight and sent without a claim', async () => {
  const { url, state } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const { counts } = await start();
  await publishFirst();
  const before = { ...counts };
  expect(before.reserved).toBe(0);
  state.isKeeping = true;
  await publish();
  await until(() => state.kept.length === 1);
  const [worker] = await world.rows<{ worker_id: string }>('select worker_id from workers');
  const row = `select state, worker_id, attempt_no, claimed_at is not null as is_dated, key_id, xmin = (select xmin from deliveries d
    where d.delivery_id = q.delivery_id) as is_of_mutation from queue q`;
  expect(await world.rows(row)).toEqual([
    {
      state: 'in_flight',
      worker_id: worker?.worker_id,
      attempt_no: 1,
      is_dated: true,
      key_id: keyId,
      is_of_mutation: true,
    },
  ]);
  state.kept[0]?.writeHead(204).end();
  await until(succeeded(2));
  expect(counts).toEqual({ claims: before.claims, reserved: 1 });
  expect((await deliveriesOf(world)).map(({ outcomes }) => outcomes)).toEqual([['response'], ['response']]);
});

type Settings = Parameters<DispatchFixture['addEndpoint']>[3];

test.each<[string, Settings, (endpointId: string) => Promise<unknown>]>([
  ['has an order', { isOrdered: true }, async () => {}],
  ['has a rate', { ratePerSecond: 1_000 }, async () => {}],
  ['was changed since its last claim', {}, () => world.rows(`update endpoints set description = 'changed'`)],
  ['belongs to a paused installation', {}, () => world.rows(`update installations set state = 'paused'`)],
  [
    'has a due delivery',
    {},
    (endpointId) =>
      world.rows(`insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id) values ($1, $2, $3, $2, $4)`, [
        world.appId,
        newUuid(),
        endpointId,
        keyId,
      ]),
  ],
])('a delivery is not handed off if its endpoint %s', async (_, settings, arrange) => {
  const { url, received } = await keepingReceiver();
  const { endpointId } = await world.addEndpoint(url, keyId, {}, settings);
  const { counts } = await start();
  await publishFirst();
  await arrange(endpointId);
  await publish();
  await until(settled);
  expect(counts.reserved).toBe(0);
  const isHeld = (await statesInQueue()).includes('held');
  expect(received).toHaveLength(isHeld ? 1 : 2);
});

test('deliveries beyond the free slots are queued for claims, and all are sent once', async () => {
  const { url, received, state } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const { counts } = await start();
  await publishFirst();
  state.isKeeping = true;
  await publish({ count: 20 });
  await until(() => state.kept.length > 0);
  // One if the dispatcher has not finished the search after the first delivery, and more otherwise.
  expect(counts.reserved).toBeGreaterThan(0);
  expect((await statesInQueue()).filter((one) => one === 'in_flight')).toHaveLength(counts.reserved);
  expect((await statesInQueue()).filter((one) => one === 'waiting')).toHaveLength(20 - counts.reserved);
  state.isKeeping = false;
  for (const response of state.kept) response.writeHead(204).end();
  await until(succeeded(21));
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(21);
  expect(received).toHaveLength(21);
});

test('a mutation that is rolled back gives its slots back, and the delivery of its repetition is sent once', async () => {
  const { url, received } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const { dispatcher, counts } = await start();
  await publishFirst();
  const refuse = (): never => {
    throw new Error('refused');
  };
  await expect(publish({ last: refuse })).rejects.toThrow('refused');
  expect(counts.reserved).toBeGreaterThan(0);
  await until(() => dispatcher.measures().inFlight === 0);
  let calls = 0;
  await publish({
    last() {
      calls += 1;
      if (calls === 1) refuse();
    },
  });
  await until(succeeded(2));
  await until(() => dispatcher.measures().inFlight === 0);
  expect([calls, received.length]).toEqual([2, 2]);
});

test('handed-off deliveries of a worker that dies after the commit are sent by another worker', async () => {
  const { url, received } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const dead: Reservation[] = [];
  await start(undefined, (reservation) => {
    dead.push(reservation);
    return { ...reservation, begin: () => {} };
  });
  await publishFirst();
  await publish();
  expect(await statesInQueue()).toEqual(['in_flight']);
  await world.rows('delete from workers');
  await world.dispatcher();
  await until(succeeded(2));
  expect((await deliveriesOf(world)).at(-1)?.outcomes).toEqual(['interrupted', 'response']);
  expect(received.at(-1)?.headers).toMatchObject({ 'slipway-attempt': '2' });
  for (const { release } of dead) release(); // otherwise the dispatcher waits for the attempt when it stops
});

/** Returns whether the statement recovers claims of the worker itself, however new they are. */
const isOwnRecovery = ({ text, values }: Sql): boolean =>
  text.includes('with lost as') && values.includes(0) && !values.includes(null);

test('a worker recovers a handed-off delivery whose commit was not confirmed, and reserves no slot meanwhile', async () => {
  const { url } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  let goOn = (): void => {};
  let isRecovering = false;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { dispatch } = world;
  const db: Database = {
    ...dispatch,
    async query(statement) {
      if (isOwnRecovery(statement)) {
        isRecovering = true;
        await gate;
      }
      return dispatch.query(statement);
    },
  };
  const lost = (reservation: Reservation): Reservation => ({ ...reservation, begin: reservation.release });
  const { counts } = await start({ db, timing: NO_POLLS }, lost);
  await publishFirst();
  await publish();
  await until(() => isRecovering);
  await publish();
  expect([counts.reserved, await statesInQueue()]).toEqual([1, ['in_flight', 'waiting']]);
  goOn();
  await until(succeeded(3));
  expect((await deliveriesOf(world)).map(({ outcomes }) => outcomes)).toEqual([
    ['response'],
    ['interrupted', 'response'],
    ['response'],
  ]);
});

test('a revocation between the commit and the attempt ends without waiting, and the attempt sends nothing', async () => {
  const { url, received } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const begins: (() => void)[] = [];
  const { dispatcher } = await start({}, (reservation) => ({
    ...reservation,
    begin: (body) => void begins.push(() => reservation.begin(body)),
  }));
  await publishFirst();
  await publish();
  await until(() => begins.length === 1);
  await world.revokeKey(keyId);
  expect(await world.stop({ keyId })).toMatchObject([{ attempts: 1, workers: [{ outcome: 'confirmed' }] }]);
  expect(dispatcher.measures().inFlight).toBe(1);
  for (const begin of begins) begin();
  await until(settled);
  expect((await deliveriesOf(world)).at(-1)).toMatchObject({ status: 'cancelled', outcomes: ['aborted_by_revoke'] });
  expect(received).toHaveLength(1);
});

test('a revocation between the two round trips of a mutation reaches its handed-off delivery', async () => {
  const { url, received } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const { counts } = await start({});
  await publishFirst();
  await publish({
    async between() {
      await world.revokeKey(keyId);
      // The row is not committed yet, so no attempt is counted.
      expect(await world.stop({ keyId })).toMatchObject([{ attempts: 0, workers: [{ outcome: 'confirmed' }] }]);
    },
  });
  expect(counts.reserved).toBe(1);
  await until(settled);
  expect((await deliveriesOf(world)).at(-1)).toMatchObject({ status: 'cancelled' });
  expect(received).toHaveLength(1);
});

test('a revocation waits until a handed-off attempt that has begun is off the wire', async () => {
  const { url, state } = await keepingReceiver();
  await world.addEndpoint(url, keyId);
  const client = createOutboundClient({ allowHosts: [new URL(url).host] });
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  // The socket of a stopped request closes late.
  const post: typeof client.post = async (request) => {
    const result = await client.post(request);
    if (state.isKeeping) await closed;
    return result;
  };
  try {
    await start({ outbound: { ...client, post } });
    await publishFirst();
    state.isKeeping = true;
    await publish();
    await until(() => state.kept.length === 1);
    await world.revokeKey(keyId);
    let isOver = false;
    const stopping = world.stop({ keyId }).then((stopped) => {
      isOver = true;
      return stopped;
    });
    await until(() => state.closed === 1);
    expect([isOver, (await world.rows('select from stops')).length]).toEqual([false, 1]);
    close();
    expect(await stopping).toMatchObject([{ attempts: 1, workers: [{ outcome: 'confirmed' }] }]);
    await until(settled);
    expect((await deliveriesOf(world)).at(-1)?.outcomes).toEqual(['aborted_by_revoke']);
  } finally {
    close();
    await client.close();
  }
});
