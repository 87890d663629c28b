// The counts of a command, as the command prints them: after the run, or as a preview.

/** The words of each count: `['revoke', 'keys', 'revoked']`. */
export type CountLabels = Readonly<Record<string, readonly [verb: string, noun: string, participle: string]>>;

/** Returns the work of a run: `2 keys revoked, 5 server grants paused`. */
export const describeDone = (counts: object, words: CountLabels): string =>
  countsOf(counts, words)
    .map(([count, [, noun, participle]]) => `${count} ${noun} ${participle}`)
    .join(', ');

/** Returns the work that a run would do: `would revoke 2 keys, pause 5 server grants`. */
export const describePlan = (counts: object, words: CountLabels): string =>
  `would ${countsOf(counts, words)
    .map(([count, [verb, noun]]) => `${verb} ${count} ${noun}`)
    .join(', ')}`;

const countsOf = (counts: object, words: CountLabels) =>
  Object.entries(counts).map(([name, count]) => [count, words[name] ?? ['change', name, 'changed']] as const);
