// The SQL of evidence: what was called of late, and what came after an error.

import type { Tenant } from '../../access/authority/index.ts';
import type { RequestRow } from '../../inspector/requests/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';

/** Of the hours that no facets answer for yet. */
const LOOKED_AT = 50_000;

/** What succeeded of an operation. */
export interface RecentUse {
  operation_id: string;
  /** The newest that was not simulated; null when all were. */
  request_id: string | null;
  at: Date | null;
  replays: number;
}

/** Of the app's newest requests from there on, in one look: a search for each operation would read them as often. */
export function listRecentUses(tenant: Tenant, from: string): Promise<RecentUse[]> {
  return tenant.query(sql`
    with looked as materialized (
      select request_id, at, operation_id, status, simulated, is_replayed from request_records
      where app_id = ${tenant.appId} and request_id >= ${from} order by request_id desc limit ${LOOKED_AT})
    select operation_id, count(*) filter (where is_replayed)::int as replays,
      (array_agg(request_id order by request_id desc) filter (where simulated is null))[1] as request_id,
      (array_agg(at order by request_id desc) filter (where simulated is null))[1] as at
    from looked where status between 200 and 299 and operation_id is not null group by operation_id`);
}

const WITHIN_MS = 3_600_000;
/** Of the app's next requests only so many are looked at. */
const NEXT = 500;

/** Those of these requests after which the same operation succeeded within the hour, among the app's next requests. */
export async function listRecovered(tenant: Tenant, errors: readonly RequestRow[]): Promise<string[]> {
  const known = errors.filter(({ operation_id }) => operation_id !== null);
  if (known.length === 0) return [];
  const rows = await tenant.query<{ request_id: string }>(sql`
    select error.request_id from unnest(${known.map((one) => one.request_id)}::uuid[],
      ${known.map((one) => one.operation_id)}::text[],
      ${known.map((one) => firstUuidAt(msOfUuid(one.request_id) + WITHIN_MS))}::uuid[])
      as error (request_id, operation_id, until)
    where exists (
      select from (
        select operation_id, status from request_records
        where app_id = ${tenant.appId} and request_id > error.request_id and request_id < error.until
        order by request_id limit ${NEXT}) next
      where next.operation_id = error.operation_id and next.status between 200 and 299)`);
  return rows.map(({ request_id }) => request_id);
}
