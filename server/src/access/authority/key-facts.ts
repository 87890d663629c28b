// The facts of keys: app, scopes, expiry, the verifier of the secret, and the status of key and app. They were read in
// one snapshot, together with the count of the app's access changes, and are valid until that count moves. A trigger
// increments the count in the transaction of each change. The count is read again for every batch of requests. After a
// failover a count can come twice, so facts are also valid for their timeline only.

import { LRUCache } from 'lru-cache';
import { uuidBytes } from '../../kit/crypto/ids.ts';
import { DatabaseUnavailable, type Queryable } from '../../kit/db/db.ts';
import { type AddressRanges, parseRanges } from '../../kit/outbound/address-ranges.ts';
import { type Allowance, newAllowance } from './rate-limit.ts';
import { SCOPES, type Scope } from './scopes.ts';
import {
  type AppStatus,
  type AuthorityState,
  type KeyFactsRow,
  type KeyState,
  listKeyFacts,
  readAuthorityState,
} from './store.ts';

/** Identifies a key and its scopes. An operation receives it with its caller. */
export interface KeyIdentity {
  kid: string;
  appId: string;
  keyId: string;
  /** `appId` and `keyId` as the bytes of their uuids. */
  appBytes: Buffer;
  keyBytes: Buffer;
  scopes: readonly Scope[];
  expiresAtMs: number;
  /** Since when the app stores the headers and bodies of its requests. Null if it does not store them. */
  capturesSinceMs: number | null;
}

export interface KeyFacts {
  identity: KeyIdentity;
  verifier: Buffer;
  pepperVersion: number;
  /**
   * True while the verifier under the current pepper is being written. The new verifier is read like any other change
   * of the key.
   */
  isRenewing: boolean;
  /** The part of the key's rate that this node holds. */
  allowance: Allowance;
  state: KeyState['state'];
  appStatus: AppStatus;
  /** The expiry, and the earlier end of a rotated key, in milliseconds with microsecond precision. */
  preciseExpiresAtMs: number;
  endsMs: number;
  /** The ranges of allowed client addresses; undefined for any address. */
  ranges: AddressRanges | undefined;
  /** The count of the app's access changes at which these facts were read. */
  accessRevision: number | null;
  /** The timeline of the database that these facts were read from. */
  timeline: string | null;
}

/** Returns the state of a key and its app at a time of the database's clock. */
export function stateAt({ state, appStatus, preciseExpiresAtMs: expiresMs, endsMs }: KeyFacts, atMs: number): KeyState {
  return { state: endsMs <= atMs ? 'revoked' : state, isExpired: expiresMs <= atMs, appStatus };
}

interface KeyReader {
  /**
   * Returns the state of the plane, and reads facts of these keys again that are out of date. All of its statements
   * start after the call.
   */
  refresh(kids: readonly string[]): Promise<AuthorityState>;
  /** Returns the facts of a key that was read; undefined if no such key exists. */
  find(kid: string): KeyFacts | undefined;
}

/**
 * Creates a reader with a cache of at most `max` keys, which must be at least the size of a batch. The least recently
 * used key is evicted first.
 */
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

  function isAsCounted(kid: string, { revisions, timeline }: AuthorityState): boolean {
    const facts = known.get(kid);
    if (!facts) return true;
    const counted = revisions.get(facts.identity.appId);
    // An app without a counted change has no revision that could show a later change, so its facts are read for each batch.
    if (counted === undefined || facts.accessRevision === null) return false;
    return facts.timeline === timeline && counted.access === facts.accessRevision;
  }

  /** Refuses facts that another server gave than the one that gave the state. */
  function requireTimeline(kids: readonly string[], timeline: string): void {
    for (const kid of kids) {
      const facts = known.get(kid);
      if (facts && facts.timeline !== timeline)
        throw new DatabaseUnavailable(new Error('the primary changed during an authority batch'));
    }
  }

  return {
    find: (kid) => known.get(kid),
    async refresh(requested) {
      const kids = [...new Set(requested)];
      // `get` marks known keys as used: keys that are learnt now must not evict keys of the same batch.
      await learn(kids.filter((kid) => known.get(kid) === undefined));
      const state = await readAuthorityState(db, appsOf(kids));
      // A restored database, or another primary, can contain other facts of the same key.
      const isOther = state.cacheEpoch !== knownIn;
      if (isOther) known.clear();
      knownIn = state.cacheEpoch;
      const outdated = kids.filter((kid) => isOther || !isAsCounted(kid, state));
      await learn(outdated);
      requireTimeline(outdated, state.timeline);
      return state;
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
      capturesSinceMs: row.captures_since_ms,
    },
    verifier: row.verifier,
    pepperVersion: row.pepper_version,
    isRenewing: isSame && before.pepperVersion === row.pepper_version && before.isRenewing,
    // A change of the key, or of another key of the app, does not refill its rate.
    allowance: isSame ? before.allowance : newAllowance(),
    state: row.state,
    appStatus: row.app_status,
    preciseExpiresAtMs: row.expires_at_ms,
    endsMs: row.ends_at_ms ?? Number.POSITIVE_INFINITY,
    ranges: row.allowed_cidrs ? parseRanges(row.allowed_cidrs) : undefined,
    accessRevision: row.access,
    timeline: row.timeline,
  };
}
