import { describe, expect, test } from 'vitest';
import { explainAsynchronous, explainMinority } from './synchronous-standbys.ts';

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
    expect(explainMinority({ names, receivers: 0 })).toBeUndefined();
  });

  test.each([
    'ANY 1 (s1, s2, s3)',
    'FIRST 1 (s1, s2, s3)',
    's1, s2, s3',
    'any 2(s1,s2,s3,s4,s5)',
  ])('refuses %s', (names) => {
    expect(explainMinority({ names, receivers: 0 })).toContain('which is no majority of');
  });
});

describe('the connections that receive the WAL', () => {
  test.each([
    ['', 0],
    ['s1', 1],
    ['ANY 1 (s1, s2)', 2],
    ['ANY 1 (s1, s2)', 1],
    ['*', 3],
  ])('with the names "%s", %d of them are accepted', (names, receivers) => {
    expect(explainAsynchronous({ names, receivers })).toBeUndefined();
  });

  test.each([
    ['', 1, 'WAL: 1; standbys in synchronous_standby_names: 0.'],
    ['ANY 1 (s1, s2)', 3, 'WAL: 3; standbys in synchronous_standby_names: 2.'],
  ])('with the names "%s", %d of them are reported', (names, receivers, figures) => {
    expect(explainAsynchronous({ names, receivers })).toContain(figures);
  });
});
