// The SQL of evidence: recent calls, and calls after an error.

import type { Tenant } from '../../access/authority/index.ts';
import type { RequestRow } from '../../inspector/requests/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';

/** The maximum number of records that are read from days that are not compacted. */
const MAX_EXAMINED_RECORDS = 50_000;

/** Successful requests of an operation. */
export interface RecentUse {
  operation_id: string;
  /** The newest request without a simulation; null if all were simulated. */
  request_id: string | null;
  at: Date | null;
  replays: number;
}

/**
 * Returns successful uses by operation among the app's newest requests from the identifier on, in one scan. A search
 * per operation would read the same records repeatedly.
 */
export function listRecentUses(tenant: Tenant, from: string): Promise<RecentUse[]> {
  return tenant.query(sql`
    with examined as materialized (
      select request_id, at, operation_id, status, simulated, is_replayed from request_records
      where app_id = ${tenant.appId} and request_id >= ${from} order by request_id desc limit ${MAX_EXAMINED_RECORDS})
    select operation_id, count(*) filter (where is_replayed)::int as replays,
      (array_agg(request_id order by request_id desc) filter (where simulated is null))[1] as request_id,
      (array_agg(at order by request_id desc) filter (where simulated is null))[1] as at
    from examined where status between 200 and 299 and operation_id is not null group by operation_id`);
}

const RECOVERY_WINDOW_MS = 3_600_000;
/** The number of following requests that are read per error. */
const MAX_FOLLOWING_REQUESTS = 500;

/** Returns the errors after which the same operation succeeded within an hour, among the app's following requests. */
export async function listRecovered(tenant: Tenant, errors: readonly RequestRow[]): Promise<string[]> {
  const known = errors.filter(({ operation_id }) => operation_id !== null);
  if (known.length === 0) return [];
  const rows = await tenant.query<{ request_id: string }>(sql`
    select error.request_id from unnest(${known.map((one) => one.request_id)}::uuid[],
      ${known.map((one) => one.operation_id)}::text[],
      ${known.map((one) => firstUuidAt(msOfUuid(one.request_id) + RECOVERY_WINDOW_MS))}::uuid[])
      as error (request_id, operation_id, until)
    where exists (
      select from (
        select operation_id, status from request_records
        where app_id = ${tenant.appId} and request_id > error.request_id and request_id < error.until
        order by request_id limit ${MAX_FOLLOWING_REQUESTS}) next
      where next.operation_id = error.operation_id and next.status between 200 and 299)`);
  return rows.map(({ request_id }) => request_id);
}
