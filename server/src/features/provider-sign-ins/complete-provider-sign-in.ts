import type { OidcIdentity } from '../../kit/oidc.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { displayName, isFit } from '../../kit/schema.ts';
import { maySignUp } from '../accounts/index.ts';
import { type ConsoleServices, type Person, SIGN_IN_REPLIES, signInReply, visitor } from '../sessions/index.ts';
import { Callback, holdsState } from './provider-sign-in.ts';
import { consumeAttempt } from './store.ts';

export const completeProviderSignIn = operation({
  id: 'completeProviderSignIn',
  method: 'PUT',
  path: '/api/provider-sign-ins',
  tag: 'Sessions',
  summary: 'Complete a sign-in with the provider',
  description:
    'Signs in whom the identity provider vouches for, by the e-mail address that it has verified. Who has no account gets one, when the sign-up policy or an invitation lets the address in. A second factor is asked for as always.',
  access: visitor(),
  body: Callback,
  examples: { back: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'an-example-of-a-state-of-one-sign-in' } },
  replies: SIGN_IN_REPLIES,
  problems: ['not_found', 'provider_sign_in_failed', 'sign_up_closed'],
  async run({ services, visitor }, { body }) {
    const { provider, consoleUrl, db } = services;
    if (!provider) throw problem('not_found');
    const isOwn = holdsState(consoleUrl, visitor.cookie, body.state);
    const attempt = isOwn ? await consumeAttempt(db, body.state) : undefined;
    if (!attempt) throw problem('provider_sign_in_failed');
    const identity = await provider.client.finish(body.code, attempt).catch((error: unknown) => {
      provider.onFailure(error);
      throw problem('provider_sign_in_failed');
    });
    const person = await personOf(identity, services);
    return signInReply(services, await services.identity.openSession(person, visitor));
  },
});

// In lower case a Kelvin sign is a plain k: an address that is another's must never become ours.
const IN_ASCII = /^[!-~]+$/;

const Name = displayName('What the provider calls somebody.');

/** Theirs, unless it is one that nobody could give themselves here: others read it, and decide by it. */
const nameOf = (claimed: string | undefined, address: string): string =>
  claimed !== undefined && isFit(Name, claimed) ? claimed.trim() : address;

async function personOf(
  { subject, email, isEmailVerified, name }: OidcIdentity,
  services: ConsoleServices,
): Promise<Person> {
  const { identity, db } = services;
  // Anybody can claim an address that the provider has not verified.
  if (!email || !isEmailVerified || !IN_ASCII.test(email)) throw problem('provider_sign_in_failed');
  const address = email.toLowerCase();
  const known = await identity.findPerson(address);
  if (!known && !(await maySignUp(db, address))) throw problem('sign_up_closed');
  const person = known ?? (await identity.createPerson(address, nameOf(name, address), undefined));
  if (!person || !(await identity.linkProvider(person, subject))) throw problem('provider_sign_in_failed');
  return person;
}
