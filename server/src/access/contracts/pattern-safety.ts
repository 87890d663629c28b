// Regular expressions of a contract. The server matches them with values of callers, so no value may make that slow.
import safeRegex from 'safe-regex2';

const MAX_LENGTH = 500;
/** Repetitions without an upper limit: each can multiply the time by the length of the value. */
const MAX_UNBOUNDED = 4;
const MAX_COUNT = 1000;

const withoutClasses = (pattern: string): string =>
  pattern
    .replaceAll(/\\[pP]\{[^}]*\}/g, 'p')
    .replaceAll(/\\./gs, 'e')
    .replaceAll(/\[[^\]]*\]/gs, 'c');

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
  const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  if (unbounded.length > MAX_UNBOUNDED) return `has more than ${MAX_UNBOUNDED} repetitions without a limit`;
  if (repeatsAlternatives(bare)) return 'repeats a group of alternatives, which can take exponential time';
  if (!safeRegex(pattern, { limit: 25 })) return 'has nested or too many repetitions, which can take exponential time';
  return undefined;
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
