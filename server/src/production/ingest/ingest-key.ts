// Access of the upstream API to report events and installations, with its ingest key.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Plane, readBearerToken, requireOpenGate } from '../../access/authority/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Access, Incoming } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';

/** Compares texts of any length in constant time, through an HMAC with a key of this process. */
function createKeyVerifier(key: Secret): (text: string) => boolean {
  const ownKey = randomBytes(32);
  const hmac = (text: string): Buffer => createHmac('sha256', ownKey).update(text).digest();
  const expected = hmac(key.reveal());
  return (text) => timingSafeEqual(hmac(text), expected);
}

/** Returns the access. `key` is undefined if only the declaration is needed; then every caller is refused. */
export function withIngestKey(key: Secret | undefined): Access<Plane, undefined, { plane: Plane; incoming: Incoming }> {
  const isRight = key && createKeyVerifier(key);
  return {
    security: 'assertion',
    summary: 'The upstream API, with its ingest key.',
    problems: ['sign_in_required', 'unavailable', 'timeout'],
    async admit(incoming) {
      const given = readBearerToken(incoming);
      if (!isRight || given === undefined || !isRight(given)) throw problem('sign_in_required');
      return undefined;
    },
    async enter(_admitted, { incoming }, plane, run) {
      await requireOpenGate(plane.db.manager);
      return run({ plane, incoming });
    },
  };
}
