// What a key is from its making on: whose it is, what it may do and until when, and the verifier of its secret. A trigger
// keeps these from changing (only another pepper changes the verifier), so they are read once and kept; what may change,
// its state and its app's, is never kept and comes with every batch (store.ts, listKeyStanding).
import type { Queryable } from '../../kit/db.ts';
import { uuidBytes } from '../../kit/ids.ts';
import { type Allowance, newAllowance } from './rate-limit.ts';
import { SCOPES, type Scope } from './scopes.ts';
import { type KeyFactsRow, type KeyStanding, listKeyFacts } from './store.ts';

/** Whose a key is and what it may do: what an operation is told of its caller. */
export interface KeyIdentity {
  kid: string;
  appId: string;
  keyId: string;
  /** The same two identifiers as the bytes of their uuids. */
  appBytes: Buffer;
  keyBytes: Buffer;
  scopes: readonly Scope[];
  expiresAtMs: number;
}

export interface KeyFacts {
  identity: KeyIdentity;
  verifier: Buffer;
  pepperVersion: number;
  /** Its verifier under the current pepper is on its way; what is then there is read as another key's would be. */
  isRenewing: boolean;
  /** What this node holds of the key's rate. */
  allowance: Allowance;
}

export interface KeyFactsCache {
  /** Reads what is not known yet, or no longer, of keys whose standing was just read. */
  learn(keys: Iterable<KeyStanding>, restoreEpoch: string): Promise<void>;
  /** What is known of exactly this key: its public half may have come to another one. */
  find(key: KeyStanding): KeyFacts | undefined;
}

/** Keeps at most `max` keys, those read first being the first to go. */
export function createKeyFactsCache(db: Queryable, max: number): KeyFactsCache {
  const known = new Map<string, KeyFacts>();
  let knownIn = '';

  function keep(facts: KeyFacts): void {
    known.set(facts.identity.kid, facts);
    for (const oldest of known.keys()) {
      if (known.size <= max) break;
      known.delete(oldest);
    }
  }

  return {
    async learn(keys, restoreEpoch) {
      // A database that came from a backup may say something else of the same key.
      if (restoreEpoch !== knownIn) known.clear();
      knownIn = restoreEpoch;
      const unknown: string[] = [];
      for (const { kid, keyId, pepperVersion } of keys) {
        const facts = known.get(kid);
        if (facts?.identity.keyId !== keyId || facts.pepperVersion !== pepperVersion) unknown.push(kid);
      }
      if (unknown.length === 0) return;
      for (const row of await listKeyFacts(db, unknown)) keep(toFacts(row));
    },
    find(key) {
      const facts = known.get(key.kid);
      // Facts are read a moment after the standing: the row may be another by then.
      return facts?.identity.keyId === key.keyId ? facts : undefined;
    },
  };
}

function toFacts(row: KeyFactsRow): KeyFacts {
  return {
    identity: {
      kid: row.kid,
      appId: row.app_id,
      keyId: row.key_id,
      appBytes: uuidBytes(row.app_id),
      keyBytes: uuidBytes(row.key_id),
      scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
      expiresAtMs: row.expires_at.getTime(),
    },
    verifier: row.verifier,
    pepperVersion: row.pepper_version,
    isRenewing: false,
    allowance: newAllowance(),
  };
}
