// Text from outside as it may be kept: without our own secrets, and so that Postgres can store it.
import { redactKeys } from '../../access/authority/index.ts';

/**
 * What Postgres cannot store is replaced, never refused: the answer is made by now. Secrets are looked for before the text is
 * cut, because half a secret looks like none.
 */
export function keptText(given: string, maxCharacters: number): string {
  const text = redactKeys(given);
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  const plain = cut.isWellFormed() ? cut : cut.toWellFormed();
  return plain.includes('\u0000') ? plain.replaceAll('\u0000', '\uFFFD') : plain;
}
