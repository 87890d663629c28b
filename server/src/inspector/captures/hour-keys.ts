// The data keys that this process seals captures under: one for each app and hour, and which contents it has stored.

import { LRUCache } from 'lru-cache';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { addKey } from './capture-store.ts';
import { type DataKey, newDataKey, unwrapKey, wrapKey } from './data-key.ts';
import type { StoredContent } from './seal-capture.ts';

export const HOUR_MS = 3_600_000;

/** Returns the beginning of the hour. */
export const hourOf = (ms: number): number => ms - (ms % HOUR_MS);

export interface HourKey extends DataKey {
  appId: string;
  hourMs: number;
  /** When the app began to capture. A key ends when the app ends its captures. */
  sinceMs: number;
  /** Stored response bodies, by the body as it was sent. */
  contents: LRUCache<string, StoredContent>;
}

interface HourKeys {
  /**
   * Returns the key for requests of this time. Returns undefined if the app captures nothing, or has begun again since
   * the request.
   */
  find(appId: string, at: { atMs: number; sinceMs: number }): Promise<HourKey | undefined>;
  /** Forgets keys that were destroyed in the database. */
  forget(keys: Iterable<HourKey>): void;
}

/** The response bodies of an app that are recognised, by number and by characters in total. */
const KNOWN_CONTENTS = {
  max: 256,
  maxSize: 256 * 1024,
  sizeCalculation: (_: StoredContent, sent: string) => sent.length,
};

interface HourKeyOptions {
  db: Queryable;
  masterKeys: MasterKeys;
  retentionHours: number;
}

export function createHourKeys({ db, masterKeys, retentionHours }: HourKeyOptions): HourKeys {
  const known = new Map<string, HourKey>();

  async function add(appId: string, hourMs: number, sinceMs: number): Promise<HourKey | undefined> {
    const fresh = newDataKey();
    const row = await addKey(db, {
      appId,
      keyId: fresh.keyId,
      hour: new Date(hourMs),
      sealedKey: wrapKey(fresh, masterKeys),
      expiresAt: new Date(hourMs + retentionHours * HOUR_MS),
      sinceMs,
    });
    if (!row) return undefined;
    // Another process can have been faster.
    const key = row.key_id === fresh.keyId ? fresh : unwrapKey(row.key_id, row.sealed_key, masterKeys);
    return { ...key, appId, hourMs, sinceMs, contents: new LRUCache(KNOWN_CONTENTS) };
  }

  function forgetEarlierThan(hourMs: number): void {
    for (const [appId, key] of known) if (key.hourMs < hourMs) known.delete(appId);
  }

  return {
    async find(appId, { atMs, sinceMs }) {
      const hourMs = hourOf(atMs);
      const current = known.get(appId);
      if (current && sinceMs < current.sinceMs) return undefined;
      if (current?.hourMs === hourMs && current.sinceMs === sinceMs) return current;
      const key = await add(appId, hourMs, sinceMs);
      if (key && (current === undefined || current.sinceMs < sinceMs || current.hourMs < hourMs)) {
        forgetEarlierThan(hourMs);
        known.set(appId, key);
      }
      return key;
    },
    forget(keys) {
      for (const key of keys) if (known.get(key.appId) === key) known.delete(key.appId);
    },
  };
}
