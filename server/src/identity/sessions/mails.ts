// Mails to a person about the security of their account.
import type { Secret } from '../../kit/crypto/secret.ts';
import { utcMinute } from '../../kit/text/utc-minute.ts';
import type { NewMessage } from '../../platform/mail/index.ts';
import type { AccessToken } from './access-token.ts';

const lines = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;

export const composeWrongCodesMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Wrong codes of your second factor',
  text: lines(
    `Ten wrong codes of your second factor were entered on ${consoleUrl}. No code is accepted for 15 minutes.`,
    'If that was not you, someone has your password or a session of yours. Set a new password (this ends all sessions):',
    `${consoleUrl}/sign-in`,
  ),
});

export function composeNewTokenMail(
  { name, owner, scope, expiresAt }: AccessToken,
  by: { consoleUrl: string; address: string; organisationId: string; isTerminal: boolean },
): NewMessage {
  const origin = by.isTerminal
    ? `A terminal at the address ${by.address} received it, after its sign-in was approved in your name.`
    : `It was created in the Console, from the address ${by.address}.`;
  return {
    to: owner,
    subject: 'A new access token in your name',
    text: lines(
      `An access token was created in your name on ${by.consoleUrl}:`,
      `Name: ${name}\nScope: ${scope}\nExpires: ${utcMinute(expiresAt)}`,
      origin,
      'If you did not do this, revoke the token on the page Team and access tokens, set a new password and sign out everywhere:',
      `${by.consoleUrl}/organisations/${by.organisationId}/team`,
    ),
  };
}

export const composeNewFactorMail = (to: string, consoleUrl: string, opensAt: Date | undefined): NewMessage => ({
  to,
  subject: 'A second factor was set up',
  text: lines(
    `Signing in to Slipway (${consoleUrl}) asks for a second factor from now on.`,
    ...(opensAt
      ? [
          `You can create production keys again from ${utcMinute(opensAt)}, because the previous second factor was removed.`,
        ]
      : []),
    'If that was not you, ask for a new password now, and inform an operator.',
  ),
});

export const composeFactorDisabledMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Your second factor was switched off',
  text: lines(
    `Signing in to Slipway (${consoleUrl}) no longer asks for a second factor. Your authenticator, recovery codes and passkeys were removed.`,
    'If that was not you, ask for a new password immediately.',
  ),
});

export const composePasskeyMail = (
  to: string,
  consoleUrl: string,
  change: 'registered' | 'removed',
  name: string,
): NewMessage => ({
  to,
  subject: `A passkey was ${change}`,
  text: lines(
    `A passkey of your account on ${consoleUrl} was ${change}:`,
    `Name: ${name}`,
    'If that was not you, ask for a new password now, and inform an operator.',
  ),
});

export const composeRemovalRequestMail = (
  to: string,
  consoleUrl: string,
  { dueAt, token }: { dueAt: Date; token: Secret },
): NewMessage => ({
  to,
  subject: 'The removal of your second factor was requested',
  text: lines(
    `The removal of your second factor on ${consoleUrl} was requested without a code. The factor will be removed on ${utcMinute(dueAt)}.`,
    'If that was not you, someone has a session of yours and your password. Cancel the removal, then ask for a new password:',
    `${consoleUrl}/cancel-removal#token=${token.reveal()}`,
    'You cannot create production keys until you cancel the removal, or until a new second factor is 24 hours old.',
  ),
});

export const composeFactorRemovedMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Your second factor was removed',
  text: lines(
    `Signing in to Slipway (${consoleUrl}) no longer asks for a second factor. Your passkeys were removed too. The removal was requested 24 hours ago.`,
    'You cannot create production keys until a new second factor is 24 hours old. Set one up in your account:',
    `${consoleUrl}/account`,
    'If that was not you, ask for a new password now, and inform an operator.',
  ),
});

export const composeProviderUnlinkedMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'The identity provider was unlinked',
  text: lines(
    `The identity provider no longer signs you in on ${consoleUrl}.`,
    'If that was not you, ask for a new password now.',
  ),
});

export const composeWrongPasswordsMail = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Wrong passwords for your account',
  text: lines(
    `Many wrong passwords were entered for your account on ${consoleUrl}. Further attempts wait longer each time.`,
    'If you did not enter them, you can still sign in from any network where you have signed in before. From another network, ask for a new password first:',
    `${consoleUrl}/reset-password`,
  ),
});
