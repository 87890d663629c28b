// Follows a chain, oldest entry first, and tells where it is broken.
import { type ChainedEntry, hashOf } from './audit-entry.ts';

/** An entry's place: what names a chain's end. */
export interface ChainHead {
  sequence: number;
  /** In hex. */
  hash: string;
}

export interface ChainCheck {
  /** Why this entry cannot follow the one before it; undefined when it can. */
  follow(entry: ChainedEntry): string | undefined;
  last(): ChainHead | undefined;
}

/** In a selection entries may be left out; those that stand beside each other are held together even so. */
export function createChainCheck(isSelection = false): ChainCheck {
  let last: ChainHead | undefined;
  return {
    follow(entry) {
      const wanted = (last?.sequence ?? 0) + 1;
      if (isSelection ? entry.sequence < wanted : entry.sequence !== wanted) {
        return `its sequence is ${entry.sequence}, where ${wanted} was to come`;
      }
      const isNext = entry.sequence === wanted;
      if (isNext && entry.previousHash !== (last?.hash ?? null))
        return 'it does not name the hash of the entry before it';
      if (entry.hash !== hashOf(entry)) return 'its hash is not that of its content';
      last = { sequence: entry.sequence, hash: entry.hash };
      return undefined;
    },
    last: () => last,
  };
}
