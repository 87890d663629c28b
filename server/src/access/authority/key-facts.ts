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

/** The state of the plane, and the facts of the existing keys of a batch by kid. */
interface AuthorityBatch {
  state: AuthorityState;
  facts: ReadonlyMap<string, KeyFacts>;
}

interface KeyReader {
  /**
   * Reads the state of the plane, and reads facts of these keys again that are out of date. All of its statements start
   * after the call.
   */
  read(kids: readonly string[]): Promise<AuthorityBatch>;
  /** Returns whether facts of a key are known, which may be out of date. */
  isKnown(kid: string): boolean;
}

/** Creates a reader with a cache of at most `max` keys. The least recently used key is evicted first. */
export function createKeyReader(db: Queryable, max: number): KeyReader {
  const known = new LRUCache<string, KeyFacts>({ max });
  let knownIn = '';

  /** Reads the facts of these keys, and adds them to the facts of the batch. */
  async function learn(kids: readonly string[], batch: Map<string, KeyFacts>): Promise<void> {
    if (kids.length === 0) return;
    const rows = new Map((await listKeyFacts(db, kids)).map((row) => [row.kid, row]));
    for (const kid of kids) {
      const row = rows.get(kid);
      if (row) {
        const facts = toFacts(row, known.get(kid));
        known.set(kid, facts);
        batch.set(kid, facts);
      } else {
        known.delete(kid);
        batch.delete(kid);
      }
    }
  }

  return {
    isKnown: (kid) => known.has(kid),
    async read(requested) {
      const batch = new Map<string, KeyFacts>();
      const unknown = new Set<string>();
      for (const kid of requested) {
        const facts = known.get(kid);
        if (facts) batch.set(kid, facts);
        else unknown.add(kid);
      }
      await learn([...unknown], batch);
      const state = await readAuthorityState(db, appsOf(batch));
      // A restored database, or another primary, can contain other facts of the same key.
      const isOther = state.cacheEpoch !== knownIn;
      if (isOther) known.clear();
      knownIn = state.cacheEpoch;
      const outdated = isOther ? [...new Set(requested)] : outdatedKids(batch, state);
      await learn(outdated, batch);
      requireTimeline(outdated, batch, state.timeline);
      return { state, facts: batch };
    },
  };
}

function appsOf(batch: ReadonlyMap<string, KeyFacts>): Buffer[] {
  const apps = new Map<string, Buffer>();
  for (const { identity } of batch.values()) apps.set(identity.appId, identity.appBytes);
  return [...apps.values()];
}

function outdatedKids(batch: ReadonlyMap<string, KeyFacts>, state: AuthorityState): string[] {
  const outdated: string[] = [];
  for (const [kid, facts] of batch) if (!isAsCounted(facts, state)) outdated.push(kid);
  return outdated;
}

function isAsCounted({ identity, accessRevision, timeline }: KeyFacts, state: AuthorityState): boolean {
  const counted = state.revisions.get(identity.appId);
  // An app without a counted change has no revision that could show a later change, so its facts are read for each batch.
  if (counted === undefined || accessRevision === null) return false;
  return timeline === state.timeline && counted.access === accessRevision;
}

/** Refuses facts that another server gave than the one that gave the state. */
function requireTimeline(kids: readonly string[], batch: ReadonlyMap<string, KeyFacts>, timeline: string): void {
  for (const kid of kids) {
    const facts = batch.get(kid);
    if (facts && facts.timeline !== timeline)
      throw new DatabaseUnavailable(new Error('the primary changed during an authority batch'));
  }
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
