// Signs people in with OpenID Connect: the authorisation code flow with PKCE, state and nonce (OIDC Core 3.1, RFC
// 7636), with `openid-client`. Every request goes through the outbound client, which keeps its SSRF protection and
// limits of time and bytes.
import * as library from 'openid-client';
import type { Secret } from '../crypto/secret.ts';
import { monotonicMs } from '../flow/clock.ts';
import type { OutboundClient } from './outbound.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  /** Name of the provider that people recognise. */
  name: string;
}

/** Data that is kept between the redirect to the provider and the way back. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The person that the provider says has signed in. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
}

/** The reason why a sign-in failed: for the log, never for the browser. */
export class OidcError extends Error {
  override name = 'OidcError';
}

export interface OidcClient {
  begin(): Promise<{ url: string; attempt: OidcAttempt }>;
  /** Throws OidcError. */
  finish(code: string, attempt: Pick<OidcAttempt, 'nonce' | 'codeVerifier'>): Promise<OidcIdentity>;
}

const LIMITS = { connectTimeoutMs: 3_000, totalTimeoutMs: 8_000, maxResponseBytes: 128 * 1024 };
const METADATA_MS = 10 * 60_000;
// Algorithms with keys of the provider only: no `none`, and none that the client secret could sign.
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function createOidcClient(settings: OidcSettings, redirectUri: string, outbound: OutboundClient): OidcClient {
  const { issuer, clientId, clientSecret } = settings;
  const fetch = fetchThrough(outbound);
  // The outbound client admits plain HTTP only for the host of an issuer that is configured so.
  const isPlain = new URL(issuer).protocol === 'http:';
  let known: { metadata: library.ServerMetadata; untilMs: number } | undefined;

  async function discover(): Promise<library.ServerMetadata> {
    if (known && monotonicMs() < known.untilMs) return known.metadata;
    const found = await library.discovery(new URL(issuer), clientId, undefined, undefined, {
      [library.customFetch]: fetch,
      execute: isPlain ? [library.allowInsecureRequests] : [],
    });
    const metadata = { ...found.serverMetadata() };
    // The library compares URLs after normalisation; OIDC Discovery 4.3 requires the exact text.
    if (metadata.issuer !== issuer) throw new OidcError(`discovery names the issuer ${metadata.issuer}`);
    known = { metadata, untilMs: monotonicMs() + METADATA_MS };
    return metadata;
  }

  // Providers differ in how they decode a client's id and secret. Unlike in ClientSecretBasic, dots and hyphens are not
  // encoded.
  const basic: library.ClientAuth = (_server, _client, _body, headers) => {
    const pair = [clientId, clientSecret.reveal()].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

  /**
   * Returns a new configuration, without cached keys of the provider. A key that the provider withdrew is refused from
   * the next sign-in on.
   */
  async function configure(): Promise<library.Configuration> {
    const metadata = await discover();
    const methods = metadata.token_endpoint_auth_methods_supported;
    const isBasic = !methods || methods.includes('client_secret_basic');
    const config = new library.Configuration(
      {
        ...metadata,
        id_token_signing_alg_values_supported: ALGORITHMS,
        // RFC 9207 identifies the provider by a parameter of the redirect. There is only one provider, and its id_token
        // names the issuer.
        authorization_response_iss_parameter_supported: false,
      },
      clientId,
      { [library.clockTolerance]: 60 },
      isBasic ? basic : library.ClientSecretPost(clientSecret.reveal()),
    );
    config[library.customFetch] = fetch;
    // By default the library trusts TLS and does not verify the id_token's signature.
    library.enableNonRepudiationChecks(config);
    if (isPlain) library.allowInsecureRequests(config);
    return config;
  }

  return {
    begin: () =>
      refusing(async () => {
        const attempt = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          codeVerifier: library.randomPKCECodeVerifier(),
        };
        const url = library.buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, attempt };
      }),
    finish: (code, { nonce, codeVerifier }) =>
      refusing(async () => {
        const back = new URL(redirectUri);
        back.searchParams.set('code', code);
        const tokens = await library.authorizationCodeGrant(await configure(), back, {
          pkceCodeVerifier: codeVerifier,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new OidcError('the token endpoint gave no id_token');
        // A token for several audiences is valid at each of them, so each of them could use it here.
        const [audience, ...others] = [claims.aud].flat();
        if (audience !== clientId || others.length > 0) throw new OidcError('the id_token has other audiences');
        if (claims.azp !== undefined && claims.azp !== clientId) {
          throw new OidcError('the id_token is another client’s');
        }
        const text = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);
        return {
          issuer,
          subject: claims.sub,
          email: text(claims.email),
          isEmailVerified: claims.email_verified === true,
          name: text(claims.name),
        };
      }),
  };
}

/** Runs a part of a sign-in; throws OidcError for every failure. */
async function refusing<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OidcError) throw error;
    const reasons = [error, error instanceof Error ? error.cause : undefined].filter((one) => one instanceof Error);
    throw new OidcError(reasons.map(({ message }) => message).join(': '), { cause: error });
  }
}

/** Returns a `fetch` over the outbound client, for requests without a body and with a form. */
function fetchThrough(outbound: OutboundClient): library.CustomFetch {
  return async (url, { method, headers, body }) => {
    const request = { url, headers, ...LIMITS };
    const result =
      method === 'GET'
        ? await outbound.get(request)
        : await outbound.post({ ...request, body: Buffer.from(String(body ?? '')) });
    const { host, pathname } = new URL(url);
    if (result.kind === 'failure') throw new OidcError(`${host}${pathname}: ${result.detail}`);
    if (result.isBodyTruncated)
      throw new OidcError(`${host}${pathname} answered more than ${LIMITS.maxResponseBytes} bytes`);
    const isEmpty = result.status === 204 || result.status === 205 || result.status === 304;
    return new Response(isEmpty ? null : result.body.toString(), {
      status: result.status,
      headers: { 'content-type': String(result.headers['content-type'] ?? '') },
    });
  };
}
