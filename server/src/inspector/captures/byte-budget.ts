// Limits the bytes that captures store, for an app and for the process: a token bucket each. The limits bound the
// processor time, the memory and the disk space of captures under any load.

interface BucketLimits {
  /** Bytes that can be stored at once. */
  burst: number;
  bytesPerSecond: number;
}

export interface BudgetLimits {
  app: BucketLimits;
  process: BucketLimits;
}

const KIB = 1024;
export const BUDGET_LIMITS: BudgetLimits = {
  app: { burst: 4 * KIB * KIB, bytesPerSecond: 32 * KIB },
  process: { burst: 8 * KIB * KIB, bytesPerSecond: 64 * KIB },
};

interface Bucket {
  left: number;
  atMs: number;
}

interface ByteBudget {
  /** Reserves bytes. Returns false if a limit is reached. */
  reserve(appId: string, bytes: number, atMs: number): boolean;
  /** Returns bytes that were reserved and not stored. */
  refund(appId: string, bytes: number): void;
}

/** Apps whose bucket is remembered. A bucket that is forgotten is full again. */
const MAX_APPS = 10_000;

export function createByteBudget(limits: BudgetLimits): ByteBudget {
  const apps = new Map<string, Bucket>();
  const all: Bucket = { left: limits.process.burst, atMs: 0 };

  function refill(bucket: Bucket, { burst, bytesPerSecond }: BucketLimits, atMs: number): void {
    const elapsedMs = Math.max(0, atMs - bucket.atMs);
    bucket.left = Math.min(burst, bucket.left + (elapsedMs * bytesPerSecond) / 1000);
    bucket.atMs = atMs;
  }

  function bucketOf(appId: string, atMs: number): Bucket {
    const known = apps.get(appId);
    if (known) return known;
    if (apps.size >= MAX_APPS) apps.clear();
    const bucket = { left: limits.app.burst, atMs };
    apps.set(appId, bucket);
    return bucket;
  }

  return {
    reserve(appId, bytes, atMs) {
      const own = bucketOf(appId, atMs);
      refill(own, limits.app, atMs);
      refill(all, limits.process, atMs);
      if (own.left < bytes || all.left < bytes) return false;
      own.left -= bytes;
      all.left -= bytes;
      return true;
    },
    refund(appId, bytes) {
      const own = apps.get(appId);
      if (own) own.left += bytes;
      all.left += bytes;
    },
  };
}
