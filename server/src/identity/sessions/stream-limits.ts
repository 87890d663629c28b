/**
 * The number of streams of each kind that an organisation may have open in one process: `changes` has one per open page
 * of the Console.
 */
export const STREAM_LIMITS = { records: 10, changes: 30 } as const;
export type StreamKind = keyof typeof STREAM_LIMITS;

/** The plural of each kind, for the detail of a problem. */
export const STREAM_WORDS: Readonly<Record<StreamKind, string>> = {
  records: 'tails and exports',
  changes: 'streams of changes',
};
