import { describe, expect, test } from 'vitest';
import { noCounts, type ReceiverSpeed, type SpeedCounts } from '../../../kit/outbound/host-budget.ts';
import { createEndpointSpeeds, FIRST_PER_FAST_ENDPOINT, MAX_PER_SLOW_ENDPOINT } from '../attempt/in-flight-attempts.ts';
import {
  type DispatchLoad,
  type DueQueueRow,
  hostOf,
  MAX_PER_APP,
  MAX_PER_HOST,
  msUntilRateAllows,
  planQueues,
  type SpeedLoad,
} from './queue-plan.ts';

const MAX_PER_ENDPOINT = FIRST_PER_FAST_ENDPOINT;
/** Returns a load with only the given attempts in flight; endpoints have the slots of their speed. */
const speedLoad = (of: SpeedLoad['of'], rest: Partial<SpeedLoad> = {}): SpeedLoad => ({
  of,
  slotsOf: (id) => createEndpointSpeeds().slotsOf(id, of(id)),
  ofHost: noCounts,
  notFast: 0,
  notFastOfApp: () => 0,
  ...rest,
});
const ALL_FAST = speedLoad(() => 'fast');
const load = (
  endpoints: Record<string, number> = {},
  apps: Record<string, number> = {},
  total = 0,
  speeds: SpeedLoad = ALL_FAST,
): DispatchLoad => ({
  speeds: () => speeds,
  total: total || Object.values(endpoints).reduce((sum, count) => sum + count, 0),
  ofEndpoint: (id) => endpoints[id] ?? 0,
  ofApp: (id) => apps[id] ?? 0,
});
const queue = (name: string, changes: Partial<DueQueueRow> = {}): DueQueueRow => ({
  app_id: `app of ${name}`,
  endpoint_id: name,
  url: `https://${name}.example.org/hooks`,
  rate_per_second: null,
  wait_ms: 0,
  ...changes,
});
const due = (...names: string[]) => names.map((name) => queue(name));
const slotsByQueue = (plan: ReturnType<typeof planQueues>) =>
  Object.fromEntries(plan.map(({ endpointId, slots }) => [endpointId, slots]));

describe('slots of queues', () => {
  test('the slots of an endpoint are limited, and a full queue gets none', () => {
    expect(slotsByQueue(planQueues(due('a', 'b', 'c'), load({ b: 5, c: MAX_PER_ENDPOINT }), 128))).toEqual({
      a: MAX_PER_ENDPOINT,
      b: MAX_PER_ENDPOINT - 5,
    });
  });

  test('an endpoint whose limit has grown gets that many slots, dealt one at a time to all queues', () => {
    const grown = speedLoad(() => 'fast', { slotsOf: (id) => (id === 'grown' ? 32 : 8) });
    expect(slotsByQueue(planQueues(due('grown', 'other'), load({}, {}, 0, grown), 128))).toEqual({
      grown: 32,
      other: 8,
    });
    expect(slotsByQueue(planQueues(due('grown', 'other'), load({ grown: 4 }, {}, 4, grown), 14))).toEqual({
      grown: 3,
      other: 7,
    });
  });

  test('queues without slots are dealt first, so a hanging backlog delays no other queue', () => {
    expect(slotsByQueue(planQueues(due('hanging', 'quick', 'other'), load({ hanging: 6 }), 10))).toEqual({
      quick: 2,
      other: 2,
    });
    expect(slotsByQueue(planQueues(due('hanging', 'quick'), load({ hanging: 7 }), 8))).toEqual({ quick: 1 });
  });

  test('the slots of an app are limited, however many endpoints it has', () => {
    const queues = Array.from({ length: 20 }, (_, index) => queue(`e${index}`, { app_id: 'one' }));
    const plan = planQueues([...queues, ...due('other')], load({}, { one: 2 }, 2), 128);
    const { other, ...ofOne } = slotsByQueue(plan);
    expect(Object.values(ofOne).reduce((sum, slots) => sum + slots, 0)).toBe(MAX_PER_APP - 2);
    expect(other).toBe(MAX_PER_ENDPOINT);
  });

  test('queues are never dealt more than the free slots of the worker', () => {
    expect(planQueues(due('a'), load({}, {}, 128), 128)).toEqual([]);
    expect(slotsByQueue(planQueues(due('a', 'b'), load({}, {}, 125), 128))).toEqual({ a: 2, b: 1 });
  });

  describe('slots of one host', () => {
    const VICTIM = 'victim.example.org';
    /** Forty queues of each speed, of as many apps, in the order fast, unknown, slow. */
    const queues = (['fast', 'unknown', 'slow'] as const).flatMap((speed) =>
      Array.from({ length: 40 }, (_, index) =>
        queue(`${speed}${index}`, { url: `https://Victim.example.org/?${index}` }),
      ),
    );
    const speedOf = (id: string): ReceiverSpeed =>
      id.startsWith('slow') ? 'slow' : id.startsWith('unknown') ? 'unknown' : 'fast';
    /** Returns how many slots each speed is dealt, given the attempts in flight to the host. */
    function dealt(only: readonly ReceiverSpeed[], inFlight: Partial<SpeedCounts> = {}): SpeedCounts {
      const counts = { ...noCounts(), ...inFlight };
      const speeds = speedLoad(speedOf, { ofHost: () => counts });
      const plan = planQueues(
        queues.filter(({ endpoint_id }) => only.includes(speedOf(endpoint_id))),
        load({}, {}, 1, speeds),
        256,
      );
      const sums = noCounts();
      for (const { endpointId, slots } of plan) sums[speedOf(endpointId)] += slots;
      return sums;
    }

    test('fast endpoints get all slots of a host if there are no others, and as many more wait in the outbound client', () => {
      expect(dealt(['fast'])).toEqual({ ...noCounts(), fast: 2 * MAX_PER_HOST });
    });

    test('slow endpoints get at most sixteen slots of a host and unknown ones at most four, even if no other is due', () => {
      expect(dealt(['slow'])).toEqual({ ...noCounts(), slow: 16 });
      expect(dealt(['unknown'])).toEqual({ ...noCounts(), unknown: 4 });
    });

    test('fast endpoints get at least twelve slots of a host next to others, and as many more wait', () => {
      expect(dealt(['fast'], { slow: 16, unknown: 4 }).fast).toBe(2 * 12);
      expect(dealt(['fast'], { slow: 16, hanging: 20 }).fast).toBe(2 * 16);
      expect(dealt(['fast'], { slow: 16, hanging: 32, unknown: 4 }).fast).toBe(2 * 12);
    });

    test('unknown endpoints get no slot that slow and fast ones need of the sixty-four of a host', () => {
      expect(dealt(['slow', 'unknown'], { hanging: 35 })).toEqual({ ...noCounts(), unknown: 1, slow: 16 });
      expect(dealt(['slow', 'unknown'], { hanging: 36 })).toEqual({ ...noCounts(), slow: 16 });
    });

    test('the limit of a host takes no slots from other hosts', () => {
      const counts = (host: string) => (host === VICTIM ? { ...noCounts(), fast: 64 } : noCounts());
      const speeds = speedLoad(speedOf, { ofHost: counts });
      const plan = planQueues([...queues, ...due('fast elsewhere')], load({}, {}, 64, speeds), 256);
      expect(slotsByQueue(plan)['fast elsewhere']).toBe(MAX_PER_ENDPOINT);
    });
  });

  test('a queue whose rate is used up gets no slots, however many such queues there are', () => {
    const paced = Array.from({ length: 200 }, (_, index) =>
      queue(`e${index}`, { rate_per_second: 5, wait_ms: 100 + index }),
    );
    expect(slotsByQueue(planQueues([...paced, ...due('quick')], load(), 8))).toEqual({ quick: MAX_PER_ENDPOINT });
    expect(msUntilRateAllows(paced)).toBe(100);
    expect(msUntilRateAllows(due('quick'))).toBeUndefined();
  });

  test('the queue of a deleted endpoint gets slots, because its claim cancels its deliveries', () => {
    expect(slotsByQueue(planQueues([queue('gone', { url: null })], load(), 8))).toEqual({ gone: MAX_PER_ENDPOINT });
  });

  describe('slots of slow queues', () => {
    const slow = (total: number, ofApp: number): SpeedLoad =>
      speedLoad((id) => (id.startsWith('slow') ? 'slow' : id.startsWith('new') ? 'unknown' : 'fast'), {
        notFast: total,
        notFastOfApp: () => ofApp,
      });

    test('a slow queue gets few slots', () => {
      expect(slotsByQueue(planQueues(due('slow', 'new', 'quick'), load({}, {}, 0, slow(0, 0)), 128))).toEqual({
        slow: MAX_PER_SLOW_ENDPOINT,
        new: 1,
        quick: MAX_PER_ENDPOINT,
      });
    });

    test('hanging attempts of a worker leave their slots to others, up to half as many again', () => {
      const hanging = (total: number) => planQueues(due('quick'), load({}, {}, total, slow(total, 0)), 256);
      expect(slotsByQueue(hanging(288))).toEqual({ quick: MAX_PER_ENDPOINT });
      expect(hanging(384)).toEqual([]);
    });

    test('slow queues get at most half of all slots, however many attempts hang', () => {
      const many = Array.from({ length: 100 }, (_, index) => `slow${index}`);
      const plan = slotsByQueue(planQueues(due(...many, 'quick'), load({}, {}, 0, slow(0, 0)), 128));
      const { quick, ...hanging } = plan;
      expect(quick).toBe(MAX_PER_ENDPOINT);
      expect(Object.values(hanging).reduce((sum, slots) => sum + slots, 0)).toBe(64);
      expect(slotsByQueue(planQueues(due('slow', 'quick'), load({}, {}, 64, slow(64, 0)), 128))).toEqual({
        quick: MAX_PER_ENDPOINT,
      });
    });

    test('slow queues of an app take slots from its fast ones only up to half, until the app has forty-eight in flight', () => {
      const queues = ['slow', 'quick', 'other', 'third'].map((id) => queue(id, { app_id: 'one' }));
      expect(slotsByQueue(planQueues(queues, load({}, { one: 32 }, 32, slow(32, 32)), 128))).toEqual({
        quick: 6,
        other: 5,
        third: 5,
      });
      expect(planQueues(queues, load({}, { one: 48 }, 48, slow(48, 48)), 128)).toEqual([]);
      expect(planQueues(queues, load({}, { one: 40 }, 40, slow(24, 24)), 128)).toEqual([]);
    });

    test('slow queues get at most half of an app’s slots, so they delay no other queue of the app', () => {
      const queues = ['slow', 'quick'].map((id) => queue(id, { app_id: 'one' }));
      const half = MAX_PER_APP / 2;
      expect(slotsByQueue(planQueues(queues, load({}, { one: half }, half, slow(half, half)), 128))).toEqual({
        quick: MAX_PER_ENDPOINT,
      });
    });
  });
});

test('a destination is a host and a port, however the URL spells them', () => {
  expect(hostOf('https://EXAMPLE.org:443/a')).toBe(hostOf('https://example.org/b'));
  expect(hostOf('https://example.org./a')).toBe(hostOf('https://example.org/b'));
  expect(hostOf('https://example.org.:8443/')).toBe(hostOf('https://example.org:8443/'));
  expect(hostOf('https://example.org:8443/')).not.toBe(hostOf('https://example.org/'));
});
