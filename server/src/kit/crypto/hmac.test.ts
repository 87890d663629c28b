// The test vectors of RFC 4231 (those whose key and data are text), and Node's own HMAC over lengths around a block.
import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256, hmacSha256Base64 } from './hmac.ts';
import { secret } from './secret.ts';

test.each([
  ['Jefe', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  ['\v'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
])('a vector of RFC 4231', (key, data, expected) => {
  expect(hmacSha256(secret(key))(data).toString('hex')).toBe(expected);
});

test("says what Node's HMAC says, whatever the lengths of key and message", () => {
  for (const keyLength of [0, 1, 31, 32, 63, 64, 65, 128, 200]) {
    const key = 'kéy'.repeat(70).slice(0, keyLength);
    const hmac = hmacSha256(secret(key));
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
      const message = 'm\u00e9\u{1f6a2}'.repeat(300).slice(0, length);
      expect(hmac(message)).toEqual(createHmac('sha256', key).update(message).digest());
    }
  }
});

test('in two parts and in base64 it is the same, of whatever length, one after the other', () => {
  for (const keyBytes of [24, 64, 65]) {
    const key = randomBytes(keyBytes);
    const hmac = hmacSha256Base64(key);
    for (const length of [700, 0, 16_384 - 64 - 9, 16_384 - 64 - 8, 1, 100_000]) {
      const rest = randomBytes(length);
      expect(hmac('id.', rest)).toEqual(createHmac('sha256', key).update('id.').update(rest).digest('base64'));
    }
  }
});
