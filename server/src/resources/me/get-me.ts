import { AppId, allowAnyKey, EXAMPLE_SCOPES, KeyId, SCOPES, ScopeSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { dateTime, namedObject, oneOf, Type, text } from '../../kit/http/schema.ts';

const Me = namedObject('Me', 'The calling key and its app.', {
  environment: oneOf(['sandbox', 'production'], 'The environment of the key.'),
  appId: AppId,
  keyId: KeyId,
  kid: text('The public part of the key.', { minLength: 12, maxLength: 12 }),
  scopes: Type.Array(ScopeSchema, { maxItems: SCOPES.length, description: 'The effective scopes of the key.' }),
  expiresAt: dateTime('The expiry of the key.'),
});

export const getMe = operation({
  id: 'getMe',
  route: 'GET /v1/me',
  tag: 'Me',
  summary: 'Get the caller',
  description: 'Returns the environment, the app, the scopes and the expiry of the key that authenticates the request.',
  access: allowAnyKey(),
  replies: ok('The calling key and its app.', Me, {
    me: {
      environment: 'sandbox',
      appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s5',
      keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
      kid: '7Qh2mXc04LpA',
      scopes: [...EXAMPLE_SCOPES],
      expiresAt: '2026-12-02T10:15:30.000Z',
    },
  }),
  async run({ plane, caller }) {
    const body = {
      environment: plane.environment,
      appId: toId('app', caller.appId),
      keyId: toId('key', caller.keyId),
      kid: caller.kid,
      scopes: caller.scopes,
      expiresAt: new Date(caller.expiresAtMs).toISOString(),
    };
    return { status: 200, body, headers: { 'cache-control': 'private, no-cache' } };
  },
});
