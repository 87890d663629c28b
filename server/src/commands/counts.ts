// The counts of a command, as the command prints them: after the run, or as a preview.

/** The words of each count: `['revoke', 'keys', 'revoked']`. */
export type CountWords = Readonly<Record<string, readonly [verb: string, noun: string, participle: string]>>;

/** Returns the work of a run: `2 keys revoked, 5 server grants paused`. */
export const doneCounts = (counts: object, words: CountWords): string =>
  countsOf(counts, words)
    .map(([count, [, noun, participle]]) => `${count} ${noun} ${participle}`)
    .join(', ');

/** Returns the work that a run would do: `would revoke 2 keys, pause 5 server grants`. */
export const plannedCounts = (counts: object, words: CountWords): string =>
  `would ${countsOf(counts, words)
    .map(([count, [verb, noun]]) => `${verb} ${count} ${noun}`)
    .join(', ')}`;

const countsOf = (counts: object, words: CountWords) =>
  Object.entries(counts).map(([name, count]) => [count, words[name] ?? ['change', name, 'changed']] as const);
