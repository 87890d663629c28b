// Patterns of identifiers: the identifiers that match, and the patterns of which none can be made.
import { describe, expect, test, vi } from 'vitest';
import { readIdentityPattern } from './identity-pattern.ts';

/** Returns the function that draws texts of a pattern. */
const drawOf = (pattern: string, limits = {}): ((origin: string) => string) => {
  const read = readIdentityPattern(pattern, limits);
  return 'draw' in read ? read.draw : () => JSON.stringify(read);
};

describe.each([
  '^[A-Z]{2}-\\d{6}$',
  '^ord_[a-z0-9]{10,}$',
  '^(?:draft|final)-[0-9a-f]+$',
  '^[A-Za-z][A-Za-z0-9]{3,40}$',
  '^\\p{Lu}\\w{7}$',
])('the pattern %s', (pattern) => {
  test('is matched by identifiers that differ, and repeat for the same origin', () => {
    const draw = drawOf(pattern);
    const made = Array.from({ length: 500 }, (_, index) => draw(`object/${index}`));
    expect(made.filter((one) => !new RegExp(pattern, 'u').test(one))).toEqual([]);
    expect(new Set(made).size).toBeGreaterThan(495);
    expect(drawOf(pattern)('object/7')).toBe(made[7]);
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
  ['^(?:a|[a-z]{8})$', {}, 'must match texts of which almost all draws differ'],
  ['^[.]$', {}, 'must permit texts that have 1 to 200 characters'],
  ['^([a-z]{8})\\1$', {}, 'must permit texts that have 1 to 200 characters and need no look-around'],
  ['^(?=b)[a-z]{8}$', {}, 'must permit texts that have 1 to 200 characters and need no look-around'],
  ['^[a-z]{201}$', {}, 'must permit texts that have 1 to 200 characters'],
  ['^[a-z]{8}$', { maxLength: 7 }, 'must permit texts that have 1 to 7 characters'],
  ['^[a-z]{8}$', { prefix: 'ord_' }, 'must permit texts that begin with ord_, have 1 to 200 characters'],
  ['^(a+)+$', {}, 'has nested or too many repetitions'],
])('the pattern %s with %j is refused', (pattern, limits, reason) => {
  expect(readIdentityPattern(pattern, limits)).toEqual({ error: expect.stringContaining(reason) });
});

test.each([
  ['^[A-C]{2}$', {}, ['AA', 'AB', 'AC', 'BA', 'BB', 'BC', 'CA', 'CB', 'CC']],
  ['^(?:draft|final)-[12]$', {}, ['draft-1', 'draft-2', 'final-1', 'final-2']],
  ['^[ab]+$', { maxLength: 2 }, ['a', 'b', 'aa', 'ab', 'ba', 'bb']],
  ['^[ab]{0,2}$', {}, ['a', 'b', 'aa', 'ab', 'ba', 'bb']],
  ['^x?[ab]$', { minLength: 2 }, ['xa', 'xb']],
  ['^(?:a|a)b$', {}, ['ab']],
  ['^(?!b)[abc]$', {}, ['a', 'c']],
  ['^[.a]{1,2}$', {}, ['a', '.a', 'a.', 'aa']],
])('the texts of the pattern %s with %j are listed once each', (pattern, limits, texts) => {
  const read = readIdentityPattern(pattern, limits);
  expect('texts' in read && read.texts.toSorted()).toEqual(texts.toSorted());
});

test.each([
  ['^[a-z]{1,9}-[a-z]{1,9}$', { minLength: 1, maxLength: 6 }],
  ['^[a-z]*$', { minLength: 20, maxLength: 22 }],
  ['^[A-Z0-9]+$', { minLength: 1, maxLength: 4 }],
])('drawn texts match the pattern %s with %j, and have these lengths', (pattern, { minLength, maxLength }) => {
  const draw = drawOf(pattern, { minLength, maxLength });
  const made = Array.from({ length: 200 }, (_, index) => draw(`object/${index}`));
  const isFit = (text: string) =>
    new RegExp(pattern).test(text) && text.length >= minLength && text.length <= maxLength;
  expect(made.filter((text) => !isFit(text))).toEqual([]);
  expect(new Set(made).size).toBeGreaterThan(190);
});

test('a pattern none of whose few texts fits is read once, and not with each lower number of repetitions', () => {
  const matches = vi.spyOn(RegExp.prototype, 'test');
  const read = readIdentityPattern('^[ab]{12}$', { minLength: 200 });
  const count = matches.mock.calls.length;
  vi.restoreAllMocks();
  expect('error' in read).toBe(true);
  expect(count).toBeLessThan(2 * 2 ** 12);
});
