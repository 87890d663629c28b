// The SQL of forwarded mutations.

import type { IdempotencyClaim, Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

/** Equals the retention of stored responses. */
const RESPONSE_RETENTION = sql`interval '24 hours'`;

/** An attempt at a mutation. */
export interface MutationLease {
  claimed: IdempotencyClaim;
  /** The end of the lease, as text with microseconds. An attempt that outlived its lease changes nothing in the row. */
  until: string;
  /** True if an earlier attempt may have been carried out. */
  isRepeat: boolean;
}

/**
 * Stores the mutation as begun and returns its lease. `busy`: another request may be sending it. `other`: the key
 * belongs to another request.
 */
export async function beginMutation(
  tenant: Tenant,
  claimed: IdempotencyClaim,
  leaseMs: number,
): Promise<MutationLease | 'busy' | 'other'> {
  const { keyHash, requestHash } = claimed;
  const rows = await tenant.query<{ request_hash: Buffer; is_first: boolean; lease: string | null }>(sql`
    with before as (
      select request_hash, leased_until from forwarded_mutations
      where app_id = ${tenant.appId} and key_hash = ${keyHash} and started_at >= clock_timestamp() - ${RESPONSE_RETENTION}
      for update),
    taken as (
      insert into forwarded_mutations as m (app_id, key_hash, request_hash, leased_until)
      select ${tenant.appId}::uuid, ${keyHash}::bytea, ${requestHash}::bytea,
        clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
      where not exists (select from before where request_hash <> ${requestHash}::bytea or leased_until > clock_timestamp())
      on conflict (app_id, key_hash) do update set request_hash = excluded.request_hash,
        leased_until = excluded.leased_until,
        started_at = case when exists (select from before) then m.started_at else clock_timestamp() end
      returning leased_until)
    select coalesce((select request_hash from before), ${requestHash}::bytea) as request_hash,
      not exists (select from before) as is_first, (select leased_until::text from taken) as lease`);
  const row = rows[0];
  if (!row?.request_hash.equals(requestHash)) return 'other';
  if (row.lease === null) return 'busy';
  return { claimed, until: row.lease, isRepeat: !row.is_first };
}

/** Deletes a mutation that needs no repeat. */
export function endMutation(tenant: TenantTransaction, { claimed, until }: MutationLease): void {
  tenant.send(sql`delete from forwarded_mutations
    where app_id = ${tenant.appId} and key_hash = ${claimed.keyHash} and leased_until = ${until}::timestamptz`);
}

/** Keeps a mutation without a stored response, so that a repeat asks the upstream API after the pause. */
export function keepForRepeat(tenant: TenantTransaction, { claimed, until }: MutationLease, pauseMs: number): void {
  tenant.send(sql`update forwarded_mutations set leased_until = clock_timestamp() + ${pauseMs}::float8 * interval '1 ms'
    where app_id = ${tenant.appId} and key_hash = ${claimed.keyHash} and leased_until = ${until}::timestamptz`);
}
