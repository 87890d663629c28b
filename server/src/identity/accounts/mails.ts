// The mails to people about their accounts. Tokens follow a #, which browsers do not send, so no server logs a token.
import type { Secret } from '../../kit/crypto/secret.ts';
import { utcMinute } from '../../kit/text/utc-minute.ts';
import type { NewMessage } from '../../platform/mail/index.ts';
import type { EndedAccess, Person } from '../sessions/index.ts';
import { UNDO_HOURS } from './store.ts';

const IGNORE = 'If you did not ask for this, you can ignore this mail: nothing was changed.';

const listOf = (tokens: readonly { name: string; organisation: string }[]): string =>
  tokens.map(({ name, organisation }) => `- ${name} (${organisation})`).join('\n');

const issuersOf = (links: EndedAccess['providerLinks']): string =>
  links
    .map(({ issuer, linkedAt }) => `- ${issuer ?? 'the identity provider'}, linked on ${utcMinute(linkedAt)}`)
    .join('\n');

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

const endedParagraphs = ({ accessTokens, providerLinks }: EndedAccess): string[] => [
  ...(accessTokens.length > 0 ? [`These access tokens were ended:\n${listOf(accessTokens)}`] : []),
  ...(providerLinks.length > 0 ? [`These identity providers no longer sign you in:\n${issuersOf(providerLinks)}`] : []),
];

export const composePasswordChangedMail = (to: string, consoleUrl: string, ended: EndedAccess): NewMessage => ({
  to,
  subject: 'Your password was changed',
  text: lines(
    `Your password on ${consoleUrl} was changed with a link that was mailed to you, and all sessions were ended.`,
    ...endedParagraphs(ended),
    'If that was not you, another person can read your mail. Secure your mail account first, then ask for a new password.',
  ),
});

export const composeEmailChangeMail = (
  to: string,
  consoleUrl: string,
  { email }: Pick<Person, 'email'>,
  token: Secret,
): NewMessage => ({
  to,
  subject: 'Confirm your new address on Slipway',
  text: lines(
    `The account of ${email} on ${consoleUrl} requested this address, probably you. To confirm it, open this link in the browser in which you are signed in as ${email}:`,
    `${consoleUrl}/confirm-email#token=${token.reveal()}`,
    'The link works once and for one hour.',
    IGNORE,
  ),
});

export const composeEmailTakenMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Your address was requested on Slipway',
  text: lines(
    `Another account on ${consoleUrl} requested this address, probably yours. The address already has an account, so nothing was changed.`,
    `To use the account of this address, sign in on ${consoleUrl}/sign-in. To move the address to your other account, change the address of this account first.`,
    IGNORE,
  ),
});

/** Returns the mail to the previous address after a change, with the link that restores it. */
export const composeEmailChangedMail = (to: string, consoleUrl: string, email: string, token: Secret): NewMessage => ({
  to,
  subject: 'The address of your account was changed',
  text: lines(
    `Your account on ${consoleUrl} has the address ${email} from now on. It was ${to} before.`,
    `If that was not you, someone has a session of yours and your password. Restore your address within ${UNDO_HOURS} hours, and choose a new password:`,
    `${consoleUrl}/restore-email#token=${token.reveal()}`,
  ),
});

export const composeEmailRestoredMail = (to: string, consoleUrl: string, ended: EndedAccess): NewMessage => ({
  to,
  subject: 'The address of your account was restored',
  text: lines(
    `Your account on ${consoleUrl} has the address ${to} again. It was restored with a link that was mailed to you. The password was changed, and all sessions were ended.`,
    ...endedParagraphs(ended),
    'Check your second factor and passkeys in your account. If that was not you, another person can read your mail. Secure your mail account first, then ask for a new password.',
  ),
});

/** Returns the mail to the address that an account had until an earlier address was restored. */
export const composeEmailLeftMail = (to: string, consoleUrl: string, email: string): NewMessage => ({
  to,
  subject: 'The address of your account was changed back',
  text: lines(
    `An account on ${consoleUrl} had this address. Its earlier address ${email} was restored with a link that was mailed there, and all sessions were ended.`,
    'If that was not you, inform an operator.',
  ),
});
