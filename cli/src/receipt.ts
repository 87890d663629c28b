// Verifies a receipt of a revocation offline: a JSON Web Signature in compact form with Ed25519 (RFC 7515, RFC 8037).
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isObject } from './cells.ts';
import { CommandError, UsageError } from './errors.ts';

const RECEIPT_TYPE = 'slipway-revocation-receipt+jws';
const FORM = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\n?$/;

/**
 * Returns the content of a receipt whose signature is valid. `keyFile` is the text of a JSON Web Key Set, of one JSON
 * Web Key, or of a public key in PEM. Throws otherwise.
 */
export function verifyReceipt(receipt: Buffer, keyFile: string): Record<string, unknown> {
  const [, header = '', payload = '', signature = ''] = FORM.exec(receipt.toString('latin1')) ?? [];
  if (header === '') throw new CommandError('the file is no receipt: it must be a JSON Web Signature in compact form.');
  const keyId = readHeader(decode(header));
  const key = findKey(keyFile, keyId);
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, decode(signature)))
    throw new CommandError('the receipt was changed, or another key signed it: its signature does not verify.');
  const content: unknown = JSON.parse(decode(payload).toString());
  if (!isObject(content)) throw new CommandError('the content of the receipt is no object.');
  return { ...content };
}

/** Decodes base64url. The last character has unused bits: a text with other bits in them is not accepted. */
function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new CommandError('the receipt was changed: its encoding is invalid.');
  return bytes;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the id of the key that signed the receipt. */
function readHeader(bytes: Buffer): string {
  const header = parseJson(bytes.toString());
  if (isObject(header) && 'alg' in header && 'typ' in header && 'kid' in header) {
    const { alg, typ, kid } = header;
    if (alg === 'EdDSA' && typ === RECEIPT_TYPE && typeof kid === 'string') return kid;
  }
  throw new CommandError('the file is no receipt of a revocation, or its header was changed.');
}

function findKey(keyFile: string, keyId: string): KeyObject {
  const parsed = parseJson(keyFile);
  if (parsed === undefined) return toKey(() => createPublicKey(keyFile));
  const listed = isObject(parsed) && 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed];
  const jwk: unknown = listed.find((one: unknown) => isObject(one) && 'kid' in one && one.kid === keyId);
  if (!isObject(jwk))
    throw new CommandError(
      `the key file has no key ${keyId}: the receipt is of another environment, or the key file is older than the receipt.`,
    );
  return toKey(() => createPublicKey({ key: { ...jwk }, format: 'jwk' }));
}

function toKey(read: () => KeyObject): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new UsageError('--key must name a JSON Web Key Set, or a public key for Ed25519 in PEM.');
}
