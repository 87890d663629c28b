// The mails to people about their accounts. Tokens follow a #, which browsers do not send, so no server logs a token.
import type { Secret } from '../../kit/crypto/secret.ts';
import type { NewMessage } from '../../platform/mail/index.ts';
import type { EndedAccess } from '../sessions/index.ts';

const IGNORE = 'If you did not ask for this, you can ignore this mail: nothing was changed.';

const listOf = (tokens: readonly { name: string; organisation: string }[]): string =>
  tokens.map(({ name, organisation }) => `- ${name} (${organisation})`).join('\n');

const issuersOf = (links: EndedAccess['providerLinks']): string =>
  links.map(({ issuer, linkedAt }) => `- ${issuer ?? 'the identity provider'}, linked at ${linkedAt}`).join('\n');

const lines = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;

/**
 * Returns the mail with the sign-up link. `invitation` is a text that names an open invitation of the address, with its
 * link.
 */
export const composeNewAccountMail = (
  to: string,
  consoleUrl: string,
  token: Secret,
  invitation: string | undefined,
): NewMessage => ({
  to,
  subject: 'Your account on Slipway',
  text: lines(
    `A sign-up with this address was requested on ${consoleUrl}, probably by you. To continue, open:`,
    `${consoleUrl}/sign-up#token=${token.reveal()}`,
    'The link works once and for 24 hours.',
    ...(invitation === undefined ? [] : [invitation]),
    IGNORE,
  ),
});

export const composeExistingAccountMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'You have an account on Slipway',
  text: lines(
    `A sign-up with this address was requested on ${consoleUrl}, probably by you. The address already has an account.`,
    `Sign in on ${consoleUrl}/sign-in. You can also ask for a new password there.`,
    IGNORE,
  ),
});

export const composePasswordResetMail = (to: string, consoleUrl: string, token: Secret): NewMessage => ({
  to,
  subject: 'A new password for Slipway',
  text: lines(
    `A new password was requested on ${consoleUrl}, probably by you. To choose the password, open:`,
    `${consoleUrl}/reset-password#token=${token.reveal()}`,
    'The link works once and for one hour.',
    IGNORE,
  ),
});

export const composePasswordChangedMail = (
  to: string,
  consoleUrl: string,
  { accessTokens, providerLinks }: EndedAccess,
): NewMessage => ({
  to,
  subject: 'Your password was changed',
  text: lines(
    `Your password on ${consoleUrl} was changed with a link that was mailed to you, and all sessions were ended.`,
    ...(accessTokens.length > 0 ? [`These access tokens were ended:\n${listOf(accessTokens)}`] : []),
    ...(providerLinks.length > 0
      ? [`These identity providers no longer sign you in:\n${issuersOf(providerLinks)}`]
      : []),
    'If that was not you, another person can read your mail. Secure your mail account first, then ask for a new password.',
  ),
});
