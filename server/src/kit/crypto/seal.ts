// Envelope encryption at rest: AES-256-GCM under a new data key per secret, which a master key wraps, bound to one row.
// A wrong row, a wrong key or one changed bit throws an Error that does not contain the content.
import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from './aes-gcm.ts';
import { type Secret, secret } from './secret.ts';

export interface MasterKeys {
  /** The id of the key for new seals. */
  readonly current: string;
  /** All keys that may still be needed to open seals, by id: base64 of 32 bytes. */
  readonly keys: Readonly<Record<string, Secret>>;
}

/**
 * The content of a bytea column. Layout of version 1:
 *
 *     1  version (1)
 *     1  length n of the key id
 *     n  key id, UTF-8
 *    60  data key wrapped by the master key:    nonce 12, ciphertext 32, tag 16
 *     *  the secret sealed under the data key:  nonce 12, ciphertext,    tag 16
 *
 * Both GCM calls authenticate the header (version, length, key id), their purpose and `boundTo`. So neither part can be
 * moved to another row, another key id or the other place.
 */
export type SealedValue = Buffer;

const VERSION = 1;
const KEY_BYTES = 32;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;
const PURPOSE = { wrap: Buffer.from([1]), data: Buffer.from([2]) };

/**
 * Returns whether a text is base64 of 32 bytes. The round trip detects what Buffer.from accepts: hex, stray characters,
 * a truncated text.
 */
export const isMasterKey = (text: string): boolean => {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text;
};

const masterKey = (keyId: string, master: MasterKeys): Buffer => {
  const encoded = Object.hasOwn(master.keys, keyId) ? master.keys[keyId]?.reveal() : undefined;
  if (encoded === undefined) throw new Error(`There is no master key with the id ${JSON.stringify(keyId)}.`);
  if (!isMasterKey(encoded)) {
    throw new Error(`The master key ${JSON.stringify(keyId)} is not base64 of ${KEY_BYTES} bytes.`);
  }
  return Buffer.from(encoded, 'base64');
};

const headerOf = (keyId: string): Buffer => {
  const id = Buffer.from(keyId);
  if (id.length === 0 || id.length > 255) throw new Error('A master key id has 1 to 255 bytes.');
  return Buffer.concat([Buffer.from([VERSION, id.length]), id]);
};

// Unambiguous: the header contains its own length, the purpose is one byte, and the rest is the row.
const aad = (header: Buffer, purpose: Buffer, boundTo: string): Buffer =>
  Buffer.concat([header, purpose, Buffer.from(boundTo)]);

export const seal = (plain: Secret, boundTo: string, master: MasterKeys): SealedValue => {
  const wrappingKey = masterKey(master.current, master);
  const header = headerOf(master.current);
  const dataKey = randomBytes(KEY_BYTES);
  const wrapped = encrypt(wrappingKey, dataKey, aad(header, PURPOSE.wrap, boundTo));
  const box = encrypt(dataKey, Buffer.from(plain.reveal()), aad(header, PURPOSE.data, boundTo));
  dataKey.fill(0);
  return Buffer.concat([header, wrapped, box]);
};

const unreadable = (): Error => new Error('The sealed value cannot be opened: wrong row, wrong key, or changed bytes.');

/** Returns the id of the master key that sealed the value, which a rotation needs. */
export const sealedKeyId = (sealed: SealedValue): string => {
  const idLength = sealed[1] ?? 0;
  const shortest = 2 + idLength + WRAPPED_BYTES + NONCE_BYTES + TAG_BYTES;
  if (sealed[0] !== VERSION || idLength === 0 || sealed.length < shortest) throw unreadable();
  return sealed.subarray(2, 2 + idLength).toString();
};

export const unseal = (sealed: SealedValue, boundTo: string, master: MasterKeys): Secret => {
  const wrappingKey = masterKey(sealedKeyId(sealed), master);
  const bodyAt = 2 + (sealed[1] ?? 0);
  const header = sealed.subarray(0, bodyAt);
  try {
    const wrapped = sealed.subarray(bodyAt, bodyAt + WRAPPED_BYTES);
    const dataKey = decrypt(wrappingKey, wrapped, aad(header, PURPOSE.wrap, boundTo));
    const box = sealed.subarray(bodyAt + WRAPPED_BYTES);
    return secret(decrypt(dataKey, box, aad(header, PURPOSE.data, boundTo)).toString());
  } catch {
    throw unreadable();
  }
};

/**
 * Seals the same secret under the current master key with a new data key. Returns the value unchanged if it is already
 * sealed under that key.
 */
export const reseal = (sealed: SealedValue, boundTo: string, master: MasterKeys): SealedValue => {
  const plain = unseal(sealed, boundTo, master);
  return sealedKeyId(sealed) === master.current ? sealed : seal(plain, boundTo, master);
};

/** Derives a key for another purpose from the master key (HKDF, RFC 5869). */
export const deriveKey = (master: Secret, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(master.reveal(), 'base64'), '', purpose, 32)).toString('base64');
