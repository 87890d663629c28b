import { describe, expect, test } from 'vitest';
import { explainMinority } from './synchronous-standbys.ts';

describe('synchronous_standby_names', () => {
  test.each([
    '',
    '*',
    's1',
    '"s1"',
    'ANY 1 (s1)',
    'ANY 1 (s1, s2)',
    's1, s2',
    '2 (s1, s2)',
    'first 3 (s1,s2,s3)',
    'ANY 2 (s1, s2, s3, s4)',
    'ANY 1 (*)',
  ])('accepts %s', (names) => {
    expect(explainMinority(names)).toBeUndefined();
  });

  test.each([
    'ANY 1 (s1, s2, s3)',
    'FIRST 1 (s1, s2, s3)',
    's1, s2, s3',
    'any 2(s1,s2,s3,s4,s5)',
  ])('refuses %s', (names) => {
    expect(explainMinority(names)).toContain('which is no majority of');
  });
});
