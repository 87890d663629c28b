import { expect, test } from 'vitest';
import { readStoredFix } from './stored-fix.ts';

test.each([
  ['written by this version', '{"name":"a","fix":"Wait."}', 'Wait.'],
  ['written by the previous version', '{"name":"a","mend":"Wait."}', 'Wait.'],
  ['written by the previous version without a fix', '{"name":"a","mend":null}', null],
  ['begun by this version and completed by the previous one', '{"name":"a","fix":null,"mend":"Wait."}', 'Wait.'],
  ['begun by the previous version and completed by this one', '{"name":"a","mend":null,"fix":"Wait."}', 'Wait.'],
])('a stored object has the field `fix` and no field `mend`: %s', (_, text, fix) => {
  expect(readStoredFix(JSON.parse(text))).toStrictEqual({ name: 'a', fix });
});
