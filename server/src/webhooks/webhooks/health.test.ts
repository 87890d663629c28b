import { describe, expect, test } from 'vitest';
import { type HealthOutcomes, MAX_RECENT_ATTEMPTS, mergeHealthOutcomes, toHealth, toHealthOutcomes } from './health.ts';

const ids = { appId: 'a', endpointId: 'e' };
/** Returns the outcomes of one attempt per millisecond: 1 succeeded, 0 failed. */
const run = (text: string, fromMs = 1): HealthOutcomes =>
  [...text].map((one, index) => toHealthOutcomes(ids, one === '1', fromMs + index)).reduce(mergeHealthOutcomes);

describe('outcomes of attempts', () => {
  test.each([
    ['000', { failures: 3, firstFailedAtMs: 1, succeededAtMs: undefined, failedAtMs: 3 }],
    ['0010', { failures: 1, firstFailedAtMs: 4, succeededAtMs: 3, failedAtMs: 4 }],
    ['001', { failures: 0, firstFailedAtMs: undefined, succeededAtMs: 3, failedAtMs: 2 }],
    ['1', { failures: 0, firstFailedAtMs: undefined, succeededAtMs: 1, failedAtMs: undefined }],
    ['10100', { failures: 2, firstFailedAtMs: 4, succeededAtMs: 3, failedAtMs: 5 }],
  ])('merges the attempts %s', (text, expected) => {
    expect(run(text)).toEqual({ ...ids, ...expected, recent: text });
  });

  test('merges to the same result wherever the attempts are split, and in whichever order the parts come', () => {
    for (const text of ['0010011', '1000', '0001', '0000', '1111', '10']) {
      for (let at = 1; at < text.length; at += 1) {
        const [before, after] = [run(text.slice(0, at)), run(text.slice(at), at + 1)];
        expect(mergeHealthOutcomes(before, after)).toEqual(run(text));
        expect(mergeHealthOutcomes(after, before)).toEqual(run(text));
      }
    }
  });

  test('remembers the last hundred attempts', () => {
    expect(run(`${'1'.repeat(50)}${'0'.repeat(90)}`).recent).toBe(`${'1'.repeat(10)}${'0'.repeat(90)}`);
  });
});

test('the success rate covers the remembered attempts, and is null without any', () => {
  const row = { last_success_at: null, last_failure_at: null, failing_since: null, consecutive_failures: 0 };
  expect(toHealth({ ...row, recent: '' })).toMatchObject({ recentAttempts: 0, successRate: null });
  expect(toHealth({ ...row, recent: '0011' })).toMatchObject({ recentAttempts: 4, successRate: 0.5 });
  expect(toHealth({ ...row, recent: '1'.repeat(MAX_RECENT_ATTEMPTS) })).toMatchObject({
    recentAttempts: MAX_RECENT_ATTEMPTS,
    successRate: 1,
  });
});
