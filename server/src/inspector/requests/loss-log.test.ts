// A flood of losses produces two log lines per second and hides no loss.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLossLog } from './loss-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startLog() {
  const lines: string[] = [];
  return { lines, log: createLossLog((error) => lines.push(String(error))) };
}

test('logs the first loss immediately and the losses of the following second in one line, then starts again', () => {
  const { lines, log } = startLog();
  for (let at = 1; at <= 1_000; at++) log.report(`req_${at}`, new Error('it was locked'));
  expect(lines).toEqual(['Error: The record of req_1 was given up: it was locked']);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(1)).toEqual(['Error: 999 more records were given up, req_1000 the last: it was locked']);
  vi.advanceTimersByTime(5_000);
  log.report('req_late', 'gone');
  expect(lines.slice(2)).toEqual(['Error: The record of req_late was given up: gone']);
});

test('flush logs the losses that were gathered', () => {
  const { lines, log } = startLog();
  log.report('req_a', 'away');
  log.report('req_b', 'away');
  log.flush();
  log.flush();
  expect(lines.slice(1)).toEqual(['Error: 1 more record was given up, req_b the last: away']);
});
