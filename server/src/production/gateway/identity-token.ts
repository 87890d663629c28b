// Who calls, told to the platform behind production: a JSON Web Token (RFC 7519) under HMAC-SHA-256 that is good for one request and
// for a minute, so that nothing which the platform keeps of it opens anything.

import { createHash, createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { nowMs } from '../../kit/flow/clock.ts';

const LIFETIME_S = 60;
export const ISSUER = 'slipway:production';

export interface Told {
  caller: Pick<Caller, 'appId' | 'keyId' | 'scopes'>;
  organisationId: string;
  /** The uuid of the server whose grant was judged; undefined where that is known only from the answer. */
  serverId: string | undefined;
  requestId: string;
}

const encode = (json: string): string => Buffer.from(json).toString('base64url');

/** What a token says of a key, as JSON: the same until what it may do changes. */
interface OfKey {
  caller: Told['caller'];
  organisationId: string;
  json: string;
}
const MAX_KNOWN_KEYS = 10_000;

export function createTokens(key: Secret, audience: string): (told: Told) => string {
  // Which key it is, for whoever knows two while one takes the other's place.
  const kid = createHash('sha256').update(`slipway identity key\n${key.reveal()}`).digest('hex').slice(0, 16);
  const header = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid }));
  const fixed = JSON.stringify({ iss: ISSUER, aud: audience, environment: 'production' }).slice(0, -1);
  const known = new LRUCache<string, OfKey>({ max: MAX_KNOWN_KEYS });

  function ofKey(caller: Told['caller'], organisationId: string): string {
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

  // Put together from what is known of its key: to make an object of it and write that took two thirds of a token's time.
  return ({ caller, organisationId, serverId, requestId }) => {
    const issuedAt = Math.floor(nowMs() / 1000);
    const about = serverId === undefined ? '' : `,"server":"${toId('srv', serverId)}"`;
    const now = `"iat":${issuedAt},"exp":${issuedAt + LIFETIME_S},"jti":${JSON.stringify(requestId)}`;
    const signed = `${header}.${encode(`${fixed},${now},${ofKey(caller, organisationId)}${about}}`)}`;
    return `${signed}.${createHmac('sha256', key.reveal()).update(signed).digest('base64url')}`;
  };
}
