// The key pair that signs the receipts of an environment. It is derived from the master key: it is stored nowhere, a
// restored environment has the same pair, and a rotation of the master key rotates it (docs/decisions/0090).
import type { Environment } from '../../access/authority/index.ts';
import { createSigningKey, type SigningKey } from '../../kit/crypto/jws.ts';
import { deriveKey, type MasterKeys } from '../../kit/crypto/seal.ts';

/** Environments have different pairs, even with the same master key. */
const PURPOSES: Record<Environment, string> = {
  sandbox: 'slipway revocation receipts of the sandbox',
  production: 'slipway revocation receipts of production',
};

/** Returns the pair of the current master key. */
export function deriveReceiptKey({ current, keys }: MasterKeys, environment: Environment): SigningKey {
  const masterKey = keys[current];
  if (!masterKey) throw new Error(`There is no master key with the id ${current}.`);
  return createSigningKey(Buffer.from(deriveKey(masterKey, PURPOSES[environment]), 'base64'));
}
