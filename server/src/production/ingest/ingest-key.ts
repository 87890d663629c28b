// Access for the platform behind production, where it tells of what happened there: with the one key that it holds for that.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { bearerOf, type Plane, requireOpen } from '../../access/authority/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Access, Incoming } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';

export interface IngestContext {
  plane: Plane;
  incoming: Incoming;
}

/** Texts of any length are compared as what this process alone can make of them. */
function createJudge(key: Secret): (text: string) => boolean {
  const ownKey = randomBytes(32);
  const hmac = (text: string): Buffer => createHmac('sha256', ownKey).update(text).digest();
  const wanted = hmac(key.reveal());
  return (text) => timingSafeEqual(hmac(text), wanted);
}

/** `key` is undefined where only the declaration is wanted: then nobody is admitted. */
export function withIngestKey(key: Secret | undefined): Access<Plane, undefined, IngestContext> {
  const isRight = key && createJudge(key);
  return {
    security: 'assertion',
    summary: 'The platform behind production, with its ingest key.',
    problems: ['sign_in_required', 'unavailable', 'timeout'],
    async admit(incoming) {
      const given = bearerOf(incoming);
      if (!isRight || given === undefined || !isRight(given)) throw problem('sign_in_required');
      return undefined;
    },
    async enter(_admitted, { incoming }, plane, run) {
      await requireOpen(plane.db.manager);
      return run({ plane, incoming });
    },
  };
}
