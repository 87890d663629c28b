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

/** A pattern that was read once, so that many texts can be made of it. */
interface ReadPattern extends TextMaker {
  /** The parts that match one character each. */
  parts: readonly string[];
}

interface TextMaker {
  /** Makes a text: with draws a random one, and otherwise the first choices and the shortest repetitions. */
  make(draw?: SeededRandom): string;
  /** The number of texts that can be made. A text that can be made in two ways counts twice. */
  size: number;
  /** Returns the text with this number, from 0, of a maker with few texts. Shorter repetitions come first. */
  textAt(index: number): string;
}

/** The numbers of repetitions in a drawn text. */
interface Repetitions {
  least: number;
  most: number;
}

/** Reads a pattern. Returns undefined for unknown syntax. */
export function readPattern(
  pattern: string,
  drawn: Repetitions = { least: LEAST_DRAWN, most: MOST_DRAWN },
): ReadPattern | undefined {
  const reader: Reader = { pattern, at: 0, parts: [], drawn };
  try {
    const maker = readAlternatives(reader);
    return reader.at === pattern.length ? { ...maker, parts: reader.parts } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a usual text that matches the pattern; undefined for unknown syntax. */
export const sampleOf = (pattern: string): string | undefined => readPattern(pattern)?.make();

/** Returns whether a part of the pattern matches one of the characters. */
export const canContain = ({ parts }: Pick<ReadPattern, 'parts'>, characters: readonly string[]): boolean =>
  parts.some((part) => {
    const expression = new RegExp(`^${part}$`, 'su');
    return characters.some((character) => expression.test(character));
  });

interface Reader {
  pattern: string;
  at: number;
  parts: string[];
  drawn: Repetitions;
}

const constant = (text: string): TextMaker => ({ make: () => text, size: 1, textAt: () => text });

const joined = (makers: readonly TextMaker[]): TextMaker => ({
  make: (draw) => makers.map(({ make }) => make(draw)).join(''),
  size: makers.reduce((product, { size }) => product * size, 1),
  textAt(index) {
    let rest = index;
    let text = '';
    // The last part changes first, like the last digit of a number.
    for (const { size, textAt } of makers.toReversed()) {
      text = textAt(rest % size) + text;
      rest = Math.floor(rest / size);
    }
    return text;
  },
});

/** Makes the texts of each maker in turn. */
function oneOf(makers: readonly TextMaker[]): Pick<TextMaker, 'size' | 'textAt'> {
  const textAt = (index: number): string => {
    let rest = index;
    for (const maker of makers) {
      if (rest < maker.size) return maker.textAt(rest);
      rest -= maker.size;
    }
    throw new Error(`The pattern has no text with the number ${index}.`);
  };
  return { size: makers.reduce((sum, { size }) => sum + size, 0), textAt };
}

function readAlternatives(reader: Reader): TextMaker {
  const first = readSequence(reader);
  const all = [first];
  while (reader.pattern[reader.at] === '|') {
    reader.at++;
    all.push(readSequence(reader));
  }
  return { make: (draw) => (draw?.pick(all) ?? first).make(draw), ...oneOf(all) };
}

function readSequence(reader: Reader): TextMaker {
  const makers: TextMaker[] = [];
  for (
    let next = reader.pattern[reader.at];
    next !== undefined && next !== '|' && next !== ')';
    next = reader.pattern[reader.at]
  ) {
    makers.push(readRepeated(reader));
  }
  return joined(makers);
}

function readRepeated(reader: Reader): TextMaker {
  const maker = readAtom(reader);
  const { fewest, from, to } = readCount(reader);
  if (fewest === 1 && to === 1) return maker;
  const repeated = (count: number): TextMaker => joined(Array.from({ length: count }, () => maker));
  const all = Array.from({ length: to - fewest + 1 }, (_, more) => repeated(fewest + more));
  const make = (draw?: SeededRandom): string => {
    const drawn = draw && to > from ? from + draw.number(to - from + 1) : from;
    const count = draw ? drawn : fewest;
    return Array.from({ length: count }, () => maker.make(draw)).join('');
  };
  return { make, ...oneOf(all) };
}

function readAtom(reader: Reader): TextMaker {
  const next = take(reader);
  if (next === '(') return readGroup(reader);
  if (next === '[') return readClass(reader);
  if (next === '\\') return readEscape(reader);
  if (next === '^' || next === '$') return constant('');
  reader.parts.push(next === '.' ? next : codePoint(next));
  return constant(next === '.' ? 'a' : next);
}

const codePoint = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

function take(reader: Reader, length = 1): string {
  const taken = reader.pattern.slice(reader.at, reader.at + length);
  reader.at += length;
  return taken;
}

function readGroup(reader: Reader): TextMaker {
  const [start = '', kind = ''] = /^\?(?:<[^=!>]+>|([:=!])|<([=!]))/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += start.length;
  const isAround = ['=', '!'].includes(kind) || start.startsWith('?<=') || start.startsWith('?<!');
  const maker = readAlternatives(reader);
  reader.at++; // the closing parenthesis
  return isAround ? constant('') : maker;
}

function readClass(reader: Reader): TextMaker {
  const from = reader.at - 1;
  while (reader.pattern[reader.at] !== ']') reader.at += reader.pattern[reader.at] === '\\' ? 2 : 1;
  reader.at++;
  return characterOf(reader, reader.pattern.slice(from, reader.at));
}

/** Makes a character that a class matches. A drawn one needs no escape, if the class matches such characters. */
function characterOf({ parts }: Reader, source: string): TextMaker {
  parts.push(source);
  const expression = new RegExp(`^${source}$`, 'u');
  const isMatch = (character: string): boolean => expression.test(character);
  const first = CHARACTERS.find(isMatch);
  if (first === undefined) throw new Error('No usual character matches.');
  const unreserved = UNRESERVED.filter(isMatch);
  const usable = unreserved.length > 0 ? unreserved : [first];
  return {
    make: (draw) => (unreserved.length > 0 ? draw?.pick(unreserved) : undefined) ?? first,
    size: usable.length,
    textAt: (index) => usable[index] ?? first,
  };
}

function readEscape(reader: Reader): TextMaker {
  const next = take(reader);
  if (next === 'b' || next === 'B') return constant('');
  if (/[pP]/.test(next))
    return characterOf(reader, `\\${next}${take(reader, reader.pattern.indexOf('}', reader.at) - reader.at + 1)}`);
  if (next === 'u' || next === 'x') return characterOf(reader, `\\${next}${take(reader, next === 'u' ? 4 : 2)}`);
  if (/[dDwWsS]/.test(next)) return characterOf(reader, `\\${next}`);
  // Control characters are no text of an identifier, and are not drawn.
  reader.parts.push(/[tnrvfc0]/.test(next) ? '.' : codePoint(next));
  return constant(next);
}

/** Reads a quantifier: the fewest repetitions, and the range of a drawn number of them. */
function readCount(reader: Reader): { fewest: number; from: number; to: number } {
  const [quantifier = '', least, comma, most] =
    /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.pattern.slice(reader.at)) ?? [];
  reader.at += quantifier.length;
  if (quantifier === '') return { fewest: 1, from: 1, to: 1 };
  const fewest = least === undefined ? (quantifier.startsWith('+') ? 1 : 0) : Number(least);
  const open = quantifier.startsWith('?') ? 1 : Number.POSITIVE_INFINITY;
  const greatest = least === undefined ? open : comma === undefined ? fewest : most ? Number(most) : open;
  const { least: usual, most: longest } = reader.drawn;
  const to = Math.max(fewest, Math.min(greatest, longest));
  return { fewest, from: Math.max(fewest, Math.min(usual, to)), to };
}
