// The identity of the caller for the upstream API: a JSON Web Token (RFC 7519) with HMAC-SHA-256. It is valid for one
// request and for 60 s, so a stored token gives no access.

import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ApiCaller } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { nowMs } from '../../kit/flow/clock.ts';

const LIFETIME_S = 60;
export const ISSUER = 'slipway:production';

export interface IdentityClaims {
  caller: Pick<ApiCaller, 'appId' | 'keyId' | 'scopes'>;
  organisationId: string;
  /** The uuid of the server whose grant was checked; undefined if only the response names the server. */
  serverId: string | undefined;
  requestId: string;
}

const encode = (json: string): string => Buffer.from(json).toString('base64url');

/** The claims about a key as JSON. They are cached until the key's permissions change. */
interface KeyClaims {
  caller: IdentityClaims['caller'];
  organisationId: string;
  json: string;
}
const MAX_KNOWN_KEYS = 10_000;

export function createTokenSigner(key: Secret, audience: string): (claims: IdentityClaims) => string {
  // Identifies the identity key, for a receiver that accepts two keys during a rotation.
  const kid = createHash('sha256').update(`slipway identity key\n${key.reveal()}`).digest('hex').slice(0, 16);
  const header = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid }));
  const fixed = JSON.stringify({ iss: ISSUER, aud: audience, environment: 'production' }).slice(0, -1);
  const known = new LRUCache<string, KeyClaims>({ max: MAX_KNOWN_KEYS });

  function ofKey(caller: IdentityClaims['caller'], organisationId: string): string {
    const { appId, keyId, scopes } = caller;
    const found = known.get(keyId);
    if (found?.caller.appId === appId && found.caller.scopes === scopes && found.organisationId === organisationId) {
      return found.json;
    }
    const [sub, organisation, key] = [toId('app', appId), toId('org', organisationId), toId('key', keyId)];
    const json = JSON.stringify({ sub, organisation, key, scopes }).slice(1, -1);
    known.set(keyId, { caller: { appId, keyId, scopes }, organisationId, json });
    return json;
  }

  // Assembled from cached text: building and serialising an object took two thirds of the time of a token.
  return ({ caller, organisationId, serverId, requestId }) => {
    const issuedAt = Math.floor(nowMs() / 1000);
    const about = serverId === undefined ? '' : `,"server":"${toId('srv', serverId)}"`;
    const now = `"iat":${issuedAt},"exp":${issuedAt + LIFETIME_S},"jti":${JSON.stringify(requestId)}`;
    const signed = `${header}.${encode(`${fixed},${now},${ofKey(caller, organisationId)}${about}}`)}`;
    return `${signed}.${createHmac('sha256', key.reveal()).update(signed).digest('base64url')}`;
  };
}
