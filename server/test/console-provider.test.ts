// Signing in with an identity provider: a small real one over HTTP, honest at first and then lying about one thing at a time.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOidcClient } from '../src/kit/oidc.ts';
import { createOutbound, type Outbound } from '../src/kit/outbound.ts';
import { secret } from '../src/kit/secret.ts';
import type { Answer } from './app.ts';
import { CONSOLE_URL, startConsole, type TestConsole, type Visitor } from './console-app.ts';

const CLIENT = { id: 'slipway', secret: 'the secret of the client' };

interface Lies {
  claims?: JWTPayload;
  metadata?: object;
  algorithm?: 'HS256' | 'none';
  isOtherKey?: boolean;
  isSilent?: boolean;
}

let lies: Lies = {};
let claims: JWTPayload = {};
let issuer: string;
let provider: Server;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let others: typeof keys;
let site: TestConsole;
let outbound: Outbound;
const failures: unknown[] = [];
/** By its code what the browser was sent there with. */
const granted = new Map<string, URLSearchParams>();

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

async function idToken(nonce: string | null): Promise<string> {
  const payload = { iss: issuer, aud: CLIENT.id, nonce, ...claims, ...lies.claims };
  if (lies.algorithm === 'none') {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part({ ...payload, iat: 1, exp: 9e9 })}.`;
  }
  const jwt = new SignJWT(payload).setIssuedAt().setExpirationTime('5m');
  if (lies.algorithm === 'HS256') {
    return jwt.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.secret));
  }
  const { privateKey } = lies.isOtherKey ? others : keys;
  return jwt.setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
}

async function redeem(request: IncomingMessage): Promise<object | undefined> {
  const form = await bodyOf(request);
  const query = granted.get(form.get('code') ?? '');
  granted.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const basic = Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`).toString('base64');
  const isGood =
    query?.get('code_challenge') === challenge &&
    query.get('redirect_uri') === form.get('redirect_uri') &&
    request.headers.authorization === `Basic ${basic}`;
  return isGood ? { id_token: await idToken(query.get('nonce')), token_type: 'Bearer' } : undefined;
}

async function answerTo(request: IncomingMessage): Promise<object | undefined> {
  if (request.url === '/.well-known/openid-configuration') {
    const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'jwks'].map(
      (one) => `${issuer}/${one}`,
    );
    return { issuer, authorization_endpoint, token_endpoint, jwks_uri, ...lies.metadata };
  }
  if (request.url === '/jwks') return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] };
  return request.url === '/token' ? redeem(request) : undefined;
}

const newClient = () =>
  createOidcClient(
    { issuer, clientId: CLIENT.id, clientSecret: secret(CLIENT.secret), name: 'Harbour ID' },
    `${CONSOLE_URL}/sign-in/provider`,
    outbound,
  );

beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  others = await generateKeyPair('ES256', { extractable: true });
  provider = createServer(async (request, response) => {
    if (lies.isSilent) return void request.socket.destroy();
    const body = await answerTo(request);
    response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`; // it listens on TCP
  outbound = createOutbound({ allowHosts: [new URL(issuer).host] });
  site = await startConsole('local', {
    provider: { name: 'Harbour ID', client: newClient(), onFailure: (error) => failures.push(error) },
  });
});
afterAll(async () => {
  await site.close();
  await outbound.close();
  provider.close();
});
beforeEach(() => {
  lies = {};
  claims = {};
});

/** What the browser comes back with. */
async function goThere(visitor: Visitor): Promise<{ code: string; state: string }> {
  const begun = await visitor.call<{ url: string }>('POST', '/api/provider-sign-ins');
  expect(begun.status).toBe(201);
  const { searchParams } = new URL(begun.body.url);
  const code = `code-${granted.size}-${searchParams.get('nonce')}`;
  granted.set(code, searchParams);
  return { code, state: searchParams.get('state') ?? '' };
}
const comeBack = (visitor: Visitor, back: object): Promise<Answer> =>
  visitor.call('PUT', '/api/provider-sign-ins', back);
async function signIn(about: JWTPayload, visitor = site.newVisitor()): Promise<Answer> {
  claims = { email_verified: true, ...about };
  return comeBack(visitor, await goThere(visitor));
}
const told = ({ status, body }: Answer): unknown => [status, body?.code];
const REFUSED = [401, 'provider_sign_in_failed'];

describe('who comes back from the provider', () => {
  test('is signed in by the address that it has verified, under the account that has it', async () => {
    const { person } = await site.newPerson();
    const visitor = site.newVisitor();
    expect((await signIn({ sub: 'one', email: person.email.toUpperCase() }, visitor)).status).toBe(204);
    const { body } = await visitor.call('GET', '/api/session');
    expect(body.person).toMatchObject({ email: person.email, name: person.name });
    expect((await signIn({ sub: 'one', email: person.email })).status).toBe(204);
    const { body: list } = await visitor.call('GET', '/api/providers');
    expect(list).toEqual({ data: [{ name: 'Harbour ID' }] });
  });

  test('is refused when the address is not verified, missing, or has changed hands at the provider', async () => {
    const { person } = await site.newPerson();
    const { email } = person;
    expect(told(await signIn({ sub: 'two', email, email_verified: false }))).toEqual(REFUSED);
    expect(told(await signIn({ sub: 'two', email, email_verified: 'true' }))).toEqual(REFUSED);
    expect(told(await signIn({ sub: 'two' }))).toEqual(REFUSED);
    expect((await signIn({ sub: 'two', email })).status).toBe(204);
    expect(told(await signIn({ sub: 'three', email }))).toEqual(REFUSED);
  });

  test('is nobody else by letters that become others in lower case, or by what is no address of ours', async () => {
    const { email } = await site.identity.ensurePerson('kelvin.sik@example.org', 'Kelvin');
    const none = `${email}\n`;
    for (const other of ['\u212Aelvin.sik@example.org', 'kelvin.si\u212A@example.org', ` ${email}`, none])
      expect(told(await signIn({ sub: 'other', email: other }))).toEqual(REFUSED);
    expect((await signIn({ sub: 'own', email })).status).toBe(204);
  });

  test('gets an account when the policy lets the address in, and otherwise none', async () => {
    const policy = (text: string) =>
      site.database.superuser.query('update sign_up_policy set policy = $1, domains = $2', [
        text,
        text === 'domain' ? ['club.example'] : [],
      ]);
    await policy('domain');
    expect(told(await signIn({ sub: 'x', email: 'x@elsewhere.example' }))).toEqual([403, 'sign_up_closed']);
    const visitor = site.newVisitor();
    expect((await signIn({ sub: 'new', email: 'new@club.example', name: 'Newcomer' }, visitor)).status).toBe(204);
    const { body } = await visitor.call('GET', '/api/session');
    expect(body.person).toMatchObject({ email: 'new@club.example', name: 'Newcomer', hasPassword: false });
    await policy('invited');
    expect(await site.identity.findPerson('x@elsewhere.example')).toBeUndefined();
  });

  test('is called by their address where the provider’s name for them is none that people may have', async () => {
    await site.database.superuser.query("update sign_up_policy set policy = 'open', domains = '{}'");
    const names = ['with\0nothing', 'Im\u202eekmI', '\u200b', '  ', 'half \ud83d', 'x'.repeat(101)];
    for (const [at, name] of names.entries()) {
      const email = `named-${at}@club.example`;
      const visitor = site.newVisitor();
      expect((await signIn({ sub: `named-${at}`, email, name }, visitor)).status).toBe(204);
      expect((await visitor.call('GET', '/api/session')).body.person).toMatchObject({ name: email });
    }
    await site.database.superuser.query("update sign_up_policy set policy = 'invited'");
  });

  test('came from this browser, once', async () => {
    const { person } = await site.newPerson();
    claims = { sub: 'thief', email: person.email, email_verified: true };
    const [thief, victim] = [site.newVisitor(), site.newVisitor()];
    const back = await goThere(thief);
    await goThere(victim);
    expect(told(await comeBack(victim, back))).toEqual(REFUSED);
    expect(told(await comeBack(site.newVisitor(), back))).toEqual(REFUSED);
    const { cookie } = thief;
    expect((await comeBack(thief, back)).status).toBe(204);
    granted.set(back.code, new URLSearchParams());
    thief.cookie = cookie;
    expect(told(await comeBack(thief, back))).toEqual(REFUSED);
    const late = await goThere(thief);
    await site.database.superuser.query('update provider_sign_ins set expires_at = now()');
    expect(told(await comeBack(thief, late))).toEqual(REFUSED);
  });
});

describe('a provider is not believed', () => {
  test.each<[string, Lies]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another client’s token', { claims: { azp: 'another' } }],
    ['a key that it does not show', { isOtherKey: true }],
    ['our own secret as its key', { algorithm: 'HS256' }],
    ['no signature', { algorithm: 'none' }],
    ['a closed connection', { isSilent: true }],
  ])('with %s', async (_, lie) => {
    const { person } = await site.newPerson();
    claims = { sub: 'liar', email: person.email, email_verified: true };
    const visitor = site.newVisitor();
    const back = await goThere(visitor);
    lies = lie;
    expect(told(await comeBack(visitor, back))).toEqual(REFUSED);
    expect(failures.at(-1)).toMatchObject({ name: 'OidcError' });
    lies = {};
    expect((await signIn(claims)).status).toBe(204);
  });

  test.each<[string, object]>([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['names an endpoint inside the network', { token_endpoint: 'http://169.254.169.254/token' }],
    ['names no keys', { jwks_uri: undefined }],
  ])('when its description %s', async (_, metadata) => {
    lies = { metadata };
    const work = newClient().finish('code', { nonce: 'n', codeVerifier: 'v' });
    await expect(work).rejects.toMatchObject({ name: 'OidcError' });
  });
});

test('a foreign page begins no sign-in', async () => {
  const { visitor } = await site.newPerson();
  const bare = await visitor.call('GET', '/api/providers', undefined, { 'slipway-console': undefined });
  expect(bare.status).toBe(200);
  expect(
    (await visitor.call('POST', '/api/provider-sign-ins', undefined, { origin: 'https://evil.example' })).status,
  ).toBe(403);
});
