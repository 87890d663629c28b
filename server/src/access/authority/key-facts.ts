// What is known of keys: whose each is, what it may do and until when, the verifier of its secret, and whether it and its app
// stand. All of it was read in one snapshot, together with the count of the app's changes of access; it is so until that count
// moves, because a trigger counts each of them in the transaction that makes it. The count is read anew for every batch of requests.

import { LRUCache } from 'lru-cache';
import { uuidBytes } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type AddressRanges, parseRanges } from '../../kit/outbound/address-ranges.ts';
import { type Allowance, newAllowance } from './rate-limit.ts';
import { SCOPES, type Scope } from './scopes.ts';
import {
  type AppStanding,
  type KeyFactsRow,
  type KeyState,
  listKeyFacts,
  listStanding,
  type Standing,
} from './store.ts';

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
  state: KeyState['state'];
  appStanding: AppStanding;
  /** Its expiry, or the end of a rotated key that comes before; to the microsecond. */
  expiresMs: number;
  endsMs: number;
  /** From where it may be used; undefined for anywhere. */
  ranges: AddressRanges | undefined;
  /** The count of its app's changes of access at which all this is so. */
  access: number | null;
}

/** Whether a key and its app stand at a moment of the database's clock. */
export function stateAt({ state, appStanding, expiresMs, endsMs }: KeyFacts, atMs: number): KeyState {
  return { state: endsMs <= atMs ? 'revoked' : state, isExpired: expiresMs <= atMs, appStanding };
}

export interface KeyReader {
  /** What holds of these keys now: every statement of it is younger than the call. */
  read(kids: readonly string[]): Promise<Standing>;
  /** Of a key that was read; undefined when there is no such key. */
  find(kid: string): KeyFacts | undefined;
}

/** Keeps at most `max` keys, which must hold at least a batch; the least recently used key goes first. */
export function createKeyReader(db: Queryable, max: number): KeyReader {
  const known = new LRUCache<string, KeyFacts>({ max });
  let knownIn = '';

  async function learn(kids: readonly string[]): Promise<void> {
    if (kids.length === 0) return;
    const rows = new Map((await listKeyFacts(db, kids)).map((row) => [row.kid, row]));
    for (const kid of kids) {
      const row = rows.get(kid);
      if (row) known.set(kid, toFacts(row, known.get(kid)));
      else known.delete(kid);
    }
  }

  function appsOf(kids: readonly string[]): Buffer[] {
    const apps = new Map<string, Buffer>();
    for (const kid of kids) {
      const facts = known.get(kid);
      if (facts) apps.set(facts.identity.appId, facts.identity.appBytes);
    }
    return [...apps.values()];
  }

  function isAsCounted(kid: string, { revisions }: Standing): boolean {
    const facts = known.get(kid);
    return !facts || revisions.get(facts.identity.appId)?.access === facts.access;
  }

  return {
    find: (kid) => known.get(kid),
    async read(asked) {
      const kids = [...new Set(asked)];
      // `get` marks known keys as used: keys that are learnt now must not evict keys of the same batch.
      await learn(kids.filter((kid) => known.get(kid) === undefined));
      const standing = await listStanding(db, appsOf(kids));
      // A database that came from a backup may say something else of the same key.
      const isOther = standing.restoreEpoch !== knownIn;
      if (isOther) known.clear();
      knownIn = standing.restoreEpoch;
      await learn(kids.filter((kid) => isOther || !isAsCounted(kid, standing)));
      return standing;
    },
  };
}

function toFacts(row: KeyFactsRow, before: KeyFacts | undefined): KeyFacts {
  const isSame = before?.identity.keyId === row.key_id;
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
    isRenewing: isSame && before.pepperVersion === row.pepper_version && before.isRenewing,
    // A change of the key, or of a sibling, gives it no new rate.
    allowance: isSame ? before.allowance : newAllowance(),
    state: row.state,
    appStanding: row.standing,
    expiresMs: row.expires_at_ms,
    endsMs: row.ends_at_ms ?? Number.POSITIVE_INFINITY,
    ranges: row.allowed_cidrs ? parseRanges(row.allowed_cidrs) : undefined,
    access: row.access,
  };
}
