// The identity token of a request contains the claims of that request, although parts are cached per key.
import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import type { Scope } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createTokenSigner, type IdentityClaims } from './identity-token.ts';

const KEY = 'an identity key for tests, of no other use';
const audience = 'https://platform.example/api';
const token = createTokenSigner(secret(KEY), audience);

async function expectClaims(claims: IdentityClaims): Promise<void> {
  const { payload } = await jwtVerify(token(claims), new TextEncoder().encode(KEY), { audience });
  const { iat = 0, exp, ...said } = payload;
  expect(exp).toBe(iat + 60);
  expect(said).toEqual({
    iss: 'slipway:production',
    aud: audience,
    environment: 'production',
    jti: claims.requestId,
    sub: toId('app', claims.caller.appId),
    organisation: toId('org', claims.organisationId),
    key: toId('key', claims.caller.keyId),
    scopes: claims.caller.scopes,
    ...(claims.serverId !== undefined && { server: toId('srv', claims.serverId) }),
  });
}

test('each claim of a token belongs to its request, even if only that claim differs from the previous request', async () => {
  const scopes: Scope[] = ['servers:read', 'tickets:create'];
  const caller = { appId: newUuid(), keyId: newUuid(), scopes };
  const first: IdentityClaims = { caller, organisationId: newUuid(), serverId: newUuid(), requestId: 'req_1' };
  const others: Partial<IdentityClaims>[] = [
    {},
    { requestId: 'req_2' },
    { serverId: newUuid() },
    { serverId: undefined },
    { organisationId: newUuid() },
    { caller: { ...caller, scopes: ['servers:read'] } },
    { caller: { ...caller, scopes: [] } },
    { caller: { ...caller, keyId: newUuid() } },
    { caller: { ...caller, appId: newUuid() } },
    { requestId: 'req_", "sub": "app_' },
  ];
  for (const other of others) {
    await expectClaims(first);
    await expectClaims({ ...first, ...other });
  }
});
