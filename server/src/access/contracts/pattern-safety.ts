// Regular expressions of a contract. The server matches them with values of callers, so no value may make that slow.
import safeRegex from 'safe-regex2';

const MAX_LENGTH = 500;
const MAX_COUNT = 1000;
/** The parts of a pattern if each counted repetition is written out, which V8 compiles. */
const MAX_PARTS = 5_000;
/** A property of Unicode is compiled to hundreds of ranges. */
const PARTS_OF_PROPERTY = 20;
/** The number of ways in which a text can be divided among the repetitions with a limit. */
const MAX_WAYS = 10_000_000;
/**
 * The same if each character of a text can begin a match, or if a repetition has no limit. The time is then the product
 * with the length of the text, which a body limits to 256 KiB.
 */
const MAX_WAYS_PER_CHARACTER = 100;

/** A character in place of a property or of a class with one. */
const PROPERTY = '\u0001';

const withoutClasses = (pattern: string): string =>
  pattern
    .replaceAll(/\\[pP]\{[^}]*\}/g, PROPERTY)
    .replaceAll(/\\./gs, 'e')
    .replaceAll(/\[[^\]]*\]/gs, (text) => (text.includes(PROPERTY) ? PROPERTY : 'c'));

/** Returns the pattern without counts such as `{2}` of single characters, which have one length and add no backtracking. */
const withoutFixedCounts = (pattern: string): string => pattern.replaceAll(/(?<![)u\\])\{\d+\}/g, '');

/** Returns why a pattern is refused; undefined for a safe one. */
export function patternError(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `has more than ${MAX_LENGTH} characters`;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'is no regular expression of JavaScript with the flag u';
  }
  const bare = withoutClasses(pattern);
  const counts = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, from, to]) => [Number(from), Number(to ?? 0)]);
  if (counts.some((count) => count > MAX_COUNT)) return `repeats a part more than ${MAX_COUNT} times`;
  const { parts, ways } = sizeOf(bare);
  if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts if its repetitions are written out`;
  if (ways > MAX_WAYS) return 'has too many repetitions of a variable length';
  if (repeatsAlternatives(bare)) return 'repeats a group of alternatives, which can take exponential time';
  if (!safeRegex(withoutFixedCounts(pattern), { limit: 25 }))
    return 'has nested or too many repetitions, which can take exponential time';
  const unlimited = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  if (unlimited > (isBareAnchored(bare) ? 1 : 0))
    return 'has a repetition without a limit that is not the only one after ^, which can take quadratic time';
  if ((unlimited > 0 || !isBareAnchored(bare)) && ways > MAX_WAYS_PER_CHARACTER)
    return 'has too many repetitions of a variable length for a long text';
  return undefined;
}

/** Returns whether a match of the pattern can begin only at the start of the text. */
export const isAnchored = (pattern: string): boolean => isBareAnchored(withoutClasses(pattern));

function isBareAnchored(bare: string): boolean {
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === '|' && depth === 0) return false;
  }
  return bare.startsWith('^');
}

/** Returns whether a repeated group contains alternatives. */
function repeatsAlternatives(bare: string): boolean {
  const groups: boolean[] = [];
  for (let at = 0; at < bare.length; at++) {
    const character = bare[at];
    if (character === '(') groups.push(false);
    if (character === '|' && groups.length > 0) groups.fill(true);
    if (character === ')' && groups.pop() && /^(?:[*+]|\{\d+,\d*\}|\{\d{2,}\})/.test(bare.slice(at + 1))) return true;
  }
  return false;
}

interface Size {
  parts: number;
  ways: number;
}

/** Returns the number of parts if each counted repetition is written out, and the ways of its limited repetitions. */
function sizeOf(bare: string): Size {
  const groups: Size[] = [{ parts: 0, ways: 1 }];
  let last: Size = { parts: 0, ways: 1 };
  const add = ({ parts, ways }: Size): void => {
    const group = groups.pop() ?? { parts: 0, ways: 1 };
    groups.push({ parts: group.parts + parts, ways: group.ways * ways });
  };
  for (let at = 0; at < bare.length; at++) {
    const [quantifier = '', from, to] = /^(?:\{(\d+)(?:,(\d*))?\}|\?)/.exec(bare.slice(at)) ?? [];
    const character = bare[at];
    if (quantifier !== '') {
      const most = Math.max(1, Number(from ?? 1), Number(to ?? 0));
      const range = from === undefined ? 2 : to ? Number(to) - Number(from) + 1 : 1;
      add({ parts: last.parts * (most - 1), ways: last.ways ** (most - 1) * range });
      at += quantifier.length - 1;
      if (bare[at + 1] === '?') at++; // repeats as little as possible
    } else if (character === '(') {
      groups.push({ parts: 0, ways: 1 });
      if (bare[at + 1] === '?') at++; // the kind of the group
    } else {
      last =
        character === ')' ? (groups.pop() ?? last) : { parts: character === PROPERTY ? PARTS_OF_PROPERTY : 1, ways: 1 };
      add(last);
    }
  }
  return groups.reduce((sum, { parts, ways }) => ({ parts: sum.parts + parts, ways: sum.ways * ways }));
}
