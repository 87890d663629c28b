// The counts of a command, as it prints them.

/** `2 keys revoked, 5 servers paused`. */
export const tellCounts = (counts: object, words: Record<string, string>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${words[name]}`)
    .join(', ');
