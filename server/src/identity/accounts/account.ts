// Accounts: the sign-up policy, and the input of a person who signs up.
import { namedObject, oneOf, Type, text } from '../../kit/http/schema.ts';

export type SignUpPolicyRow = { policy: 'open' | 'invited' | 'domain'; domains: string[] };

// The addresses that the identity library accepts, without forms that can be read in two ways.
const EMAIL = "^[A-Za-z0-9_+'-]+(\\.[A-Za-z0-9_+'-]+)*@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$";

export function emailAddress(description: string) {
  return text(description, { minLength: 6, maxLength: 320, pattern: EMAIL, examples: ['imke@example.org'] });
}

export const EmailToMail = namedObject('EmailToMail', 'A request for a mailed link.', {
  email: emailAddress('The address to which the link is mailed.'),
});

export const LINK_TOKEN = text('The token of the link.', { minLength: 16, maxLength: 200 });
export const NEW_PASSWORD = text('A password of at least 12 characters.', { minLength: 12, maxLength: 200 });

export const exampleToken = 'an-example-of-a-one-time-token-abc';

export const SignUpPolicy = namedObject('SignUpPolicy', 'The sign-up policy.', {
  policy: oneOf(
    ['open', 'invited', 'domain'],
    'The people who may sign up: all, only invited people, or also people with an address of one of the domains.',
  ),
  domains: Type.Array(
    text('A domain, in lower case.', {
      minLength: 4,
      maxLength: 253,
      pattern: '^([a-z0-9][a-z0-9-]*\\.)+[a-z]{2,}$',
      examples: ['example.org'],
    }),
    { maxItems: 100, description: 'The domains of the policy `domain`. A subdomain must be listed separately.' },
  ),
});

/** Returns the form in which addresses are compared: mail servers ignore case. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Returns true if the policy admits the address without an invitation. An invitation admits an address under each
 * policy.
 */
export function allowsSignUp({ policy, domains }: SignUpPolicyRow, email: string): boolean {
  if (policy !== 'domain') return policy === 'open';
  return domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
