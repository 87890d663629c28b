// The SQL of rate limits.
import type { Queryable } from '../../kit/db/db.ts';
import { uuidArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';

/** A token bucket: it fills by `perSecond` tokens each second, up to `burst`. */
export interface RatePolicy {
  perSecond: number;
  burst: number;
}

/** Identifies the bucket of a key of an app. */
export interface BucketKey {
  keyId: string;
  appBytes: Buffer;
  keyBytes: Buffer;
}

export interface Share {
  taken: number;
  /** The content of the bucket after the share. */
  bucketTokens: number;
}

/**
 * Takes a share of up to `size` tokens out of each key's bucket. One statement handles many keys, each once and in a
 * fixed order, so that two nodes cannot deadlock. Returns the shares in the order of the request.
 */
export async function takeShares(
  db: Queryable,
  keys: readonly BucketKey[],
  { perSecond, burst }: RatePolicy,
  size: number,
): Promise<Share[]> {
  const rows = await db.query<{ key_id: string; taken: number; bucket_tokens: number }>(sql`
    insert into rate_buckets as b (app_id, key_id, tokens, taken, at)
    select distinct app_id, key_id, ${burst}::float8 - ${size}::int, ${size}::int, clock_timestamp()
    from unnest(${uuidArray(keys.map((key) => key.appBytes))}::uuid[],
      ${uuidArray(keys.map((key) => key.keyBytes))}::uuid[]) as asked (app_id, key_id)
    order by app_id, key_id
    on conflict (app_id, key_id) do update set (tokens, taken, at) = (
      select filled.tokens - share.taken, share.taken, filled.at
      from (select clock_timestamp() as at,
          least(${burst}::float8, b.tokens + ${perSecond}::float8
            * greatest(0, extract(epoch from clock_timestamp() - b.at)::float8)) as tokens) filled,
        lateral (select least(${size}::int, floor(filled.tokens)::int) as taken) share)
    returning key_id, taken, tokens as bucket_tokens`);
  const shares = new Map(
    rows.map(({ key_id, taken, bucket_tokens }) => [key_id, { taken, bucketTokens: bucket_tokens }]),
  );
  return keys.map(({ keyId }) => shares.get(keyId) ?? { taken: 0, bucketTokens: 0 });
}
