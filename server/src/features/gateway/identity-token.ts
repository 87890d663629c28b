// Who calls, told to the platform behind production: a JSON Web Token (RFC 7519) under HMAC-SHA-256 that is good for one request and
// for a minute, so that nothing which the platform keeps of it opens anything.
import { createHash } from 'node:crypto';
import { nowMs } from '../../kit/clock.ts';
import { hmacSha256 } from '../../kit/hmac.ts';
import { toId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Caller } from '../authority/index.ts';

const LIFETIME_S = 60;
export const ISSUER = 'slipway:production';

export interface Told {
  caller: Pick<Caller, 'appId' | 'keyId' | 'scopes'>;
  organisationId: string;
  /** The uuid of the server whose grant was judged; undefined where that is known only from the answer. */
  serverId: string | undefined;
  requestId: string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function createTokens(key: Secret, audience: string): (told: Told) => string {
  const hmac = hmacSha256(key);
  // Which key it is, for whoever knows two while one takes the other's place.
  const kid = createHash('sha256').update(`slipway identity key\n${key.reveal()}`).digest('hex').slice(0, 16);
  const header = encode({ alg: 'HS256', typ: 'JWT', kid });
  return ({ caller, organisationId, serverId, requestId }) => {
    const issuedAt = Math.floor(nowMs() / 1000);
    const claims = {
      iss: ISSUER,
      aud: audience,
      iat: issuedAt,
      exp: issuedAt + LIFETIME_S,
      jti: requestId,
      environment: 'production',
      sub: toId('app', caller.appId),
      organisation: toId('org', organisationId),
      key: toId('key', caller.keyId),
      scopes: caller.scopes,
      ...(serverId !== undefined && { server: toId('srv', serverId) }),
    };
    const signed = `${header}.${encode(claims)}`;
    return `${signed}.${hmac(signed).toString('base64url')}`;
  };
}
