// What a key is from its making on: whose it is, what it may do and until when, and the verifier of its secret. A trigger
// keeps these from changing (only another pepper changes the verifier), so they are read once and kept; what may change,
// its state and its app's, is never kept and comes with every batch (store.ts, listKeyStanding).
import type { Queryable } from '../../kit/db.ts';
import { uuidBytes } from '../../kit/ids.ts';
import { SCOPES, type Scope } from './scopes.ts';
import { type KeyFactsRow, type KeyStanding, listKeyFacts } from './store.ts';

export interface KeyFacts {
  kid: string;
  appId: string;
  keyId: string;
  /** The same two identifiers as the bytes of their uuids. */
  appBytes: Buffer;
  keyBytes: Buffer;
  verifier: Buffer;
  pepperVersion: number;
  scopes: readonly Scope[];
  expiresAtMs: number;
}

export interface KeyFactsCache {
  /** The facts of keys that were just read: from memory, and from the database where they are not known there. */
  of(keys: ReadonlyMap<string, KeyStanding>, restoreEpoch: string): Promise<ReadonlyMap<string, KeyFacts>>;
}

/** Keeps at most `max` keys, those read first being the first to go. */
export function createKeyFactsCache(db: Queryable, max: number): KeyFactsCache {
  const known = new Map<string, KeyFacts>();
  let knownIn = '';

  return {
    async of(keys, restoreEpoch) {
      // A database that came from a backup may say something else of the same key.
      if (restoreEpoch !== knownIn) known.clear();
      knownIn = restoreEpoch;
      const unknown: string[] = [];
      for (const { kid, keyId, pepperVersion } of keys.values()) {
        const facts = known.get(kid);
        if (facts?.keyId !== keyId || facts.pepperVersion !== pepperVersion) unknown.push(kid);
      }
      if (unknown.length === 0) return known;
      const facts = (await listKeyFacts(db, unknown)).map(toFacts);
      // The batch's own map: what another batch pushes out of the cache meanwhile is still this one's answer.
      const answer = new Map([...keys.keys()].flatMap((kid) => entryOf(known.get(kid))));
      for (const key of facts) {
        answer.set(key.kid, key);
        known.set(key.kid, key);
      }
      for (const oldest of known.keys()) {
        if (known.size <= max) break;
        known.delete(oldest);
      }
      return answer;
    },
  };
}

const entryOf = (facts: KeyFacts | undefined): [string, KeyFacts][] => (facts ? [[facts.kid, facts]] : []);

function toFacts(row: KeyFactsRow): KeyFacts {
  return {
    kid: row.kid,
    appId: row.app_id,
    keyId: row.key_id,
    appBytes: uuidBytes(row.app_id),
    keyBytes: uuidBytes(row.key_id),
    verifier: row.verifier,
    pepperVersion: row.pepper_version,
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    expiresAtMs: row.expires_at.getTime(),
  };
}
