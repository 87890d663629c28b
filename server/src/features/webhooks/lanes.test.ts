import { describe, expect, test } from 'vitest';
import { type Load, MAX_PER_APP, MAX_PER_ENDPOINT, planLanes } from './lanes.ts';

const load = (endpoints: Record<string, number> = {}, apps: Record<string, number> = {}, total = 0): Load => ({
  total: total || Object.values(endpoints).reduce((sum, count) => sum + count, 0),
  ofEndpoint: (id) => endpoints[id] ?? 0,
  ofApp: (id) => apps[id] ?? 0,
});
const due = (...names: string[]) => names.map((name) => ({ app_id: `app of ${name}`, endpoint_id: name }));
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
    const lanes = Array.from({ length: 20 }, (_, index) => ({ app_id: 'one', endpoint_id: `e${index}` }));
    const plan = planLanes([...lanes, ...due('other')], load({}, { one: 2 }, 2), 128);
    const { other, ...ofOne } = roomOf(plan);
    expect(Object.values(ofOne).reduce((sum, room) => sum + room, 0)).toBe(MAX_PER_APP - 2);
    expect(other).toBe(MAX_PER_ENDPOINT);
  });

  test('are never more than are free in all', () => {
    expect(planLanes(due('a'), load({}, {}, 128), 128)).toEqual([]);
    expect(roomOf(planLanes(due('a', 'b'), load({}, {}, 125), 128))).toEqual({ a: 2, b: 1 });
  });
});
