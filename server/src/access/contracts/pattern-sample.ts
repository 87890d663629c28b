// Texts that match a regular expression. Reads the usual syntax. The caller checks the result, because look-around and
// back references are ignored.
import type { SeededRandom } from './seeded-random.ts';

const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
/** Characters that a class is searched for, usual ones first. */
const CHARACTERS = [...'aA0-_ .:/@+#', ...PRINTABLE];
/** The characters that need no escape in a path (RFC 3986, 2.3). */
const UNRESERVED = PRINTABLE.filter((character) => /[A-Za-z0-9._~-]/.test(character));
/** The number of repetitions that a drawn text has at most, unless the pattern requires more. */
const MOST_DRAWN = 16;
/** The number that it has at least, if the pattern permits it, so that texts differ. */
const LEAST_DRAWN = 8;

/** Returns the text with the first alternatives, the first usual characters and the shortest repetitions. */
export const sampleOf = (pattern: string): string | undefined => read({ pattern, at: 0, parts: [] });

/** Returns a text with drawn alternatives, characters and repetitions. Prefers characters that need no escape. */
export const drawMatch = (pattern: string, draw: SeededRandom): string | undefined =>
  read({ pattern, at: 0, parts: [], draw });

/** Returns whether a part of the pattern matches one of the characters; true for a pattern that cannot be read. */
export function canContain(pattern: string, characters: readonly string[]): boolean {
  const reader: Reader = { pattern, at: 0, parts: [] };
  if (read(reader) === undefined) return true;
  return reader.parts.some((part) => {
    const expression = new RegExp(`^${part}$`, 'su');
    return characters.some((character) => expression.test(character));
  });
}

function read(reader: Reader): string | undefined {
  const { pattern } = reader;
  try {
    const text = readAlternatives(reader);
    return reader.at === pattern.length ? text : undefined;
  } catch {
    return undefined;
  }
}

interface Reader {
  pattern: string;
  at: number;
  /** The parts that match one character each. */
  parts: string[];
  /** The source of the choices; without it, the first one is taken. */
  draw?: SeededRandom;
}

function readAlternatives(reader: Reader): string {
  const all = [readSequence(reader)];
  while (reader.pattern[reader.at] === '|') {
    reader.at++;
    all.push(readSequence(reader));
  }
  return reader.draw?.pick(all) ?? all[0] ?? '';
}

function readSequence(reader: Reader): string {
  let text = '';
  for (
    let next = reader.pattern[reader.at];
    next !== undefined && next !== '|' && next !== ')';
    next = reader.pattern[reader.at]
  ) {
    text += readRepeated(reader);
  }
  return text;
}

function readRepeated(reader: Reader): string {
  const from = reader.at;
  const text = readAtom(reader);
  const count = readCount(reader);
  if (!reader.draw) return text.repeat(count);
  const end = reader.at;
  const texts = Array.from({ length: count }, () => {
    reader.at = from;
    return readAtom(reader);
  });
  reader.at = end;
  return texts.join('');
}

function readAtom(reader: Reader): string {
  const next = take(reader);
  if (next === '(') return readGroup(reader);
  if (next === '[') return readClass(reader);
  if (next === '\\') return readEscape(reader);
  if (next === '^' || next === '$') return '';
  reader.parts.push(next === '.' ? next : codePoint(next));
  return next === '.' ? 'a' : next;
}

const codePoint = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

function take(reader: Reader, length = 1): string {
  const taken = reader.pattern.slice(reader.at, reader.at + length);
  reader.at += length;
  return taken;
}

function readGroup(reader: Reader): string {
  const [start = '', kind = ''] = /^\?(?:<[^=!>]+>|([:=!])|<([=!]))/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += start.length;
  const isAround = ['=', '!'].includes(kind) || start.startsWith('?<=') || start.startsWith('?<!');
  const text = readAlternatives(reader);
  reader.at++; // the closing parenthesis
  return isAround ? '' : text;
}

function readClass(reader: Reader): string {
  const from = reader.at - 1;
  while (reader.pattern[reader.at] !== ']') reader.at += reader.pattern[reader.at] === '\\' ? 2 : 1;
  reader.at++;
  return characterOf(reader, reader.pattern.slice(from, reader.at));
}

/** Returns a character that a class matches: without draws the first one, in the order of `CHARACTERS`. */
function characterOf({ draw, parts }: Reader, source: string): string {
  parts.push(source);
  const matched = matchedBy(source);
  const found = draw && matched.unreserved.length > 0 ? draw.pick(matched.unreserved) : matched.first;
  if (found === undefined) throw new Error('No usual character matches.');
  return found;
}

interface PatternMatch {
  unreserved: string[];
  first: string | undefined;
}

/** The characters that each class matches. Thousands of texts are drawn from one pattern. */
const classes = new Map<string, PatternMatch>();

function matchedBy(source: string): PatternMatch {
  const known = classes.get(source);
  if (known) return known;
  const expression = new RegExp(`^${source}$`, 'u');
  const isMatch = (character: string): boolean => expression.test(character);
  const matched = { unreserved: UNRESERVED.filter(isMatch), first: CHARACTERS.find(isMatch) };
  classes.set(source, matched);
  return matched;
}

function readEscape(reader: Reader): string {
  const next = take(reader);
  if (next === 'b' || next === 'B') return '';
  if (/[pP]/.test(next))
    return characterOf(reader, `\\${next}${take(reader, reader.pattern.indexOf('}', reader.at) - reader.at + 1)}`);
  if (next === 'u' || next === 'x') return characterOf(reader, `\\${next}${take(reader, next === 'u' ? 4 : 2)}`);
  if (/[dDwWsS]/.test(next)) return characterOf(reader, `\\${next}`);
  // Control characters are no text of an identifier, and are not drawn.
  reader.parts.push(/[tnrvfc0]/.test(next) ? '.' : codePoint(next));
  return next;
}

function readCount(reader: Reader): number {
  const [quantifier = '', least, comma, most] =
    /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += quantifier.length;
  if (quantifier === '') return 1;
  const fewest = least === undefined ? (quantifier.startsWith('+') ? 1 : 0) : Number(least);
  if (!reader.draw) return fewest;
  const open = quantifier.startsWith('?') ? 1 : Number.POSITIVE_INFINITY;
  const greatest = least === undefined ? open : comma === undefined ? fewest : most ? Number(most) : open;
  const to = Math.max(fewest, Math.min(greatest, MOST_DRAWN));
  const from = Math.max(fewest, Math.min(LEAST_DRAWN, to));
  return from + reader.draw.number(to - from + 1);
}
