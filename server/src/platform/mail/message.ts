// A message to one person, as plain text: what a mail may be.
export interface NewMessage {
  /** One address. */
  to: string;
  subject: string;
  /** A link in it is a secret: it is in no log, and erased once the message is sent. */
  text: string;
}

const MAX_SUBJECT = 200;

/** A subject may hold what people name things; a line of its own in the header it may not. */
export function subjectOf(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_SUBJECT).join('');
}

const MINUTE = 60;
const RETRIES_IN_SECONDS = [1, 5, 30, 60, 240, 480].map((minutes) => minutes * MINUTE);

export type Verdict = { kind: 'again'; retryInSeconds: number } | { kind: 'given up' };

/** What becomes of a message after an attempt that failed; `attempts` counts it. Given up after about 14 hours. */
export function judgeAttempt(attempts: number, isPermanent: boolean): Verdict {
  const retryInSeconds = RETRIES_IN_SECONDS[attempts - 1];
  return isPermanent || retryInSeconds === undefined ? { kind: 'given up' } : { kind: 'again', retryInSeconds };
}
