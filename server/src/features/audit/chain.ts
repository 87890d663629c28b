// Follows a chain, entry by entry, and tells where it is broken.
import { type ChainedEntry, hashOf } from './audit-entry.ts';

/** An entry's place: what names a chain's end. */
export interface ChainHead {
  sequence: number;
  /** In hex. */
  hash: string;
}

export interface ChainCheck {
  /** Why this entry cannot follow the one before it, as a sentence; undefined when it can. */
  follow(entry: ChainedEntry): string | undefined;
  /** Why the chain does not end at this head. */
  endsAt(head: ChainHead): string | undefined;
  last(): ChainHead | undefined;
}

/** `before` is where the chain goes on from; undefined for its beginning. */
export function createChainCheck(before?: ChainHead): ChainCheck {
  let last = before;
  return {
    follow(entry) {
      const wanted = (last?.sequence ?? 0) + 1;
      if (entry.sequence !== wanted) return `its sequence is ${entry.sequence}, where ${wanted} was to come`;
      if (entry.previousHash !== (last?.hash ?? null)) return 'it does not name the hash of the entry before it';
      if (entry.hash !== hashOf(entry)) return 'its hash is not that of its content';
      last = { sequence: entry.sequence, hash: entry.hash };
      return undefined;
    },
    endsAt(head) {
      const end = last?.sequence ?? 0;
      if (end < head.sequence) return `it ends at ${end}, and was known to reach ${head.sequence}`;
      return end === head.sequence && last?.hash !== head.hash
        ? `its entry ${end} has not the hash that was known`
        : undefined;
    },
    last: () => last,
  };
}
