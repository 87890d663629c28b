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
