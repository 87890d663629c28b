// Tests how far claims look into an endpoint's queue, and how many endpoints are remembered.
import { expect, test } from 'vitest';
import { createExamineLimits } from './claim-round.ts';
import type { QueuePlan } from './queue-plan.ts';

const queue = (endpointId: string): QueuePlan => ({ appId: 'app', endpointId, slots: 10, ratePerSecond: null });
const lookAt = (looks: ReturnType<typeof createExamineLimits>, endpointId: string): number | undefined =>
  looks.at([queue(endpointId)])[0]?.examineLimit;
const refuseAll = (looks: ReturnType<typeof createExamineLimits>, endpointId: string): void => {
  const queues = looks.at([queue(endpointId)]);
  looks.note(queues, new Map(queues.map((one) => [one.endpointId, one.examineLimit])));
};

test('a claim looks further, up to a limit, after a claim that refused everything, but not after one with an allowed delivery', () => {
  const looks = createExamineLimits();
  const seen = [1, 2, 3, 4].map(() => {
    const examineLimit = lookAt(looks, 'a');
    refuseAll(looks, 'a');
    return examineLimit;
  });
  expect(seen).toEqual([10, 80, 500, 500]);
  looks.note(looks.at([queue('a')]), new Map([['a', 499]]));
  expect(lookAt(looks, 'a')).toBe(10);
});

test('the number of remembered endpoints is limited, and the least recently noted one is forgotten first', () => {
  const looks = createExamineLimits(100);
  for (let n = 0; n < 1_000; n++) {
    refuseAll(looks, 'steady');
    refuseAll(looks, `gone ${n}`);
  }
  expect(looks.size()).toBe(100);
  expect([lookAt(looks, 'steady'), lookAt(looks, 'gone 999'), lookAt(looks, 'gone 0')]).toEqual([500, 80, 10]);
});
