import { expect, test, vi } from 'vitest';
import { parsePointer, readPointer } from './json-pointer.ts';

const DOCUMENT = { data: { labels: ['a', 'b'], '': 0, 'a/b~c': 1, '~1': 2, none: null } };

test.each([
  ['', DOCUMENT],
  ['/data/labels/1', 'b'],
  ['/data/labels/length', undefined],
  ['/data/labels/01', undefined],
  ['/data/', 0],
  ['/data//', undefined],
  ['/data/a~1b~0c', 1],
  ['/data/~01', 2],
  ['/data/none', null],
  ['/data/none/x', undefined],
  ['/toString', undefined],
])('the pointer %j reads its value', (pointer, value) => {
  expect(readPointer(DOCUMENT, pointer)).toEqual(value);
});

test('a pointer is parsed into its names, unescaped', () => {
  expect(parsePointer('/a~1b~0c/~01//d')).toEqual(['a/b~c', '~1', '', 'd']);
  expect(parsePointer('')).toEqual([]);
});

test('a read stops at the first missing part of a pointer', () => {
  const slice = vi.spyOn(String.prototype, 'slice');
  const replaceAll = vi.spyOn(String.prototype, 'replaceAll');
  const split = vi.spyOn(String.prototype, 'split');
  const value = readPointer({ data: {} }, `/data${'/a~1b'.repeat(100)}`);
  const calls = [slice, replaceAll, split].map((spy) => spy.mock.calls.length);
  vi.restoreAllMocks();
  expect([value, ...calls]).toEqual([undefined, 2, 2, 0]);
});
