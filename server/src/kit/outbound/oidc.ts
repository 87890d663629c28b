// OpenID Connect, as much as signing in takes: the authorisation code flow with PKCE, state and nonce (OIDC Core 3.1,
// RFC 7636). Everything goes through the outbound door; nothing that a provider says is believed before its signature.
import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Secret } from '../crypto/secret.ts';
import { monotonicMs } from '../flow/clock.ts';
import type { Outbound, OutboundResult } from './outbound.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  /** How people know the provider. */
  name: string;
}

/** What is kept between the way there and the way back. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who the provider says has signed in. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
}

/** Why a sign-in came to nothing: for the log, never for the browser. */
export class OidcError extends Error {
  override name = 'OidcError';
}

export interface OidcClient {
  begin(): Promise<{ url: string; attempt: OidcAttempt }>;
  /** Throws OidcError. */
  finish(code: string, attempt: Pick<OidcAttempt, 'nonce' | 'codeVerifier'>): Promise<OidcIdentity>;
}

interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  token_endpoint_auth_methods_supported?: string[];
}

const LIMITS = { connectTimeoutMs: 3_000, totalTimeoutMs: 8_000, maxResponseBytes: 128 * 1024 };
const METADATA_MS = 10 * 60_000;
// What is signed with a key of the provider's own: no `none`, and nothing that our secret could sign.
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const random = (): string => randomBytes(32).toString('base64url');

export function createOidcClient(settings: OidcSettings, redirectUri: string, outbound: Outbound): OidcClient {
  const { issuer, clientId, clientSecret } = settings;
  let known: { metadata: Metadata; untilMs: number } | undefined;

  async function discover(): Promise<Metadata> {
    if (known && monotonicMs() < known.untilMs) return known.metadata;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = jsonOf('discovery', await outbound.get({ url, headers: { accept: 'application/json' }, ...LIMITS }));
    // Or one provider could pass for another (OIDC Discovery 4.3).
    if (found.issuer !== issuer) throw new OidcError(`discovery names the issuer ${String(found.issuer)}`);
    const metadata = found as unknown as Metadata; // each is looked at in the next line
    for (const one of [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri]) {
      if (typeof one !== 'string' || !URL.canParse(one)) throw new OidcError('discovery lacks an endpoint');
    }
    known = { metadata, untilMs: monotonicMs() + METADATA_MS };
    return metadata;
  }

  async function redeem(metadata: Metadata, code: string, codeVerifier: string): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    form.set('code_verifier', codeVerifier);
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const methods = metadata.token_endpoint_auth_methods_supported;
    if (!methods || methods.includes('client_secret_basic')) {
      const pair = [clientId, clientSecret.reveal()].map(encodeURIComponent).join(':');
      headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    } else {
      form.set('client_id', clientId);
      form.set('client_secret', clientSecret.reveal());
    }
    const body = Buffer.from(form.toString());
    const answer = jsonOf(
      'the token endpoint',
      await outbound.post({ url: metadata.token_endpoint, headers, body, ...LIMITS }),
    );
    if (typeof answer.id_token !== 'string') throw new OidcError('the token endpoint gave no id_token');
    return answer.id_token;
  }

  async function verify(metadata: Metadata, idToken: string, nonce: string): Promise<OidcIdentity> {
    // Asked each time: a key that the provider took back is gone at once, and people sign in seldom.
    const jwks = jsonOf(
      'the keys',
      await outbound.get({ url: metadata.jwks_uri, headers: { accept: 'application/json' }, ...LIMITS }),
    );
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(jwks as unknown as JSONWebKeySet), {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: 60,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    }).catch((error: unknown) => {
      throw new OidcError(`the id_token is not good: ${error instanceof Error ? error.message : error}`);
    });
    // A token for several audiences is good at each of them, and so in the hands of each.
    const [audience, ...others] = [payload.aud].flat();
    if (audience !== clientId || others.length > 0) throw new OidcError('the id_token has other audiences');
    if (payload.nonce !== nonce) throw new OidcError('the id_token is of another sign-in');
    if (payload.azp !== undefined && payload.azp !== clientId) throw new OidcError('the id_token is another client’s');
    const text = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);
    return {
      issuer,
      subject: payload.sub ?? '',
      email: text(payload.email),
      isEmailVerified: payload.email_verified === true,
      name: text(payload.name),
    };
  }

  return {
    async begin() {
      const { authorization_endpoint: endpoint } = await discover();
      const attempt = { state: random(), nonce: random(), codeVerifier: random() };
      const url = new URL(endpoint);
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: createHash('sha256').update(attempt.codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { url: url.href, attempt };
    },
    async finish(code, { nonce, codeVerifier }) {
      const metadata = await discover();
      return verify(metadata, await redeem(metadata, code, codeVerifier), nonce);
    },
  };
}

function jsonOf(what: string, result: OutboundResult): Record<string, unknown> {
  if (result.kind === 'failure') throw new OidcError(`${what}: ${result.detail}`);
  if (result.status !== 200 || result.isBodyCut) throw new OidcError(`${what} answered ${result.status}`);
  try {
    const value: unknown = JSON.parse(result.body.toString());
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // not JSON
  }
  throw new OidcError(`${what} answered no JSON`);
}
