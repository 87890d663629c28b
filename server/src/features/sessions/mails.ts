// Mails to a person about the security of their account.
import type { NewMessage } from '../mail/index.ts';

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
