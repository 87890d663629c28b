import { expect, test } from 'vitest';
import { compareJson } from './json-difference.ts';

test.each([
  ['what is equal', { a: [1, { b: null }] }, { a: [1, { b: null }] }, [], [], []],
  ['a renamed field', { body: 'x' }, { bodyMarkdown: 'x' }, ['/bodyMarkdown'], ['/body'], []],
  ['a value', { a: { b: 1, c: 2 } }, { a: { b: 1, c: '2' } }, [], [], ['/a/c']],
  ['a branch, where it begins', { a: 1 }, { a: 1, b: { c: { d: 1 } } }, ['/b'], [], []],
  ['places of a list', { a: [1, 2, 3] }, { a: [1, 5] }, [], ['/a/2'], ['/a/1']],
  ['another kind', { a: [1], b: { 0: 1 } }, { a: { 0: 1 }, b: null }, [], [], ['/a', '/b']],
  ['names that a pointer escapes', { 'a/b': 1, 'c~d': 1 }, { 'a/b': 2 }, [], ['/c~0d'], ['/a~1b']],
  [
    'names of an object’s own making',
    JSON.parse('{"__proto__":1}'),
    { toString: 1 },
    ['/toString'],
    ['/__proto__'],
    [],
  ],
  ['the whole', 1, 2, [], [], ['']],
])('finds the difference: %s', (_, before, after, added, removed, changed) => {
  expect(compareJson(before, after)).toEqual({ added, removed, changed });
});
