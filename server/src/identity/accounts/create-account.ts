import { operation } from '../../kit/http/operation.ts';
import { displayName, namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findInvitedAddress } from '../organisations/index.ts';
import { allowVisitor, SIGN_IN_REPLIES, signInReply } from '../sessions/index.ts';
import { exampleToken, LINK_TOKEN, NEW_PASSWORD } from './account.ts';
import { maySignUp } from './sign-up-permission.ts';
import { consumeLink } from './store.ts';

const NewAccount = namedObject('NewAccount', 'An account to create.', {
  token: LINK_TOKEN,
  name: displayName('Your name.'),
  password: NEW_PASSWORD,
});

// The password comes with the link and not with the request for it: a person who signs up with the address of another
// person leaves nothing behind.
export const createAccount = operation({
  id: 'createAccount',
  route: 'POST /api/accounts',
  tag: 'Accounts',
  summary: 'Sign up',
  description:
    'Creates an account and signs in, with the link that was mailed to the address. The link verifies the address. It is the link of a sign-up or of an invitation.',
  access: allowVisitor(),
  body: NewAccount,
  examples: { anAccount: { token: exampleToken, name: 'Imke', password: 'a long sentence is a good one' } },
  replies: SIGN_IN_REPLIES,
  problems: ['link_invalid'],
  async run({ services, visitor }, { body }) {
    // The mailed link of an invitation proves the address as well. Only accepting the invitation consumes its link.
    const { db } = services;
    const email = (await consumeLink(db, 'sign_up', body.token)) ?? (await findInvitedAddress(db, body.token));
    // Checked again: meanwhile the invitation may have been revoked, or the policy changed.
    const mayHaveOne = email !== undefined && (await maySignUp(db, email));
    const person = mayHaveOne && (await services.identity.createPerson(email, body.name.trim(), body.password));
    if (!person) throw problem('link_invalid');
    // This request created the account, so no earlier access of it was ended.
    const signedIn = await services.identity.openSession(person, visitor, async () => true);
    if (!signedIn) throw problem('link_invalid');
    return signInReply(services, signedIn);
  },
});
