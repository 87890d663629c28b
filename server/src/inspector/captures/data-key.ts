// The key under which the captures of one app and hour are sealed. The master key wraps it in the database.
import { createHmac, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../../kit/crypto/aes-gcm.ts';
import { newUuidBytes, uuidBytes, uuidText } from '../../kit/crypto/ids.ts';
import { type MasterKeys, type SealedValue, seal, unseal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';

export interface DataKey {
  /** The uuid of its row. */
  keyId: string;
  keyIdBytes: Buffer;
  bytes: Buffer;
}

const KEY_BYTES = 32;
/** Bytes of the identifier of a content. */
const CONTENT_ID_BYTES = 16;

/** Binds a wrapped key to its row. */
export const keyBinding = (keyId: string): string => `capture_key:${keyId}`;

export function newDataKey(): DataKey {
  const keyIdBytes = newUuidBytes();
  return { keyId: uuidText(keyIdBytes), keyIdBytes, bytes: randomBytes(KEY_BYTES) };
}

export const wrapKey = ({ keyId, bytes }: DataKey, masterKeys: MasterKeys): SealedValue =>
  seal(secret(bytes.toString('base64')), keyBinding(keyId), masterKeys);

export const unwrapKey = (keyId: string, sealed: SealedValue, masterKeys: MasterKeys): DataKey => ({
  keyId,
  keyIdBytes: uuidBytes(keyId),
  bytes: Buffer.from(unseal(sealed, keyBinding(keyId), masterKeys).reveal(), 'base64'),
});

/** What a ciphertext is bound to: a ciphertext does not open in another row. */
export const captureBinding = (requestId: string): string => `capture:${requestId}`;
export const contentBinding = (contentId: Buffer): string => `content:${contentId.toString('hex')}`;

export const sealText = ({ bytes }: DataKey, text: string, boundTo: string): Buffer =>
  encrypt(bytes, Buffer.from(text), Buffer.from(boundTo));

/** Throws if the key, the row or the bytes are other ones. */
export const openText = ({ bytes }: DataKey, ciphertext: Buffer, boundTo: string): string =>
  decrypt(bytes, ciphertext, Buffer.from(boundTo)).toString();

/** Returns the identifier of a content: equal contents have the same one only under the same key. */
export const contentIdOf = ({ bytes }: DataKey, text: string): Buffer =>
  createHmac('sha256', bytes).update('content:').update(text).digest().subarray(0, CONTENT_ID_BYTES);
