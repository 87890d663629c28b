import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWakeUps } from './wake-ups.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened() {
  const notify = vi.fn(async (_endpointIds: readonly string[]) => {});
  const { wake, attach, handOff } = createWakeUps(notify, () => {});
  return {
    handOff,
    wake: (...endpointIds: string[]) => wake(new Set(endpointIds)),
    wakeAll: () => wake(),
    notices: () => notify.mock.calls.map(([endpointIds]) => endpointIds),
    /** Attaches a dispatcher that has a free slot or not. Returns the calls that it got. */
    dispatcher(mayClaim: boolean) {
      const calls: (string[] | undefined)[] = [];
      const detach = attach({
        wake(endpointIds) {
          calls.push(endpointIds && [...endpointIds]);
          return mayClaim;
        },
        handOff: { open: () => (mayClaim ? () => undefined : undefined) },
      });
      return { calls, detach };
    },
  };
}

test('the first wake-up notifies immediately, and those of the next five milliseconds share one notification', () => {
  const { wake, notices } = opened();
  wake('a');
  expect(notices()).toEqual([['a']]);
  wake('b');
  wake('c', 'b');
  vi.advanceTimersByTime(4);
  expect(notices()).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(notices()).toEqual([['a'], ['b', 'c']]);
  vi.advanceTimersByTime(100);
  wake('d');
  expect(notices()).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('a notification names no endpoint if one of its wake-ups named none', () => {
  const { wake, wakeAll, notices } = opened();
  wake('a');
  wake('b');
  wakeAll();
  vi.advanceTimersByTime(5);
  expect(notices()).toEqual([['a'], []]);
});

test('a mutation that queued nothing wakes no dispatcher', () => {
  const { wake, notices, dispatcher } = opened();
  const { calls } = dispatcher(true);
  wake();
  expect([calls, notices()]).toEqual([[], []]);
});

test('the dispatcher of this process is called, and other processes are not notified while it may claim', () => {
  const { wake, notices, dispatcher } = opened();
  const { calls } = dispatcher(true);
  wake('a');
  expect([calls, notices()]).toEqual([[['a']], []]);
});

test('other processes are notified when the dispatcher of this process may not claim, and after it stops', () => {
  const { wake, notices, dispatcher } = opened();
  const { calls, detach } = dispatcher(false);
  wake('a');
  expect([calls, notices()]).toEqual([[['a']], [['a']]]);
  detach();
  vi.advanceTimersByTime(5);
  wake('b');
  expect([calls.length, notices()]).toEqual([1, [['a'], ['b']]]);
});

test('a wake-up without names goes to the dispatcher of this process and to all others', () => {
  const { wakeAll, notices, dispatcher } = opened();
  const { calls } = dispatcher(true);
  wakeAll();
  expect([calls, notices()]).toEqual([[undefined], [[]]]);
});

test('the hand-off is open while a dispatcher of this process is attached and may take deliveries', () => {
  const { handOff, dispatcher } = opened();
  expect(handOff.open()).toBeUndefined();
  dispatcher(false);
  expect(handOff.open()).toBeUndefined();
  const { detach } = dispatcher(true);
  expect(handOff.open()).toBeDefined();
  detach();
  expect(handOff.open()).toBeUndefined();
});
