// The rate limit of a key across all nodes. The bucket of a key is in the database. A node takes small shares out of it
// and admits requests from its share without a query, so several requests need one write. The nodes together admit more
// than the policy allows by at most one and a half shares per node.

import { type Database, DatabaseUnavailable, rethrowAsUnavailable } from '../../kit/db/db.ts';
import { createBatcher } from '../../kit/flow/batcher.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type BucketKey, type RatePolicy, type Share, takeShares } from './rate-store.ts';

export const DEFAULT_RATE: RatePolicy = { perSecond: 100, burst: 200 };

/** The part of a key's rate that this node holds. */
export interface Allowance {
  /** The unused tokens of the last share. */
  tokens: number;
  /** A share that is unused at this time is forfeited, so that shares cannot accumulate. */
  untilMs: number;
  /** The content of the bucket after the last share. */
  bucketTokens: number;
  /** The bucket was emptied: it cannot give a whole share before this time. */
  emptyUntilMs: number;
  /** Resolves when the requested share has arrived; undefined if no share is requested. */
  pendingShare: Promise<void> | undefined;
  /** True if a share will be requested together with those of other keys. */
  isTakeScheduled: boolean;
}

export function newAllowance(): Allowance {
  return { tokens: 0, untilMs: 0, bucketTokens: 0, emptyUntilMs: 0, pendingShare: undefined, isTakeScheduled: false };
}

interface RateLimiter {
  /** Counts a request, or throws rate_limited. Counts before the first wait if the allowance has a token. */
  count(key: BucketKey, allowance: Allowance): Promise<void>;
  /** Returns the headers of the answer (draft-ietf-httpapi-ratelimit-headers-10). */
  headers(allowance: Allowance): Record<string, string>;
}

const SHARE_LIFE_MS = 60_000;
const SOON_MS = 20; // at the default rate a key uses two of its tokens meanwhile

export function createRateLimiter(db: Database, policy: RatePolicy, deadlineMs: number): RateLimiter {
  const size = Math.max(1, Math.floor(policy.burst / 30));
  // A new share is requested when half of the last one is used. No request waits for it, and one statement serves many
  // keys: requests for single keys took a fifth of the hot path.
  const low = Math.floor(size / 2);
  let scheduled: { key: BucketKey; allowance: Allowance }[] = [];
  const batcher = createBatcher<BucketKey, Share>({
    maxInFlight: 1,
    maxSize: 256,
    deadlineMs,
    timeoutError: () => new DatabaseUnavailable(new Error('the share of a rate limit missed its deadline')),
    run: (keys) => takeShares(db, keys, policy, size).catch(rethrowAsUnavailable),
  });

  function take(key: BucketKey, allowance: Allowance): Promise<void> {
    allowance.pendingShare ??= batcher.join(key).then(
      ({ taken, bucketTokens }) => {
        const now = monotonicMs();
        allowance.tokens = taken + remainingTokens(allowance, now);
        allowance.bucketTokens = bucketTokens;
        allowance.untilMs = now + SHARE_LIFE_MS;
        allowance.emptyUntilMs = taken === size ? 0 : now + ((size - bucketTokens) / policy.perSecond) * 1000;
        allowance.pendingShare = undefined;
      },
      (error: unknown) => {
        allowance.pendingShare = undefined;
        throw error;
      },
    );
    return allowance.pendingShare;
  }

  function takeSoon(key: BucketKey, allowance: Allowance): void {
    if (allowance.isTakeScheduled || allowance.pendingShare) return;
    allowance.isTakeScheduled = true;
    if (scheduled.length === 0) setTimeout(takeAll, SOON_MS).unref();
    scheduled.push({ key, allowance });
  }

  function takeAll(): void {
    const due = scheduled;
    scheduled = [];
    for (const { key, allowance } of due) {
      allowance.isTakeScheduled = false;
      // A request that needs the share receives its error.
      take(key, allowance).catch(() => {});
    }
  }

  /** Returns the time until the bucket is full again, in whole seconds. */
  const secondsToFull = (available: number): number =>
    Math.max(0, Math.ceil((policy.burst - available) / policy.perSecond));
  const policyHeader = `"key";q=${policy.burst};w=${Math.ceil(policy.burst / policy.perSecond)}`;
  function headers(allowance: Allowance): Record<string, string> {
    const available = Math.min(policy.burst, Math.floor(Math.max(0, allowance.bucketTokens)) + allowance.tokens);
    return {
      'ratelimit-policy': policyHeader,
      ratelimit: `"key";r=${available};t=${secondsToFull(available)}`,
    };
  }

  async function countAfterTaking(key: BucketKey, allowance: Allowance): Promise<void> {
    // Other requests that waited for the same share may have used it up.
    while (allowance.emptyUntilMs <= monotonicMs()) {
      await take(key, allowance);
      if (consumeToken(allowance)) return;
    }
    throw problem('rate_limited', { headers: { ...headers(allowance), 'retry-after': '1' } });
  }

  return {
    async count(key, allowance) {
      if (!consumeToken(allowance)) return countAfterTaking(key, allowance);
      if (allowance.tokens <= low && allowance.emptyUntilMs <= monotonicMs()) takeSoon(key, allowance);
    },
    headers,
  };
}

const remainingTokens = ({ tokens, untilMs }: Allowance, now: number): number => (now < untilMs ? tokens : 0);

function consumeToken(allowance: Allowance): boolean {
  if (remainingTokens(allowance, monotonicMs()) <= 0) return false;
  allowance.tokens -= 1;
  return true;
}
