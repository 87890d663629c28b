// Prepares text from outside for storage: redacted, and in a form that Postgres can store.
import { redactKeys } from '../../kit/text/redact.ts';

/**
 * Returns the redacted text, at most `maxCharacters` long. Replaces characters that Postgres cannot store and never
 * throws, because the response already exists. The text is redacted before it is cut, because half a secret cannot be
 * recognised.
 */
export function sanitiseText(given: string, maxCharacters: number): string {
  const text = redactKeys(given);
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  const plain = cut.isWellFormed() ? cut : cut.toWellFormed();
  return plain.includes('\u0000') ? plain.replaceAll('\u0000', '\uFFFD') : plain;
}
