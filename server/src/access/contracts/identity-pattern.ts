// The pattern of the identifiers of a resource. The sandbox makes identifiers that match it.

import { isAnchored, patternError } from './pattern-safety.ts';
import { canContain, readPattern } from './pattern-sample.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** The longest identifier that a path can contain. */
export const MAX_ID_LENGTH = 200;
/** The most identifiers that are listed. A larger set is drawn from, and a drawn identifier almost never repeats. */
const MAX_LISTED = 100_000;
/** Characters that end a part of a path, and control characters, which no database stores. */
const SEPARATORS = [...'/?#', ...Array.from({ length: 33 }, (_, code) => String.fromCharCode(code))];
/** The numbers of repetitions in a drawn identifier, if its length permits them. */
const [LEAST_DRAWN, MOST_DRAWN] = [8, 16];
const DRAWS = 3_000;
/** About 45 draws of 3,000 repeat an earlier one if the pattern matches 100,000 texts. */
const MOST_REPEATED = 60;

interface Limits {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  prefix?: string | undefined;
}

/** All texts of a pattern with few texts, a function that draws one of many, or why the sandbox can make none. */
type PatternTexts = { texts: readonly string[] } | { draw: (origin: string) => string } | { error: string };

/** Reads the pattern of identifiers. Equal origins draw equal identifiers. */
export function readIdentityPattern(
  pattern: string,
  { minLength = 1, maxLength = MAX_ID_LENGTH, prefix = '' }: Limits = {},
): PatternTexts {
  const unsafe = patternError(pattern);
  if (unsafe !== undefined) return { error: unsafe };
  if (!isAnchored(pattern) || !/(?<!\\)(?:\\\\)*\$$/.test(pattern))
    return { error: 'must begin with ^ and end with $' };
  const expression = new RegExp(pattern, 'u');
  const isFit = (text: string): boolean =>
    expression.test(text) &&
    text.startsWith(prefix) &&
    text.length >= minLength &&
    text.length <= maxLength &&
    // Clients resolve such a part of a path.
    !['.', '..'].includes(text);
  const longest = Math.min(Math.max(MOST_DRAWN, minLength), maxLength);
  // Fewer repetitions make shorter texts.
  for (let most = longest; most > 0; most--) {
    const read = readPattern(pattern, { least: Math.max(LEAST_DRAWN, minLength), most });
    if (!read || canContain(read, SEPARATORS))
      return { error: 'must not match a space, a control character, /, ? or #' };
    const { size, textAt, make } = read;
    if (size <= MAX_LISTED) {
      const texts = [...new Set(Array.from({ length: size }, (_, index) => textAt(index)))].filter(isFit);
      // Fewer repetitions make some of these texts again.
      if (texts.length === 0) break;
      return { texts };
    }
    const drawn = drawFitting(make, isFit);
    if (!drawn) continue;
    if (drawn.size < DRAWS - MOST_REPEATED) return { error: 'must match texts of which almost all draws differ' };
    return { draw: (origin) => make(createSeededRandom(origin)) };
  }
  const start = prefix === '' ? '' : `begin with ${prefix}, `;
  return {
    error: `must permit texts that ${start}have ${minLength} to ${maxLength} characters and need no look-around or back reference`,
  };
}

/** Draws texts. Returns those that differ; undefined if one does not fit. */
function drawFitting(
  make: (random: SeededRandom) => string,
  isFit: (text: string) => boolean,
): ReadonlySet<string> | undefined {
  const random = createSeededRandom('pattern');
  const drawn = new Set<string>();
  for (let draws = 0; draws < DRAWS; draws++) {
    const text = make(random);
    if (!isFit(text)) return undefined;
    drawn.add(text);
  }
  return drawn;
}
