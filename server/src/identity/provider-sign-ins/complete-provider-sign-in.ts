import { operation, type Reply } from '../../kit/http/operation.ts';
import { displayName, fitsSchema } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { OidcIdentity } from '../../kit/outbound/oidc.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { maySignUp } from '../accounts/index.ts';
import {
  allowVisitor,
  type ConsoleServices,
  claimLegacyLinks,
  countSecurityChange,
  findLinkedPerson,
  insertProviderLink,
  type Person,
  requireLiveSession,
  SIGN_IN_REPLIES,
  signInReply,
  type Visitor,
} from '../sessions/index.ts';
import { Callback, holdsState } from './provider-sign-in.ts';
import { consumeAttempt } from './store.ts';

export const completeProviderSignIn = operation({
  id: 'completeProviderSignIn',
  route: 'PUT /api/provider-sign-ins',
  tag: 'Sessions',
  summary: 'Complete a sign-in with the provider',
  description:
    'Signs in the person with the linked identity, by issuer and subject; an address never decides. A new identity gets an account if the provider has verified its address, no account has that address, and the sign-up policy or an invitation admits it. The second factor is required as for each sign-in. After `beginProviderLink` it links the identity to the account of the session, at most five times in one UTC day.',
  access: allowVisitor(),
  body: Callback,
  examples: { back: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'an-example-of-a-state-of-one-sign-in' } },
  replies: SIGN_IN_REPLIES,
  problems: [
    'not_found',
    'provider_sign_in_failed',
    'provider_not_linked',
    'provider_link_taken',
    'sign_up_closed',
    'sign_in_required',
    'rate_limited',
  ],
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
    await claimLegacyLinks(db, identity.issuer);
    if (attempt.personId !== null) return linkTo(attempt.personId, identity, services, visitor);
    const person = await personOf(identity, services);
    // A password reset that ends all access removes the link too.
    const isLinked = async () => (await findLinkedPerson(db, identity))?.id === person.id;
    const signedIn = await services.identity.openSession(person, visitor, isLinked);
    if (!signedIn) throw problem('provider_sign_in_failed');
    return signInReply(services, signedIn);
  },
});

// A Kelvin sign becomes a plain k in lower case, so a non-ASCII address could turn into the address of another person.
const IN_ASCII = /^[!-~]+$/;

const Name = displayName('The name that the provider has for a person.');

/**
 * Returns the claimed name, or the address if the name would be invalid here. Other people read the name and trust it.
 */
const nameOf = (claimed: string | undefined, address: string): string =>
  claimed !== undefined && fitsSchema(Name, claimed) ? claimed.trim() : address;

/** Links the identity to the account of the session that began the link, and to no other. */
async function linkTo(
  personId: string,
  { issuer, subject }: OidcIdentity,
  services: ConsoleServices,
  visitor: Visitor,
): Promise<Reply> {
  const { db, identity, consoleUrl } = services;
  const person = await identity.person(visitor);
  if (person?.id !== personId) throw problem('provider_sign_in_failed');
  await db.transaction(async (tx) => {
    // A session that ends meanwhile adds no link: the transaction that ends it deletes the links afterwards.
    await requireLiveSession({ services, visitor, tx });
    if (!(await insertProviderLink(tx, personId, { issuer, subject }))) throw problem('provider_link_taken');
    await countSecurityChange(tx, personId, 'provider_link');
    await queueMail(tx, {
      to: person.email,
      subject: 'An identity provider was linked',
      text: `An identity at ${issuer} can sign in to your account on ${consoleUrl} from now on.\n\nIf that was not you, unlink the identity provider on your account page and ask for a new password:\n\n${consoleUrl}/account\n`,
    });
  });
  return { status: 200, body: { next: 'account' } };
}

async function personOf(
  { issuer, subject, email, isEmailVerified, name }: OidcIdentity,
  services: ConsoleServices,
): Promise<Person> {
  const { identity, db } = services;
  const linked = await findLinkedPerson(db, { issuer, subject });
  if (linked) return linked;
  // Any user of the provider can claim an address that the provider has not verified.
  if (!email || !isEmailVerified || !IN_ASCII.test(email)) throw problem('provider_sign_in_failed');
  const address = email.toLowerCase();
  if (await identity.findPerson(address)) throw problem('provider_not_linked');
  if (!(await maySignUp(db, address))) throw problem('sign_up_closed');
  const person = await identity.createPerson(address, nameOf(name, address), undefined);
  if (!person || !(await insertProviderLink(db, person.id, { issuer, subject }))) {
    throw problem('provider_sign_in_failed');
  }
  return person;
}
