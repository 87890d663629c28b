import { expect, test } from 'vitest';
import { canonicalRange, isWithin, parseRanges } from './address-ranges.ts';

test.each([
  ['192.0.2.0/24', '192.0.2.7', true],
  ['192.0.2.0/24', '192.0.3.7', false],
  ['192.0.2.7/32', '::ffff:192.0.2.7', true],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  // An address of one family is in no range of the other.
  ['::/0', '192.0.2.7', false],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['0.0.0.0/0', 'unknown', false],
])('range %s contains %s: %s', (range, ip, holds) => {
  expect(isWithin(parseRanges([range]), ip)).toBe(holds);
});

test.each([
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['2001:DB8:0::/32', '2001:db8::/32'],
  ['192.0.2.7/24', undefined],
  ['2001:db8::1/32', undefined],
  ['192.0.2.7', undefined],
  ['192.0.2.0/33', undefined],
  ['example.org/24', undefined],
  ['10/8', undefined],
])('%s is the range %s', (text, range) => {
  expect(canonicalRange(text)).toBe(range);
});
