// Patterns of identifiers: the identifiers that match, and the patterns of which none can be made.
import { describe, expect, test } from 'vitest';
import { identifierOf, identityPatternError } from './identity-pattern.ts';

describe.each([
  '^[A-Z]{2}-\\d{6}$',
  '^ord_[a-z0-9]{10,}$',
  '^(?:draft|final)-[0-9a-f]+$',
  '^[A-Za-z][A-Za-z0-9]{3,40}$',
  '^\\p{Lu}\\w{7}$',
])('the pattern %s', (pattern) => {
  test('is matched by identifiers that differ, and repeat for the same origin', () => {
    expect(identityPatternError(pattern)).toBeUndefined();
    const made = Array.from({ length: 500 }, (_, index) => identifierOf(pattern, `object/${index}`));
    expect(made.filter((one) => !new RegExp(pattern, 'u').test(one))).toEqual([]);
    expect(new Set(made).size).toBeGreaterThan(495);
    expect(identifierOf(pattern, 'object/7')).toBe(made[7]);
  });
});

test.each([
  ['[a-z]{8}', {}, 'must begin with ^ and end with $'],
  ['^[a-z]{8}', {}, 'must begin with ^ and end with $'],
  ['^[a-z]{8}\\$', {}, 'must begin with ^ and end with $'],
  ['^[a-z]{8}$|^$', {}, 'must begin with ^ and end with $'],
  ['^[^a]{8}$', {}, 'must not match a space, a control character, /, ? or #'],
  ['^.{8}$', {}, 'must not match a space, a control character, /, ? or #'],
  ['^[a-z]{8}\\t$', {}, 'must not match a space, a control character, /, ? or #'],
  ['^[a-z]{4}/[a-z]{4}$', {}, 'must not match a space, a control character, /, ? or #'],
  ['^[A-Z]{2}$', {}, 'must match at least 100,000 texts'],
  ['^([a-z]{8})\\1$', {}, 'must permit texts that have 1 to 200 characters and need no look-around'],
  ['^(?=b)[a-z]{8}$', {}, 'must permit texts that have 1 to 200 characters and need no look-around'],
  ['^[a-z]{201}$', {}, 'must permit texts that have 1 to 200 characters'],
  ['^[a-z]{8}$', { maxLength: 7 }, 'must permit texts that have 1 to 7 characters'],
  ['^[a-z]{8}$', { prefix: 'ord_' }, 'must permit texts that begin with ord_, have 1 to 200 characters'],
  ['^(a+)+$', {}, 'has nested or too many repetitions'],
])('the pattern %s with %j is refused', (pattern, limits, reason) => {
  expect(identityPatternError(pattern, limits)).toContain(reason);
});
