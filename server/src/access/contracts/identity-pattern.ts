// The pattern of the identifiers of a resource. The sandbox makes identifiers that match it.

import { memo } from '../../kit/flow/memo.ts';
import { isAnchored, patternError } from './pattern-safety.ts';
import { canContain, readPattern } from './pattern-sample.ts';
import { createSeededRandom } from './seeded-random.ts';

/** The longest identifier that a path can contain. */
export const MAX_ID_LENGTH = 200;
/** Characters that end a part of a path, and control characters, which no database stores. */
const SEPARATORS = [...'/?#', ...Array.from({ length: 33 }, (_, code) => String.fromCharCode(code))];
const DRAWS = 3_000;
/** About 45 draws of 3,000 repeat an earlier one if the pattern matches 100,000 texts. */
const MOST_REPEATED = 60;

interface Limits {
  minLength?: number | undefined;
  maxLength?: number | undefined;
  prefix?: string | undefined;
}

/** Returns why the sandbox cannot make identifiers that match the pattern; undefined if it can. */
export function identityPatternError(
  pattern: string,
  { minLength = 1, maxLength = MAX_ID_LENGTH, prefix = '' }: Limits = {},
): string | undefined {
  const unsafe = patternError(pattern);
  if (unsafe !== undefined) return unsafe;
  if (!isAnchored(pattern) || !/(?<!\\)(?:\\\\)*\$$/.test(pattern)) return 'must begin with ^ and end with $';
  const read = readPattern(pattern);
  if (!read || canContain(read, SEPARATORS)) return 'must not match a space, a control character, /, ? or #';
  const expression = new RegExp(pattern, 'u');
  const isFit = (text: string): boolean =>
    expression.test(text) && text.startsWith(prefix) && text.length >= minLength && text.length <= maxLength;
  const draw = createSeededRandom('pattern');
  const drawn = new Set<string>();
  for (let index = 0; index < DRAWS; index++) {
    const text = read.make(draw);
    drawn.add(text);
    if (isFit(text)) continue;
    const start = prefix === '' ? '' : `begin with ${prefix}, `;
    return `must permit texts that ${start}have ${minLength} to ${maxLength} characters and need no look-around or back reference`;
  }
  return drawn.size < DRAWS - MOST_REPEATED ? 'must match at least 100,000 texts' : undefined;
}

/** Returns an identifier that matches the pattern. Equal origins return equal identifiers. */
export const identifierOf = (pattern: string, origin: string): string => makerOf(pattern)(createSeededRandom(origin));

const KNOWN_PATTERNS = 100;
// A contract is loaded only if its patterns can be read.
const makerOf = memo((pattern) => readPattern(pattern)?.make ?? (() => ''), KNOWN_PATTERNS);
