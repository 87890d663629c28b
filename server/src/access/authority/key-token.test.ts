// The text of a key is recognisable, checked before any lookup, generated without bias, and stored only as a verifier.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { secret } from '../../kit/crypto/secret.ts';
import { redactKeys } from '../../kit/text/redact.ts';
import { computeVerifier, isVerified, newKeyToken, parseKeyToken } from './key-token.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Calculates the checksum from its documented definition, by other code than the implementation. */
function checksumOf(body: string): string {
  const value = crc32(body);
  return [5, 4, 3, 2, 1, 0].map((place) => BASE62[Math.floor(value / 62 ** place) % 62]).join('');
}

describe('a new key', () => {
  test.each([
    ['sandbox', 'slw_test_'],
    ['production', 'slw_live_'],
  ] as const)('of %s begins with %s, then its public part, its secret and its checksum', (environment, prefix) => {
    const { kid, token } = newKeyToken(environment);
    expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`));
    expect(token.slice(9, 21)).toBe(kid);
    expect(token.slice(-6)).toBe(checksumOf(token.slice(0, -6)));
    expect(parseKeyToken(token)).toEqual({ environment, kid });
  });

  test('has a new public part and a new secret each time', () => {
    const tokens = Array.from({ length: 2_000 }, () => newKeyToken('sandbox').token);
    expect(new Set(tokens.map((token) => token.slice(9, 21))).size).toBe(tokens.length);
    expect(new Set(tokens.map((token) => token.slice(22, 54))).size).toBe(tokens.length);
  });

  test('uses each of the 62 characters equally often', () => {
    const counts = new Map<string, number>();
    const keys = 5_000;
    for (let made = 0; made < keys; made++) {
      for (const character of newKeyToken('sandbox').token.slice(22, 54))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(BASE62);
    const expected = (keys * 32) / 62;
    // Chi-squared with 61 degrees of freedom exceeds 150 once in 10^8 runs; bytes modulo 62 give about 1,200.
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquared).toBeLessThan(150);
  });
});

describe('a malformed key is rejected without a lookup', () => {
  const { token } = newKeyToken('sandbox');

  test('if any single character is changed', () => {
    for (let at = 0; at < token.length; at++) {
      for (const character of `${BASE62}_- `) {
        if (character === token[at]) continue;
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        expect([changed, parseKeyToken(changed)]).toEqual([changed, undefined]);
      }
    }
  });

  test('if any two adjacent characters are swapped', () => {
    for (let at = 0; at < token.length - 1; at++) {
      const swapped = `${token.slice(0, at)}${token[at + 1]}${token[at]}${token.slice(at + 2)}`;
      if (swapped !== token) expect(parseKeyToken(swapped)).toBeUndefined();
    }
  });

  test('if it is truncated, extended or surrounded by other text', () => {
    for (let length = 0; length < token.length; length++) expect(parseKeyToken(token.slice(0, length))).toBeUndefined();
    for (const around of [`${token}0`, ` ${token}`, `${token}\n`, `${token}\u0000`, `${token}${token}`]) {
      expect(parseKeyToken(around)).toBeUndefined();
    }
  });

  test('if its checksum belongs to another environment', () => {
    expect(parseKeyToken(token.replace('slw_test_', 'slw_live_'))).toBeUndefined();
  });
});

describe('the stored verifier of a key', () => {
  const { token } = newKeyToken('sandbox');
  const pepper = secret('a pepper');
  const peppers = { current: 2, keys: { 1: pepper, 2: secret('a newer pepper') } };

  test('matches this key and no other', () => {
    const known = { verifier: computeVerifier(token, pepper), pepperVersion: 1 };
    expect(known.verifier).toHaveLength(32);
    expect(isVerified(token, known, peppers)).toBe(true);
    expect(isVerified(newKeyToken('sandbox').token, known, peppers)).toBe(false);
    expect(isVerified(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, known, peppers)).toBe(false);
  });

  test('does not match under another or a missing pepper', () => {
    const verifier = computeVerifier(token, pepper);
    expect(isVerified(token, { verifier, pepperVersion: 2 }, peppers)).toBe(false);
    expect(isVerified(token, { verifier, pepperVersion: 3 }, peppers)).toBe(false);
    expect(isVerified(token, { verifier: randomBytes(32), pepperVersion: 1 }, peppers)).toBe(false);
  });

  test('is never matched by an unknown key, or by an empty pepper in place of a missing one', () => {
    expect(isVerified(token, undefined, peppers)).toBe(false);
    expect(isVerified(token, { verifier: computeVerifier(token, secret('')), pepperVersion: 3 }, peppers)).toBe(false);
  });

  test('contains no part of the key', () => {
    const text = computeVerifier(token, pepper).toString('latin1');
    for (let at = 0; at + 6 <= token.length; at++) expect(text).not.toContain(token.slice(at, at + 6));
  });
});

describe('the redacted form of a text that contains a key', () => {
  const { kid, token } = newKeyToken('sandbox');
  const { token: live } = newKeyToken('production');
  const encoded = encodeURIComponent(token).replaceAll('_', '%5f').replaceAll('e', '%65');

  test.each([
    [`a=${token}&b=1`, `a=slw_test_${kid}_[secret]&b=1`],
    [`${token},${token}`, `slw_test_${kid}_[secret],slw_test_${kid}_[secret]`],
    [token.slice(0, -20), `slw_test_${kid}_[secret]`],
    [token.replaceAll('_', '%5F'), `slw%5Ftest%5F${kid}_[secret]`],
    [`a=${encoded}&b=1`, '[secret]'],
    [encodeURIComponent(encodeURIComponent(encodeURIComponent(encoded))), '[secret]'],
  ])('replaces the secret: %s becomes %s', (text, kept) => {
    expect(redactKeys(text)).toBe(kept);
  });

  test('contains no part of a secret, in any environment and in any case', () => {
    for (const text of [live, live.toUpperCase(), `x${live}x`])
      expect(redactKeys(text)).not.toContain(text.slice(24, 30));
  });

  test.each([
    '',
    '/v1/servers?limit=2&cursor=abc_def',
    'slw_test_',
    `slw_test_${kid}`,
    '100%',
    '%zz%',
    'a%20b',
  ])('leaves %j unchanged', (text) => {
    expect(redactKeys(text)).toBe(text);
  });
});
