// A sign-in with the operator's identity provider, and the cookie that binds its two halves to one browser.
import { timingSafeEqual } from 'node:crypto';
import type { Reply } from '../../kit/http/operation.ts';
import { namedObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { OidcAttempt } from '../../kit/outbound/oidc.ts';
import type { ConsoleServices } from '../sessions/index.ts';

// Over plain http (only on loopback) a browser refuses the __Host- prefix, which requires Secure.
const cookieName = (consoleUrl: string): string =>
  consoleUrl.startsWith('https:') ? '__Host-slipway_provider' : 'slipway_provider';

/**
 * Returns the cookie with the state. Only the browser that began the sign-in has it, so an attacker cannot complete
 * their own sign-in in another browser.
 */
function stateCookie(consoleUrl: string, state: string, maxAgeS: number): string {
  const secure = consoleUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(consoleUrl)}=${state}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export function holdsState(consoleUrl: string, cookie: string | undefined, state: string): boolean {
  const prefix = `${cookieName(consoleUrl)}=`;
  const cookieState =
    (cookie ?? '')
      .split(/;\s*/)
      .find((pair) => pair.startsWith(prefix))
      ?.slice(prefix.length) ?? '';
  const [a, b] = [Buffer.from(cookieState), Buffer.from(state)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export const Callback = namedObject(
  'ProviderCallback',
  'The parameters with which a browser returns from the identity provider.',
  {
    code: text('The parameter `code` of the address to which the provider sent the browser.', {
      minLength: 1,
      maxLength: 2000,
    }),
    state: text('The parameter `state` of the same address.', { minLength: 16, maxLength: 200 }),
  },
);

export const Provider = namedObject('IdentityProvider', 'An identity provider.', {
  name: text('The name of the provider for people.', { maxLength: 100 }),
});

export const ProviderSignIn = namedObject('ProviderSignIn', 'A sign-in that has begun.', {
  url: text("The provider's address, created for this sign-in.", { maxLength: 4000 }),
});

/** Begins a sign-in at the provider, stores the attempt and returns the address for the browser. */
export async function beginAt(
  provider: NonNullable<ConsoleServices['provider']>,
  consoleUrl: string,
  store: (attempt: OidcAttempt) => Promise<void>,
): Promise<Reply> {
  const begun = await provider.client.begin().catch((error: unknown) => {
    provider.onFailure(error);
    throw problem('provider_sign_in_failed');
  });
  await store(begun.attempt);
  const headers = { 'set-cookie': stateCookie(consoleUrl, begun.attempt.state, 600) };
  return { status: 201, headers, body: { url: begun.url } };
}
