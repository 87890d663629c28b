import { describe, expect, test } from 'vitest';
import {
  DELAYS_MS,
  nextDelayMs,
  nextStepAfterFailure,
  nextStepAfterResponse,
  parseRetryAfter,
} from './attempt-result.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-02T10:00:00Z');
const turn = (attemptNo: number, random = 0, speed = 1) => ({ attemptNo, random, speed });
const answered = (status: number, retryAfter?: string, attemptNo = 1, speed = 1) =>
  nextStepAfterResponse({ status, retryAfter }, turn(attemptNo, 0, speed), NOW_MS);

describe('retry schedule', () => {
  test('makes ten attempts over 75 hours, the first immediately', () => {
    const waitsMs = [0];
    for (let attemptNo = 1; ; attemptNo += 1) {
      const delayMs = nextDelayMs(turn(attemptNo));
      if (delayMs === undefined) break;
      waitsMs.push(delayMs);
    }
    expect(waitsMs).toEqual(DELAYS_MS);
    expect(waitsMs).toHaveLength(10);
    expect(Math.floor(waitsMs.reduce((sum, delayMs) => sum + delayMs, 0) / HOUR_MS)).toBe(75);
  });

  test('adds up to a fifth, so that receivers that failed together are not called together', () => {
    expect(nextDelayMs(turn(1))).toBe(5_000);
    expect(nextDelayMs(turn(1, 0.5))).toBe(5_500);
    expect(nextDelayMs(turn(9, 0.999_999))).toBeLessThanOrEqual(28.8 * HOUR_MS);
  });

  test('ends after the tenth attempt, and after any later number', () => {
    expect(nextDelayMs(turn(10), 1_000)).toBeUndefined();
    expect(nextStepAfterFailure(turn(11))).toEqual({ next: 'failed', isGone: false });
  });
});

describe('faster schedule', () => {
  test.each([60, 3600] as const)('the schedule x%i divides every delay and its jitter by that factor', (speed) => {
    for (let attemptNo = 1; attemptNo < 10; attemptNo += 1) {
      for (const random of [0, 0.5, 0.999_999]) {
        const slowMs = nextDelayMs(turn(attemptNo, random)) ?? 0;
        expect(nextDelayMs(turn(attemptNo, random, speed))).toBeCloseTo(slowMs / speed, -1);
      }
    }
    expect(nextDelayMs(turn(10, 0, speed))).toBeUndefined();
  });

  test('a faster schedule does not shorten the time that the receiver asks for', () => {
    expect(answered(429, '60', 9, 3600)).toEqual({ next: 'waiting', inMs: 60_000 });
    expect(answered(500, '60', 9, 3600)).toEqual({ next: 'waiting', inMs: 24_000 });
  });
});

describe('Retry-After header', () => {
  test('Retry-After is parsed as seconds or as an HTTP-date only', () => {
    expect(parseRetryAfter(' 120 ', NOW_MS)).toBe(120_000);
    expect(parseRetryAfter('Mon, 02 Nov 2026 10:02:00 GMT', NOW_MS)).toBe(120_000);
    expect(parseRetryAfter('Monday, 02-Nov-26 10:02:00 GMT', NOW_MS)).toBe(120_000);
    expect(parseRetryAfter('Mon, 02 Nov 2026 09:00:00 GMT', NOW_MS)).toBe(0);
    for (const odd of [undefined, '', '-5', '1.5', 'soon', 'Monday 2']) {
      expect(parseRetryAfter(odd, NOW_MS)).toBeUndefined();
    }
  });

  test('Retry-After is honoured with 429 and 503 only', () => {
    expect(answered(429, '60')).toEqual({ next: 'waiting', inMs: 60_000 });
    expect(answered(503, '60')).toEqual({ next: 'waiting', inMs: 60_000 });
    expect(answered(500, '60')).toEqual({ next: 'waiting', inMs: 5_000 });
  });

  test('Retry-After never brings an attempt forward, and delays it by ten hours at most', () => {
    expect(answered(429, '1', 2)).toEqual({ next: 'waiting', inMs: 300_000 });
    expect(answered(429, '9999999')).toEqual({ next: 'waiting', inMs: 10 * HOUR_MS });
  });
});

describe('response of a receiver', () => {
  test('a response of 2xx succeeds, 410 ends the delivery, and any other status causes another attempt', () => {
    for (const status of [200, 204, 299]) expect(answered(status)).toEqual({ next: 'succeeded' });
    expect(answered(410)).toEqual({ next: 'failed', isGone: true });
    for (const status of [300, 307, 400, 404, 500]) expect(answered(status)).toEqual({ next: 'waiting', inMs: 5_000 });
  });
});
