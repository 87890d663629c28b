import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createDelayLimiter } from './delay-limiter.ts';

const HOUR_MS = 3_600_000;

test('a wait ends when its client disconnects, and makes room for the next', async () => {
  const waits = createDelayLimiter({ perApp: 2, total: 1 });
  const caller = (destroyed: boolean) => Object.assign(new EventEmitter(), { destroyed });
  const [first, second] = [caller(false), caller(false)];
  const waiting = waits.wait('an app', HOUR_MS, first);
  expect(await waits.wait('another app', 1, second)).toBe(false);
  first.emit('close');
  expect(await waiting).toBe(true);
  expect(await waits.wait('another app', 1, second)).toBe(true);
  expect(second.listenerCount('close')).toBe(0);
  expect(await waits.wait('an app', HOUR_MS, caller(true))).toBe(true);
});
