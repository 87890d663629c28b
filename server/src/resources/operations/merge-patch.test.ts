// The work of merge patches with many members.
import { expect, test } from 'vitest';
import { applyPatch, withoutRefusedNulls } from './merge-patch.ts';

test.each([
  ['a merge patch', (schema: object, patch: object) => applyPatch(schema, {}, patch)],
  ['another change', withoutRefusedNulls],
])('the schema of thousands of null members of %s is checked once', (_, change) => {
  let reads = 0;
  const member = {
    type: 'string',
    get maxLength() {
      reads++;
      return 20;
    },
  };
  const nulls = Object.fromEntries(Array.from({ length: 2_000 }, (_none, index) => [`label${index}`, null]));
  expect(change({ type: 'object', additionalProperties: member }, nulls)).toEqual({});
  expect(reads).toBeLessThan(200);
});
