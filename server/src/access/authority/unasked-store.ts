// The SQL of accesses that no member has asked for: the Console's own process, and whoever holds a key that leaked.
import type { Transaction } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Tenant } from './store.ts';

/** The Console's own process asks, which sees what it has to see of all organisations, and nothing else. */
export function setConsoleAsks(tx: Transaction): void {
  tx.send(sql`select set_config('slipway.asks', 'console', true)`);
}

/** For the role of /v1, which sees its tenant's app. */
export async function findOwner(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${tenant.appId}`,
  );
  return rows[0]?.organisation_id;
}
