import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OfferedDelivery } from '../../webhooks/index.ts';
import { createInFlightAttempts } from '../attempt/in-flight-attempts.ts';
import type { WorkerRegistration } from '../workers/pre-send-check.ts';
import type { ClaimedDeliveryRow, DeliveryClaim } from './claim-store.ts';
import { type Backlog, createHandOff } from './hand-off.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const REGISTRATION: WorkerRegistration = { workerId: 'a worker', leaseUntilMs: 1_000_000 };
const SETTINGS = {
  url: 'https://receiver.example.org/hooks',
  sealed_secret: Buffer.from('sealed'),
  sealed_previous_secret: null,
  sealed_headers: null,
  schedule_speed: 1,
  is_failing: false,
};

const offered = (delivery_id = 'a delivery', changes: Partial<OfferedDelivery> = {}): OfferedDelivery => ({
  app_id: 'an app',
  delivery_id,
  endpoint_id: 'an endpoint',
  event_id: 'an event',
  key_id: 'a key',
  server_id: 'a server',
  trigger: 'scheduled',
  schema_version: 2,
  epoch: 4,
  key_life_ms: 30_000,
  endpoint_version: '71',
  ...changes,
});

/** Returns a hand-off whose worker has claimed a delivery to the endpoint. */
function known(changes: Partial<ClaimedDeliveryRow> = {}) {
  const inFlight = createInFlightAttempts();
  const state = {
    registration: REGISTRATION as WorkerRegistration | undefined,
    backlog: 'none' as Backlog,
    begun: [] as DeliveryClaim[],
    released: 0,
  };
  const { note, open } = createHandOff({
    inFlight,
    maxInFlight: 256,
    admit: () => state.registration,
    backlog: () => state.backlog,
    toToken: ({ app_id, key_id, server_id, endpoint_id, epoch, key_life_ms }, registration, askedMs) => ({
      appId: app_id,
      keyId: key_id,
      serverId: server_id,
      endpointId: endpoint_id,
      epoch,
      beginByMs: askedMs + key_life_ms,
      registration,
    }),
    addAttempt: ({ delivery_id }, claimToken) =>
      inFlight.add({ deliveryId: delivery_id, endpointId: claimToken.endpointId, host: 'a host', claimToken }),
    begin: (claim) => void state.begun.push(claim),
    onRelease() {
      state.released += 1;
    },
  });
  // One quick attempt makes the endpoint fast: it then has several slots.
  const of = { appId: 'an app', keyId: 'a key', serverId: null, endpointId: 'an endpoint' };
  const token = { ...of, epoch: 0, beginByMs: 0, registration: REGISTRATION };
  const earlier = inFlight.add({ deliveryId: 'earlier', endpointId: 'an endpoint', host: 'a host', claimToken: token });
  earlier.onEnter();
  earlier.durationUs = 1_000;
  inFlight.remove(earlier);
  const claimed = {
    endpoint_id: 'an endpoint',
    endpoint_version: '71',
    rate_per_second: null,
    ...SETTINGS,
    ...changes,
  };
  note(claimed as ClaimedDeliveryRow); // the columns that are read
  return { inFlight, open, reserve: (delivery: OfferedDelivery) => open()?.(delivery), state };
}

test('a reservation takes a slot, and its attempt begins with the row of the mutation and the settings of the last claim', () => {
  const { inFlight, open, state } = known();
  const askedMs = performance.now();
  const reserve = open();
  vi.advanceTimersByTime(500);
  const reservation = reserve?.(offered());
  expect([reservation?.workerId, inFlight.ofEndpoint('an endpoint')]).toEqual(['a worker', 1]);
  expect(inFlight.deliveryIds()).toEqual(['a delivery']);
  reservation?.begin('{"a":"body"}');
  expect(state.begun).toMatchObject([
    {
      row: { ...offered(), ...SETTINGS, attempt_no: 1, is_ordered: false, body: '{"a":"body"}' },
      token: {
        epoch: 4,
        beginByMs: askedMs + 30_000,
        keyId: 'a key',
        serverId: 'a server',
        registration: REGISTRATION,
      },
    },
  ]);
});

test('a reservation that is given back frees its slot, and the worker looks for its row', () => {
  const { inFlight, reserve, state } = known();
  reserve(offered())?.release();
  expect([inFlight.total, inFlight.unrecorded, state.released, state.begun.length]).toEqual([0, 0, 1, 0]);
});

test.each<[string, Partial<ClaimedDeliveryRow>, Partial<OfferedDelivery>?]>([
  ['has a rate', { rate_per_second: 5 }],
  ['signs with two secrets', { sealed_previous_secret: Buffer.from('previous') }],
  ['is failing', { is_failing: true }],
  ['has changed since its last claim', {}, { endpoint_version: '72' }],
  ['was not claimed yet', {}, { endpoint_id: 'another endpoint' }],
])('no slot is reserved for an endpoint that %s', (_, claimed, changes) => {
  expect(known(claimed).reserve(offered('a delivery', changes))).toBeUndefined();
});

test('no slot is reserved for an endpoint whose last claim is a minute ago', () => {
  const { reserve } = known();
  vi.advanceTimersByTime(59_999);
  expect(reserve(offered('one'))).toBeDefined();
  vi.advanceTimersByTime(1);
  expect(reserve(offered('two'))).toBeUndefined();
});

test('no slot is reserved while the worker may not begin attempts, and under a registration that is newer than the read', () => {
  const { open, state } = known();
  const before = open();
  state.registration = undefined;
  expect([open(), before?.(offered())]).toEqual([undefined, undefined]);
  state.registration = { ...REGISTRATION, workerId: 'the same worker later' };
  expect(before?.(offered())).toBeUndefined();
  expect(open()?.(offered())).toBeDefined();
});

test('an endpoint gets as many slots as the plan of claims gives it', () => {
  const { inFlight, reserve } = known();
  const reserved = Array.from({ length: 20 }, (_, at) => reserve(offered(`delivery ${at}`)));
  expect(reserved.filter(Boolean)).toHaveLength(inFlight.speeds().slotsOf('an endpoint'));
});

test('while due deliveries of any endpoint wait for slots, an endpoint gets a slot only without an attempt in flight', () => {
  const { reserve, state } = known();
  state.backlog = 'any';
  expect(reserve(offered('one'))).toBeDefined();
  expect(reserve(offered('two'))).toBeUndefined();
  state.backlog = 'none';
  expect(reserve(offered('three'))).toBeDefined();
});

test('a fast endpoint gets its slots while only deliveries of slow endpoints wait', () => {
  const { inFlight, reserve, state } = known();
  state.backlog = 'notFast';
  const reserved = Array.from({ length: 20 }, (_, at) => reserve(offered(`delivery ${at}`)));
  expect(reserved.filter(Boolean)).toHaveLength(inFlight.speeds().slotsOf('an endpoint'));
});

test.each([
  ['its app', 'an app', 16],
  ['the worker', 'another app', 128],
])('a fast endpoint gets one slot while slow endpoints wait and fast ones hold half of the slots of %s', (_, appId, held) => {
  const { inFlight, reserve, state } = known();
  state.backlog = 'notFast';
  const holdSlot = (at: number) => {
    const claimToken = { appId, keyId: 'a key', serverId: null, endpointId: 'a fast endpoint', epoch: 0, beginByMs: 0 };
    const delivery = { deliveryId: `other ${at}`, endpointId: 'a fast endpoint', host: `host ${at}` };
    return inFlight.add({ ...delivery, claimToken: { ...claimToken, registration: REGISTRATION } });
  };
  const ended = holdSlot(0);
  ended.onEnter();
  ended.durationUs = 1_000;
  inFlight.remove(ended);
  for (let at = 1; at < held; at++) holdSlot(at);
  expect(reserve(offered('one'))).toBeDefined();
  expect(reserve(offered('two'))).toBeUndefined();
});

test('an endpoint that became slow gets one slot while slow endpoints wait', () => {
  const { inFlight, reserve, state } = known();
  state.backlog = 'notFast';
  expect(reserve(offered('one'))).toBeDefined();
  const claimToken = {
    appId: 'an app',
    keyId: 'a key',
    serverId: null,
    endpointId: 'an endpoint',
    epoch: 0,
    beginByMs: 0,
  };
  for (let at = 0; at < 4; at++) {
    const delivery = { deliveryId: `slow ${at}`, endpointId: 'an endpoint', host: 'a host' };
    const slow = inFlight.add({ ...delivery, claimToken: { ...claimToken, registration: REGISTRATION } });
    slow.onEnter();
    slow.durationUs = 5_000_000;
    inFlight.remove(slow);
  }
  expect(inFlight.speeds().of('an endpoint')).toBe('slow');
  expect(reserve(offered('two'))).toBeUndefined();
});
