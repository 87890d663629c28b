// How far claims look into an endpoint's queue, and how much is remembered of it.
import { expect, test } from 'vitest';
import type { LanePlan } from './lanes.ts';
import { createLooks } from './looks.ts';

const lane = (endpointId: string): LanePlan => ({ appId: 'app', endpointId, room: 10, ratePerSecond: null });
const lookAt = (looks: ReturnType<typeof createLooks>, endpointId: string): number | undefined =>
  looks.at([lane(endpointId)])[0]?.look;
const refuseAll = (looks: ReturnType<typeof createLooks>, endpointId: string): void => {
  const lanes = looks.at([lane(endpointId)]);
  looks.note(lanes, new Map(lanes.map((one) => [one.endpointId, one.look])));
};

test('a claim looks further after one that refused everything, up to a bound, and not after one that allowed something', () => {
  const looks = createLooks();
  const seen = [1, 2, 3, 4].map(() => {
    const look = lookAt(looks, 'a');
    refuseAll(looks, 'a');
    return look;
  });
  expect(seen).toEqual([10, 80, 500, 500]);
  looks.note(looks.at([lane('a')]), new Map([['a', 499]]));
  expect(lookAt(looks, 'a')).toBe(10);
});

test('only so many endpoints are remembered, and the one that was noted longest ago is forgotten first', () => {
  const looks = createLooks(100);
  for (let n = 0; n < 1_000; n++) {
    refuseAll(looks, 'steady');
    refuseAll(looks, `gone ${n}`);
  }
  expect(looks.size()).toBe(100);
  expect([lookAt(looks, 'steady'), lookAt(looks, 'gone 999'), lookAt(looks, 'gone 0')]).toEqual([500, 80, 10]);
});
