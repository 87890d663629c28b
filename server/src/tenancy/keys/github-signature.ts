// Verifies messages that GitHub signs with ECDSA on P-256 and SHA-256 over the bytes of the body. The list of public
// keys is pinned: the operator configures it, and Slipway fetches nothing.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Plane, UnauthenticatedContext } from '../../access/authority/index.ts';
import type { Access } from '../../kit/http/operation.ts';
import { Type } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';

export type SigningKeys = ReadonlyMap<string, KeyObject>;

const IDENTIFIER = 'Github-Public-Key-Identifier';
const SIGNATURE = 'Github-Public-Key-Signature';

const BASE64 = /^[A-Za-z0-9+/]{1,200}={0,2}$/;

function isValidSignature(keys: SigningKeys, identifier: unknown, signature: unknown, body: Buffer): boolean {
  const key = typeof identifier === 'string' ? keys.get(identifier) : undefined;
  if (!key || typeof signature !== 'string' || !BASE64.test(signature)) return false;
  return verify('sha256', body, key, Buffer.from(signature, 'base64'));
}

/**
 * Parses the list in the format that GitHub publishes. Throws an error with a readable message if the list is
 * malformed.
 */
export function readSigningKeys(json: string): SigningKeys {
  const list = (JSON.parse(json) as { public_keys?: unknown }).public_keys; // the code below validates the value
  if (!Array.isArray(list) || list.length === 0) throw new Error('public_keys is missing or empty');
  return new Map(
    list.map((entry: { key_identifier?: unknown; key?: unknown }) => {
      if (typeof entry.key_identifier !== 'string' || typeof entry.key !== 'string') {
        throw new Error('each entry of public_keys requires a key_identifier and a key');
      }
      const key = createPublicKey(entry.key);
      if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
        throw new Error(`${entry.key_identifier} must be a key on the curve P-256`);
      }
      return [entry.key_identifier, key];
    }),
  );
}

/**
 * Authenticates GitHub by the signature of the body. A request with an invalid signature counts against the rate limit
 * of unauthenticated callers.
 */
export function github(): Access<Plane, string, UnauthenticatedContext> {
  return {
    security: 'none',
    summary:
      "GitHub, authenticated by its signature of the body. The operator configures GitHub's public keys; without them every request is rejected.",
    problems: ['invalid_request', 'rate_limited', 'unavailable', 'timeout'],
    requestHeaders: {
      [IDENTIFIER]: Type.String({
        description: 'The identifier of the GitHub key that signed the body.',
        maxLength: 256,
        pattern: '^[\\u0021-\\u007e]+$',
        examples: ['bcb53661c06b4728e59d897fb6165d5c9cda0fd9cdf9d09ead458168deb7518c'],
      }),
      [SIGNATURE]: Type.String({
        description: 'The signature of the bytes of the body: ECDSA on P-256 with SHA-256, DER in base64.',
        maxLength: 256,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        examples: ['MEQCIQDaMKqrGnE27S0kgMrEK0eYBmyG0LeZismAEz/BgZyt7AIfXt9fErtRS4XaeSt/AO1RtBY66YcAdjxji410VQV4xg=='],
      }),
    },
    requiredHeaders: [IDENTIFIER, SIGNATURE],
    async admit({ ip }, { keys: { reportLimiter } }) {
      reportLimiter.refuse(ip);
      return ip;
    },
    verifyBody(body, { headers, ip }, { keys: { githubKeys, reportLimiter } }) {
      const [identifier, signature] = [headers[IDENTIFIER.toLowerCase()], headers[SIGNATURE.toLowerCase()]];
      if (isValidSignature(githubKeys, identifier, signature, body)) return;
      reportLimiter.count(ip);
      const detail = 'must be a signature of this body by a configured key of GitHub';
      throw problem('invalid_request', { errors: [{ pointer: `/header/${SIGNATURE}`, detail }] });
    },
    enter: (clientAddress, { incoming }, plane, run) => run({ plane, clientAddress, requestId: incoming.exchange.id }),
  };
}
