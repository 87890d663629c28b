import { expect, test } from 'vitest';
import { memo } from './memo.ts';

test('makes each result once and forgets the least recently used beyond its limit', () => {
  const made: string[] = [];
  const remembered = memo((text) => {
    made.push(text);
    return { text };
  }, 2);
  for (const text of ['a', 'a', 'b', 'a', 'c', 'a', 'b']) expect(remembered(text)).toEqual({ text });
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
