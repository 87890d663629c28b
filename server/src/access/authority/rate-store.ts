// The SQL of rate limits.
import type { Queryable } from '../../kit/db/db.ts';
import { uuidArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';

/** A token bucket: it fills by so many a second, up to the burst. */
export interface RatePolicy {
  perSecond: number;
  burst: number;
}

/** Whose bucket it is: a key's, of an app. */
export interface BucketKey {
  keyId: string;
  appBytes: Buffer;
  keyBytes: Buffer;
}

export interface Share {
  taken: number;
  /** What the bucket holds after it. */
  left: number;
}

/**
 * Takes a share of up to `size` tokens out of each key's bucket. One statement for many keys, each once and in one
 * order, so that two nodes never wait for each other in a circle; it answers in the order in which it was asked.
 */
export async function takeShares(
  db: Queryable,
  keys: readonly BucketKey[],
  { perSecond, burst }: RatePolicy,
  size: number,
): Promise<Share[]> {
  const rows = await db.query<{ key_id: string; taken: number; left: number }>(sql`
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
    returning key_id, taken, tokens as left`);
  const shares = new Map(rows.map(({ key_id, taken, left }) => [key_id, { taken, left }]));
  return keys.map(({ keyId }) => shares.get(keyId) ?? { taken: 0, left: 0 });
}
