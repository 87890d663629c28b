// Follows a chain from its oldest entry on, and reports where the chain is broken.
import { type ChainedEntry, hashAuditEntry } from './audit-entry.ts';

/** Identifies the last entry of a chain. */
export interface ChainHead {
  sequence: number;
  /** In hexadecimal. */
  hash: string;
}

export interface ChainVerifier {
  /** Returns the reason why the entry cannot follow the previous entry, or undefined if it can. */
  verifyNext(entry: ChainedEntry): string | undefined;
  last(): ChainHead | undefined;
}

/**
 * Checks a chain, or a selection of it. A selection may omit entries; consecutive entries of a selection are still
 * checked against each other.
 */
export function createChainVerifier(isSelection = false): ChainVerifier {
  let last: ChainHead | undefined;
  return {
    verifyNext(entry) {
      const expected = (last?.sequence ?? 0) + 1;
      if (isSelection ? entry.sequence < expected : entry.sequence !== expected) {
        return `its sequence is ${entry.sequence}, but ${expected} was expected`;
      }
      const isNext = entry.sequence === expected;
      if (isNext && entry.previousHash !== (last?.hash ?? null))
        return 'it does not contain the hash of the previous entry';
      if (entry.hash !== hashAuditEntry(entry)) return 'its hash does not match its content';
      last = { sequence: entry.sequence, hash: entry.hash };
      return undefined;
    },
    last: () => last,
  };
}
