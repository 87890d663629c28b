// Suggestions for a mistyped word.

const MAX_EDITS = 3;
const MAX_SUGGESTIONS = 2;

/**
 * Returns the words that differ from `typed` by at most three inserted, deleted or replaced letters, the nearest first:
 * at most two.
 */
export function findNearestWords(typed: string, words: readonly string[]): string[] {
  return words
    .map((word) => ({ word, edits: countEdits(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= MAX_EDITS && edits < word.length / 2)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ word }) => word);
}

/** Returns the Levenshtein distance, or infinity if the lengths alone differ by more than `MAX_EDITS`. */
export function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to < row.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
