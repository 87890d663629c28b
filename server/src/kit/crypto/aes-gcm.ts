// AES-256-GCM with a random nonce. The result has the layout nonce, ciphertext, tag.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

// Random 96-bit nonces are safe for up to 2^32 uses of one key (NIST SP 800-38D, section 8.3). A data key of
// `seal` is used once, a master key once per sealed value, and a data key of an hour for its captures.
export const encrypt = (key: Buffer, plain: Buffer, bound: Buffer): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

export const decrypt = (key: Buffer, box: Buffer, bound: Buffer): Buffer => {
  const nonce = box.subarray(0, NONCE_BYTES);
  // Without a fixed tag length Node accepts a shortened tag, which is easy to forge.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound);
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, box.length - TAG_BYTES)), decipher.final()]);
};
