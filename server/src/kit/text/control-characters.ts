// Escapes characters that a terminal or a log viewer obeys. These are control characters (C0 and C1, so ANSI sequences
// too), bidirectional overrides, line and paragraph separators, and lone surrogates. The joiners (U+200C, U+200D) stay:
// scripts and emoji need them.

const CONTROL_CHARACTER = String.raw`(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]`;
const ANY_CONTROL_CHARACTER = new RegExp(CONTROL_CHARACTER, 'gu');
const CONTROL_CHARACTER_IN_LINE = new RegExp(String.raw`(?!\n)${CONTROL_CHARACTER}`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/** Returns the text on one line: `\n` and `\x1b` stand for a line break and an escape character. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(ANY_CONTROL_CHARACTER, escaped);

/** Escapes everything but line breaks. */
export const escapeControlCharactersInLines = (text: string): string =>
  text.replaceAll(CONTROL_CHARACTER_IN_LINE, escaped);

const jsonEscaped = (text: string): string =>
  text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Returns JSON lines with the same meaning. Such characters occur only inside JSON strings, where `\uXXXX` replaces
 * them.
 */
export const escapeControlCharactersInJson = (json: string): string =>
  json.replaceAll(CONTROL_CHARACTER_IN_LINE, jsonEscaped);
