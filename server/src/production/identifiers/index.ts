// The UUIDs of objects of an operator's contract in production. They are derived from the identifiers of the upstream
// API, so that nothing stores which server belongs to which object.
import { createHash } from 'node:crypto';
import type { AnyResource } from '../../access/contracts/index.ts';
import { uuidText } from '../../kit/crypto/ids.ts';

/** Derives a UUID of version 8 (RFC 9562). 122 bits of the hash remain, so that no two texts with one UUID can be found. */
function hashedUuid(text: string): string {
  const bytes = createHash('sha256').update(`slipway production\n${text}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidText(bytes);
}

/** The server of all objects that are below no granting object, in each app. */
export const ACCOUNT_SERVER = hashedUuid('account');

/** Returns the UUID of an object: as the server of a granting object, and as the subject of events. */
export const uuidOfObject = ({ kind }: AnyResource, key: string): string => hashedUuid(`${kind}/${key}`);
