import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSigningKeys } from './github-signature.ts';

const listOf = (key: unknown): string => JSON.stringify({ public_keys: [{ key_identifier: 'ours', key }] });

describe('the list of GitHub’s public keys', () => {
  test.each([
    ['', 'JSON'],
    ['{}', 'public_keys is missing or empty'],
    [listOf(7), 'each entry of public_keys requires'],
    [listOf('no key'), 'DECODER|PEM|unsupported'],
    [
      listOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' })),
      'P-256',
    ],
  ])('rejects a malformed list with a reason: %s', (text, why) => {
    expect(() => readSigningKeys(text)).toThrow(new RegExp(why));
  });
});
