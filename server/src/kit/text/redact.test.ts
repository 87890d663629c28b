// Redaction of secrets with a slash, which random secrets have only sometimes.
import { expect, test } from 'vitest';
import { redactKeys } from './redact.ts';

test.each([
  ['unencoded', 'whsec_abc/DEFghiJKLmnoPQRstuVWX/tail+Tail='],
  ['in a JSON Pointer', '/query/whsec_abc~1DEFghiJKLmnoPQRstuVWX~1tail+Tail='],
  ['in JSON that escapes slashes', '{"a":"whsec_abc\\/DEFghiJKLmnoPQRstuVWX\\/tail+Tail="}'],
  ['in HTML', '<b>whsec_abc&#47;DEFghiJKLmnoPQRstuVWX&#47;tail+Tail=</b>'],
])('a signing secret with slashes is removed completely, %s', (_, text) => {
  const kept = redactKeys(text);
  expect(kept).toContain('[secret]');
  expect(kept).not.toMatch(/abc|DEF|tail/i);
});
