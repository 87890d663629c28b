// Identifiers where there is little room: their kind and their end, by which those of one moment differ.
const IDENTIFIER = /\b([a-z]{3}_)[0-9a-z]{18}([0-9a-z]{8})\b/g;

/** Every identifier in a text, shortened. For reading only: what is copied is the whole. */
export function shorten(text: string): string {
  return text.replaceAll(IDENTIFIER, '$1…$2');
}
