// A message to one person, as plain text.
export interface NewMessage {
  /** One address. */
  to: string;
  subject: string;
  /** A link in the text is a secret: the text is never logged and is erased once the message is sent. */
  text: string;
}

const MAX_SUBJECT = 200;

/** Returns the text as one line, because names may contain line breaks, which would begin another header. */
export function subjectOf(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_SUBJECT).join('');
}

const MINUTE = 60;
const RETRIES_IN_SECONDS = [1, 5, 30, 60, 240, 480].map((minutes) => minutes * MINUTE);

type RetryDecision = { kind: 'again'; retryInSeconds: number } | { kind: 'given up' };

/**
 * Returns the next step after a failed attempt, of which there are `attempts`. A message is given up after about 14
 * hours.
 */
export function decideRetry(attempts: number, isPermanent: boolean): RetryDecision {
  const retryInSeconds = RETRIES_IN_SECONDS[attempts - 1];
  return isPermanent || retryInSeconds === undefined ? { kind: 'given up' } : { kind: 'again', retryInSeconds };
}
