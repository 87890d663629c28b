import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceiverSpeed } from './host-budget.ts';
import { createHostSlots, type SlotRequest } from './host-slots.ts';
import { LightAbortController } from './light-abort.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOST = 'receiver.example.org';

/** Creates a host with 32 slots. */
function opened() {
  const slots = createHostSlots(32);
  const entered: string[] = [];
  const slowed: string[] = [];
  const pace = (name: string, speed: ReceiverSpeed): SlotRequest => ({
    speed,
    onEnter: () => void entered.push(name),
    onSlow: () => void slowed.push(name),
  });
  return {
    slots,
    entered,
    slowed,
    pace,
    /** Takes all slots that are free. Returns their releases. */
    fill(speed: ReceiverSpeed, most = 100): (() => void)[] {
      const releases: (() => void)[] = [];
      for (let at = 0; at < most; at += 1) {
        const release = slots.take(HOST, pace(speed, speed));
        if (release) releases.push(release);
      }
      return releases;
    },
    /** Waits for a slot until the returned signal stops. */
    wait(name: string, speed: ReceiverSpeed): LightAbortController {
      const stopper = new LightAbortController();
      void slots.wait(HOST, stopper, pace(name, speed));
      return stopper;
    },
  };
}

test('slow requests take sixteen slots of a host, unknown ones four, and twelve remain for fast ones', () => {
  const { fill } = opened();
  expect([fill('slow').length, fill('unknown').length, fill('fast').length]).toEqual([16, 4, 12]);
});

test('fast requests take all free slots of a host, and another host has its own', () => {
  const { fill, slots, pace } = opened();
  expect([fill('fast').length, fill('slow').length, fill('unknown').length]).toEqual([32, 0, 0]);
  expect(slots.take('other.example.org', pace('other', 'slow'))).toBeDefined();
});

test('a request that hangs leaves its slot to the next, at most sixty-four in all', () => {
  const { fill, slowed, entered, wait } = opened();
  fill('fast');
  for (let at = 0; at < 40; at += 1) wait('waited', 'fast');
  vi.advanceTimersByTime(249);
  expect([slowed.length, entered.length]).toEqual([0, 32]);
  vi.advanceTimersByTime(1);
  expect([slowed.length, entered.length]).toEqual([32, 64]);
  vi.advanceTimersByTime(1_000);
  expect([slowed.length, entered.length]).toEqual([64, 64]);
});

test('unknown requests that hang leave sixteen of the sixty-four to slow ones and twelve to fast ones', () => {
  const { fill, wait, entered } = opened();
  fill('unknown');
  for (let at = 0; at < 100; at += 1) wait('unknown', 'unknown');
  vi.advanceTimersByTime(60_000);
  expect([entered.length, fill('slow').length, fill('fast').length]).toEqual([36, 16, 12]);
});

test.each<[ReceiverSpeed, number]>([
  ['slow', 16],
  ['unknown', 0],
  ['fast', 16],
])('forty-eight requests that hang, as many as one app may have, leave %s ones %i slots', (speed, count) => {
  const { fill } = opened();
  fill('fast');
  vi.advanceTimersByTime(250);
  fill('fast', 16);
  vi.advanceTimersByTime(250);
  expect(fill(speed)).toHaveLength(count);
});

test('thirty-two requests that hang, as many as one endpoint may have, take no slot from slow and unknown ones', () => {
  const { fill } = opened();
  fill('fast');
  vi.advanceTimersByTime(250);
  expect([fill('slow').length, fill('unknown').length, fill('fast').length]).toEqual([16, 4, 12]);
});

test('each speed has its own queue: waiting slow requests delay no fast one, and none starves', () => {
  const { fill, wait, entered } = opened();
  const slow = fill('slow');
  for (let at = 0; at < 10; at += 1) wait(`slow ${at}`, 'slow');
  const fast = fill('fast');
  expect(fast).toHaveLength(16);
  for (let at = 0; at < 3; at += 1) wait(`fast ${at}`, 'fast');
  entered.length = 0;
  fast[0]?.();
  expect(entered).toEqual(['fast 0']);
  slow[0]?.();
  slow[1]?.();
  expect(entered.filter((name) => name.startsWith('slow')).length).toBeGreaterThan(0);
});

test('a wait ends without a slot when its signal fires', async () => {
  const { fill, slots, pace, wait, entered } = opened();
  const [release] = fill('slow');
  const stopper = new LightAbortController();
  const waiting = slots.wait(HOST, stopper, pace('stopped', 'slow'));
  wait('next', 'slow');
  stopper.stop();
  expect(await waiting).toBeUndefined();
  release?.();
  expect(entered).toContain('next');
  expect(entered).not.toContain('stopped');
});

test('a request without a pace counts as fast for as long as it lasts', () => {
  const slots = createHostSlots(32);
  for (let at = 0; at < 32; at += 1) expect(slots.take(HOST)).toBeDefined();
  vi.advanceTimersByTime(60_000);
  expect(slots.take(HOST)).toBeUndefined();
});
