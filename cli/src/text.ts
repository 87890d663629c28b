// Makes foreign text safe to print: control characters that a terminal would interpret are shown as `\x1b` or
// `\u{202e}`.

// Control characters, text directions, separators, lone surrogates, private use. Joiners (200c, 200d) stay: scripts and
// emoji need them.
const CONTROL_CHARACTER = String.raw`(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]`;
const CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER, 'gu');
const CONTROL_CHARACTERS_EXCEPT_LINE_BREAKS = new RegExp(String.raw`(?!\n)${CONTROL_CHARACTER}`, 'gu');

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/** Escapes a text that must stay on one line. */
export const escapeText = (text: string): string => text.replaceAll(CONTROL_CHARACTERS, escapeCharacter);

/** Escapes a text of several lines and keeps its line breaks. */
export const escapeTextLines = (text: string): string =>
  text.replaceAll(CONTROL_CHARACTERS_EXCEPT_LINE_BREAKS, escapeCharacter);

/** Returns JSON with the same meaning, in which all control characters are escaped. */
export function escapeJson(value: unknown, indent?: number): string {
  const escaped = (text: string): string =>
    text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.stringify(value, undefined, indent).replaceAll(CONTROL_CHARACTERS_EXCEPT_LINE_BREAKS, escaped);
}

const WIDE =
  /^(\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
const ZERO = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;
let segmenter: Intl.Segmenter | undefined;

function charactersOf(text: string): { character: string; width: number }[] {
  if (/^[ -~]*$/.test(text)) return Array.from(text, (character) => ({ character, width: 1 }));
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => ({
    character: segment,
    width: ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1,
  }));
}

/** Returns how many cells a terminal uses for the text. */
export const widthOf = (text: string): number => charactersOf(text).reduce((sum, { width }) => sum + width, 0);

/** Shortens a text to a number of cells. An ellipsis marks the cut. */
export function shorten(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let taken = '';
  let remaining = cells - 1;
  for (const { character, width } of charactersOf(text)) {
    remaining -= width;
    if (remaining < 0) break;
    taken += character;
  }
  return `${taken}…`;
}

/** Breaks a text into lines of at most `cells` cells. A longer word stays whole. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || widthOf(`${line} ${word}`) > cells) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

export const pad = (text: string, cells: number): string => text + ' '.repeat(Math.max(0, cells - widthOf(text)));
