// Shortens identifiers to their prefix and their end, which differs between identifiers of the same time.
const IDENTIFIER = /\b([a-z]{3}_)[0-9a-z]{18}([0-9a-z]{8})\b/g;

/** Shortens every identifier in a text for display. Copying uses the whole text. */
export function shorten(text: string): string {
  return text.replaceAll(IDENTIFIER, '$1…$2');
}
