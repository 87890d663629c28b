// Mails to a person about the security of their account.
import type { NewMessage } from '../mail/index.ts';
import type { AccessToken } from './access-token.ts';

const lines = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;

export const mailOfWrongCodes = (to: string, consoleUrl: string): NewMessage => ({
  to,
  subject: 'Wrong codes of your second factor',
  text: lines(
    `Ten wrong codes of your second factor were entered on ${consoleUrl}. No code is accepted for 15 minutes.`,
    'If that was not you, someone has your password or a session of yours. Set a new password (this ends all sessions):',
    `${consoleUrl}/sign-in`,
  ),
});

export function mailOfNewToken(
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
      `Name: ${name}\nScope: ${scope}\nExpires: ${expiresAt}`,
      origin,
      'If that was not you, revoke it on the page Team, set a new password and sign out everywhere:',
      `${by.consoleUrl}/organisations/${by.organisationId}/team`,
    ),
  };
}
