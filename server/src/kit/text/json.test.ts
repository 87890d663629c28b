// Equal values have equal bytes, and different values have different bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './json.ts';

test('the order of fields makes no difference, at any depth', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
});

test('the order of a list makes a difference', () => {
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

test('any value keeps its meaning, and its bytes do not depend on how it was built', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      expect(canonicalJson(reversed(plain))).toBe(canonicalJson(plain));
    }),
  );
});

test('a field named __proto__ is a field like any other', () => {
  const one: unknown = JSON.parse('{"__proto__":{"a":1}}');
  const other: unknown = JSON.parse('{"__proto__":{"a":2}}');
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});
