import { expect, test } from 'vitest';
import { SlipwayConnectionError, SlipwayError, SlipwayProblem, SlipwayTimeoutError } from '../src/errors.ts';
import { retryAfterOf } from '../src/response.ts';
import { LONGEST_RETRY_AFTER_SECONDS, pause, retryDelayMs } from '../src/retry.ts';

const answered = (status: number, changes: Partial<ConstructorParameters<typeof SlipwayProblem>[0]> = {}) =>
  new SlipwayProblem({ type: '', title: 'A problem', status, code: 'unknown', requestId: '', ...changes });
const least = () => 0;
const most = () => 1;

test.each([408, 429, 502, 503, 504])('retries status %i', (status) => {
  expect(retryDelayMs(answered(status), 0, least)).toBe(0);
});

test.each([307, 400, 401, 403, 404, 409, 410, 413, 422, 500, 501, 505])('does not retry status %i', (status) => {
  expect(retryDelayMs(answered(status), 0)).toBeUndefined();
});

test('retries a missing response, but not an unreadable response or another error', () => {
  expect(retryDelayMs(new SlipwayConnectionError('reset'), 0, least)).toBe(0);
  expect(retryDelayMs(new SlipwayTimeoutError('late'), 0, least)).toBe(0);
  expect(retryDelayMs(new SlipwayError('not JSON'), 0)).toBeUndefined();
  expect(retryDelayMs(new TypeError('a mistake'), 0)).toBeUndefined();
});

test('draws the backoff from zero up to a limit that doubles and then stays', () => {
  const limits = [0, 1, 2, 3, 4, 5, 6].map((retry) => retryDelayMs(answered(503), retry, most));
  expect(limits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(retryDelayMs(answered(503), 3, least)).toBe(0);
});

test('waits at least Retry-After, and leaves a longer wait than the limit to the caller', () => {
  expect(retryDelayMs(answered(429, { retryAfter: 7 }), 0, least)).toBe(7_000);
  expect(retryDelayMs(answered(429, { retryAfter: 7 }), 0, most)).toBe(7_500);
  expect(retryDelayMs(answered(503, { retryAfter: LONGEST_RETRY_AFTER_SECONDS }), 0, least)).toBe(60_000);
  expect(retryDelayMs(answered(503, { retryAfter: LONGEST_RETRY_AFTER_SECONDS + 1 }), 0)).toBeUndefined();
});

test('waits for a key in progress only after an own earlier attempt', () => {
  const busy = answered(409, { code: 'idempotency_in_progress', retryAfter: 1 });
  expect(retryDelayMs(busy, 0)).toBeUndefined();
  expect(retryDelayMs(busy, 1, least)).toBe(1_000);
});

test.each([
  ['seconds', { 'retry-after': '12' }, 12],
  ['nothing to wait', { 'retry-after': '0' }, 0],
  [
    'a date, by the clock of the answer',
    { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
    30,
  ],
  ['a date, without another', { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, 20],
  ['a date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['an empty one', { 'retry-after': '' }, undefined],
  ['a negative one', { 'retry-after': '-5' }, undefined],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
])('reads Retry-After as %s', (_, headers, seconds) => {
  expect(retryAfterOf(new Headers(headers), Date.parse('2026-11-21T10:00:10Z'))).toBe(seconds);
});

test('pause ends with its time, or earlier when the call is aborted', async () => {
  await pause(1, new AbortController().signal);
  await expect(pause(3_600_000, AbortSignal.abort('already'))).rejects.toBe('already');
  const call = new AbortController();
  const paused = pause(3_600_000, call.signal);
  call.abort('meanwhile');
  await expect(paused).rejects.toBe('meanwhile');
});
