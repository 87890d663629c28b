import { describe, expect, test } from 'vitest';
import {
  type DueLaneRow,
  hostOf,
  type Load,
  MAX_PER_APP,
  MAX_PER_ENDPOINT,
  MAX_PER_HOST,
  MAX_PER_SLOW_ENDPOINT,
  nextRoomInMs,
  planLanes,
  type SlowLoad,
} from './lanes.ts';

const NONE_SLOW: SlowLoad = { isSlow: () => false, total: 0, ofApp: () => 0 };
const load = (
  endpoints: Record<string, number> = {},
  apps: Record<string, number> = {},
  total = 0,
  slow: SlowLoad = NONE_SLOW,
  hosts: Record<string, number> = {},
): Load => ({
  slow: () => slow,
  total: total || Object.values(endpoints).reduce((sum, count) => sum + count, 0),
  ofEndpoint: (id) => endpoints[id] ?? 0,
  ofApp: (id) => apps[id] ?? 0,
  ofHost: (host) => hosts[host] ?? 0,
});
const lane = (name: string, changes: Partial<DueLaneRow> = {}): DueLaneRow => ({
  app_id: `app of ${name}`,
  endpoint_id: name,
  url: `https://${name}.example.org/hooks`,
  rate_per_second: null,
  wait_ms: 0,
  ...changes,
});
const due = (...names: string[]) => names.map((name) => lane(name));
const roomOf = (plan: ReturnType<typeof planLanes>) =>
  Object.fromEntries(plan.map(({ endpointId, room }) => [endpointId, room]));

describe('places', () => {
  test('are bounded per endpoint, and a full lane gets none', () => {
    expect(roomOf(planLanes(due('a', 'b', 'c'), load({ b: 5, c: MAX_PER_ENDPOINT }), 128))).toEqual({
      a: MAX_PER_ENDPOINT,
      b: MAX_PER_ENDPOINT - 5,
    });
  });

  test('go first to the lanes that have none, so that a hanging backlog keeps nobody waiting', () => {
    expect(roomOf(planLanes(due('hanging', 'quick', 'other'), load({ hanging: 6 }), 10))).toEqual({
      quick: 2,
      other: 2,
    });
    expect(roomOf(planLanes(due('hanging', 'quick'), load({ hanging: 7 }), 8))).toEqual({ quick: 1 });
  });

  test('are bounded per app, however many endpoints it has', () => {
    const lanes = Array.from({ length: 20 }, (_, index) => lane(`e${index}`, { app_id: 'one' }));
    const plan = planLanes([...lanes, ...due('other')], load({}, { one: 2 }, 2), 128);
    const { other, ...ofOne } = roomOf(plan);
    expect(Object.values(ofOne).reduce((sum, room) => sum + room, 0)).toBe(MAX_PER_APP - 2);
    expect(other).toBe(MAX_PER_ENDPOINT);
  });

  test('are never more than are free in all', () => {
    expect(planLanes(due('a'), load({}, {}, 128), 128)).toEqual([]);
    expect(roomOf(planLanes(due('a', 'b'), load({}, {}, 125), 128))).toEqual({ a: 2, b: 1 });
  });

  test.each([
    ['that answer soon, with as many again that wait at the door', NONE_SLOW, 2 * MAX_PER_HOST],
    ['that do not, as many as the door lets through', { isSlow: () => true, total: 2, ofApp: () => 0 }, MAX_PER_HOST],
  ])('are bounded per destination, whoever sends there, and leave the rest to others: of those %s', (_, slow, most) => {
    const url = 'https://Victim.example.org/hooks?to=me';
    const lanes = Array.from({ length: 40 }, (_, index) => lane(`e${index}`, { url: `${url}${index}` }));
    const plan = planLanes([...lanes, ...due('other')], load({}, {}, 2, slow, { 'victim.example.org': 2 }), 256);
    const { other, ...there } = roomOf(plan);
    expect(Object.values(there).reduce((sum, room) => sum + room, 0)).toBe(most - 2);
    // Dealt one by one, also here: no sender takes the whole host.
    expect(Math.max(...Object.values(there))).toBe(Math.ceil((most - 2) / lanes.length));
    expect(other).toBe(slow === NONE_SLOW ? MAX_PER_ENDPOINT : MAX_PER_SLOW_ENDPOINT);
  });

  test('are not dealt to a lane whose rate is used up, however many such lanes there are', () => {
    const paced = Array.from({ length: 200 }, (_, index) =>
      lane(`e${index}`, { rate_per_second: 5, wait_ms: 100 + index }),
    );
    expect(roomOf(planLanes([...paced, ...due('quick')], load(), 8))).toEqual({ quick: MAX_PER_ENDPOINT });
    expect(nextRoomInMs(paced)).toBe(100);
    expect(nextRoomInMs(due('quick'))).toBeUndefined();
  });

  test('are dealt to the lane of an endpoint that was deleted: its claim cancels what waits', () => {
    expect(roomOf(planLanes([lane('gone', { url: null })], load(), 8))).toEqual({ gone: MAX_PER_ENDPOINT });
  });

  describe('of the slow', () => {
    const slow = (total: number, ofApp: number): SlowLoad => ({
      isSlow: (id) => id.startsWith('slow'),
      total,
      ofApp: () => ofApp,
    });

    test('are few each', () => {
      expect(roomOf(planLanes(due('slow', 'quick'), load({}, {}, 0, slow(0, 0)), 128))).toEqual({
        slow: MAX_PER_SLOW_ENDPOINT,
        quick: MAX_PER_ENDPOINT,
      });
    });

    test('are half of all at most, however many hang', () => {
      const many = Array.from({ length: 100 }, (_, index) => `slow${index}`);
      const plan = roomOf(planLanes(due(...many, 'quick'), load({}, {}, 0, slow(0, 0)), 128));
      const { quick, ...hanging } = plan;
      expect(quick).toBe(MAX_PER_ENDPOINT);
      expect(Object.values(hanging).reduce((sum, room) => sum + room, 0)).toBe(64);
      expect(roomOf(planLanes(due('slow', 'quick'), load({}, {}, 64, slow(64, 0)), 128))).toEqual({
        quick: MAX_PER_ENDPOINT,
      });
    });

    test('are half of an app’s at most, so that they delay no other of the same app', () => {
      const lanes = ['slow', 'quick'].map((id) => lane(id, { app_id: 'one' }));
      const half = MAX_PER_APP / 2;
      expect(roomOf(planLanes(lanes, load({}, { one: half }, half, slow(half, half)), 128))).toEqual({
        quick: MAX_PER_ENDPOINT,
      });
    });
  });
});

test('a destination is a host and a port, in whichever spelling', () => {
  expect(hostOf('https://EXAMPLE.org:443/a')).toBe(hostOf('https://example.org/b'));
  expect(hostOf('https://example.org./a')).toBe(hostOf('https://example.org/b'));
  expect(hostOf('https://example.org.:8443/')).toBe(hostOf('https://example.org:8443/'));
  expect(hostOf('https://example.org:8443/')).not.toBe(hostOf('https://example.org/'));
});
