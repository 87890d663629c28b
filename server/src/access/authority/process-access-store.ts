// The SQL of accesses without a member: of the Console's own process, and of a caller with a leaked key.
import type { Transaction } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Tenant } from './store.ts';

/**
 * Opens the transaction to the Console's own process, which can see only the rows that it needs of all organisations.
 */
export function setConsoleAccess(tx: Transaction): void {
  tx.send(sql`select set_config('slipway.asks', 'console', true)`);
}

/** Returns the organisation of the app. Runs with the role of /v1, which can see the app of its tenant. */
export async function findOrganisationOfApp(tenant: Tenant): Promise<string | undefined> {
  const rows = await tenant.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${tenant.appId}`,
  );
  return rows[0]?.organisation_id;
}
