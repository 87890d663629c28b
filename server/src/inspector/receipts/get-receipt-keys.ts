import { allowAnyone } from '../../access/authority/index.ts';
import { createSigningKey, toPublicJwk } from '../../kit/crypto/jws.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, oneOf, strictObject, Type, text } from '../../kit/http/schema.ts';

const Base64Url43 = (description: string) =>
  text(description, { minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]*$' });

const ReceiptKeys = namedObject('ReceiptKeys', 'A JSON Web Key Set (RFC 7517).', {
  keys: Type.Array(
    strictObject({
      kty: oneOf(['OKP'], 'The type of the key.'),
      crv: oneOf(['Ed25519'], 'The curve of the key.'),
      x: Base64Url43('The public key in base64url.'),
      kid: Base64Url43('The identifier of the key: its thumbprint (RFC 7638).'),
      alg: oneOf(['EdDSA'], 'The algorithm of its signatures.'),
      use: oneOf(['sig'], 'The use of the key.'),
    }),
    { minItems: 1, maxItems: 101, description: 'The current key, and all earlier keys that signed a receipt.' },
  ),
});

export const getReceiptKeys = operation({
  id: 'getReceiptKeys',
  route: 'GET /receipt-keys',
  tag: 'Contract',
  summary: 'Get the keys that verify revocation receipts',
  description:
    'Returns the public keys of this environment as a JSON Web Key Set. A receipt names its key in `kid`. Earlier keys stay in the set.',
  access: allowAnyone(),
  replies: ok(
    'The keys.',
    ReceiptKeys,
    { aKey: { keys: [toPublicJwk(createSigningKey(Buffer.alloc(32, 1)).publicKey)] } },
    { contentType: 'application/jwk-set+json' },
  ),
  async run({ plane }) {
    const json = JSON.stringify({ keys: await plane.receipts.listKeys() });
    return { status: 200, json, headers: { 'cache-control': 'public, max-age=300' } };
  },
});
