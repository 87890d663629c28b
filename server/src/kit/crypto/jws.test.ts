import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSigningKey, signJws, toPublicJwk } from './jws.ts';

/** The key of RFC 8037, appendix A. */
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const THUMBPRINT = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

test('a key has the public half and the thumbprint of RFC 8037', () => {
  const { publicKey, keyId } = createSigningKey(SEED);
  expect([publicKey.toString('base64url'), keyId]).toEqual([X, THUMBPRINT]);
  expect(toPublicJwk(publicKey)).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: X,
    kid: THUMBPRINT,
    alg: 'EdDSA',
    use: 'sig',
  });
});

test('a signature covers header and payload, and names the key', () => {
  const [header = '', payload = '', signature = ''] = signJws({ one: 1 }, 'a-thing+jws', createSigningKey(SEED)).split(
    '.',
  );
  const parsed = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  expect(parsed(header)).toEqual({ alg: 'EdDSA', typ: 'a-thing+jws', kid: THUMBPRINT });
  expect(parsed(payload)).toEqual({ one: 1 });
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: X }, format: 'jwk' });
  const isValid = (text: string): boolean => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  expect([isValid(`${header}.${payload}`), isValid(`${payload}.${header}`)]).toEqual([true, false]);
});
