// An identity provider over HTTP for tests, which can give one false answer at a time, and the browsers of its users.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Answer } from '../../../test/app.ts';
import { CONSOLE_URL, startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { createOidcClient, type OidcClient } from '../../kit/outbound/oidc.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';

export const CLIENT = { id: 'slipway', secret: 'the secret of the client' };

export interface ProviderFaults {
  claims?: JWTPayload;
  metadata?: object;
  algorithm?: 'HS256' | 'none';
  isOtherKey?: boolean;
  isSilent?: boolean;
}

interface IdentityProvider {
  issuer: string;
  faults: ProviderFaults;
  /** Claims of the next person who signs in at the provider. */
  claims: JWTPayload;
  failures: unknown[];
  /** The parameters with which the browser was sent to the provider, by code. */
  granted: Map<string, URLSearchParams>;
  newClient(): OidcClient;
  /** Returns the provider in the form that startConsole accepts. */
  service(): { name: string; client: OidcClient; onFailure(error: unknown): void };
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

async function startIdentityProvider(): Promise<IdentityProvider> {
  const keys = await generateKeyPair('ES256', { extractable: true });
  const others = await generateKeyPair('ES256', { extractable: true });

  async function idToken(nonce: string | null): Promise<string> {
    const { faults } = provider;
    const payload = { iss: provider.issuer, aud: CLIENT.id, nonce, ...provider.claims, ...faults.claims };
    if (faults.algorithm === 'none') {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part({ ...payload, iat: 1, exp: 9e9 })}.`;
    }
    const jwt = new SignJWT(payload).setIssuedAt().setExpirationTime('5m');
    if (faults.algorithm === 'HS256') {
      return jwt.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.secret));
    }
    const { privateKey } = faults.isOtherKey ? others : keys;
    return jwt.setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
  }

  async function redeem(request: IncomingMessage): Promise<object | undefined> {
    const form = await bodyOf(request);
    const query = provider.granted.get(form.get('code') ?? '');
    provider.granted.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const basic = Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`).toString('base64');
    const isGood =
      query?.get('code_challenge') === challenge &&
      query.get('redirect_uri') === form.get('redirect_uri') &&
      request.headers.authorization === `Basic ${basic}`;
    return isGood
      ? { id_token: await idToken(query.get('nonce')), access_token: 'unused', token_type: 'Bearer' }
      : undefined;
  }

  async function answerTo(request: IncomingMessage): Promise<object | undefined> {
    const { issuer, faults } = provider;
    if (request.url === '/.well-known/openid-configuration') {
      const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'jwks'].map(
        (one) => `${issuer}/${one}`,
      );
      return { issuer, authorization_endpoint, token_endpoint, jwks_uri, ...faults.metadata };
    }
    if (request.url === '/jwks') return { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] };
    return request.url === '/token' ? redeem(request) : undefined;
  }

  const server = createServer(async (request, response) => {
    if (provider.faults.isSilent) return void request.socket.destroy();
    const body = await answerTo(request);
    response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  const outbound = createOutboundClient({ allowHosts: [new URL(issuer).host] });
  const provider: IdentityProvider = {
    issuer,
    faults: {},
    claims: {},
    failures: [],
    granted: new Map(),
    newClient: () =>
      createOidcClient(
        { issuer, clientId: CLIENT.id, clientSecret: secret(CLIENT.secret), name: 'Harbour ID' },
        `${CONSOLE_URL}/sign-in/provider`,
        outbound,
      ),
    service: () => ({
      name: 'Harbour ID',
      client: provider.newClient(),
      onFailure: (error) => provider.failures.push(error),
    }),
    async close() {
      await outbound.close();
      server.close();
    },
  };
  return provider;
}

export const statusAndCode = ({ status, body }: Answer): unknown => [status, body?.code];
export const REFUSED = [401, 'provider_sign_in_failed'];
export const NOT_LINKED = [403, 'provider_not_linked'];

/** Returns the steps of browsers on the way to the provider and back. */
function createBrowsers(provider: IdentityProvider, site: TestConsole) {
  function granting(url: string): { code: string; state: string } {
    const { searchParams } = new URL(url);
    const code = `code-${provider.granted.size}-${searchParams.get('nonce')}`;
    provider.granted.set(code, searchParams);
    return { code, state: searchParams.get('state') ?? '' };
  }
  /** Begins a sign-in and returns the parameters with which the browser comes back. */
  async function goThere(visitor: TestVisitor): Promise<{ code: string; state: string }> {
    const begun = await visitor.call<{ url: string }>('POST', '/api/provider-sign-ins');
    if (begun.status !== 201) throw new Error(`A sign-in began with ${begun.status}.`);
    return granting(begun.body.url);
  }
  const comeBack = (visitor: TestVisitor, back: object): Promise<Answer> =>
    visitor.call('PUT', '/api/provider-sign-ins', back);
  async function signIn(about: JWTPayload, visitor = site.newVisitor()): Promise<Answer> {
    provider.claims = { email_verified: true, ...about };
    return comeBack(visitor, await goThere(visitor));
  }
  /** Links the identity to the account of the visitor's session. */
  async function link(visitor: TestVisitor, sub: string, body: object = {}): Promise<Answer> {
    const { cookie } = visitor;
    const begun = await visitor.call<{ url: string }>('POST', '/api/provider-links', body);
    if (begun.status !== 201) return begun;
    visitor.cookie = `${cookie}; ${visitor.cookie}`;
    const back = granting(begun.body.url);
    provider.claims = { sub };
    const answer = await comeBack(visitor, back);
    visitor.cookie = cookie;
    return answer;
  }
  return { granting, goThere, comeBack, signIn, link };
}

/**
 * Provides a Console with the identity provider for the whole file. The provider gives correct answers again before
 * each test.
 */
export function useIdentityProvider() {
  let provider: IdentityProvider;
  let site: TestConsole;
  let browsers: ReturnType<typeof createBrowsers>;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    site = await startConsole('local', { provider: provider.service() });
    browsers = createBrowsers(provider, site);
  });
  afterAll(async () => {
    await site.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.faults = {};
    provider.claims = {};
  });
  return { provider: () => provider, site: () => site, browsers: () => browsers };
}
