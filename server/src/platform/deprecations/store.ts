// The SQL of deprecated uses: the counter adds them in batches, and an app's uses can be read.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { UseRow } from './deprecated-use.ts';

export interface DeprecatedUseCount {
  appId: string;
  deprecationId: string;
  uses: number;
  lastUsedAt: string;
}

/** Adds counts: one row per app, deprecation and day. */
export async function addUses(db: Queryable, counted: readonly DeprecatedUseCount[]): Promise<void> {
  await db.query(sql`
    insert into deprecated_uses as d (app_id, deprecation_id, day, uses, last_used_at)
    select app_id, deprecation_id, (last_used_at at time zone 'UTC')::date, uses, last_used_at
    from unnest(${counted.map((one) => one.appId)}::uuid[], ${counted.map((one) => one.deprecationId)}::text[],
      ${counted.map((one) => one.uses)}::bigint[], ${counted.map((one) => one.lastUsedAt)}::timestamptz[])
      as c (app_id, deprecation_id, uses, last_used_at)
    on conflict (app_id, deprecation_id, day) do update
      set uses = d.uses + excluded.uses, last_used_at = greatest(d.last_used_at, excluded.last_used_at)`);
}

export function listUses(tenant: Tenant, days: number): Promise<UseRow[]> {
  return tenant.query(sql`
    select deprecation_id, sum(uses)::float8 as uses, max(last_used_at) as last_used_at
    from deprecated_uses
    where app_id = ${tenant.appId} and day > (clock_timestamp() at time zone 'UTC')::date - ${days}::int
    group by deprecation_id`);
}
