// The SQL of calls: finds the key of the app.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';

/** Returns the public half of a key, or undefined if the app has no such key. */
export async function findKid(tenant: Tenant, keyId: string): Promise<string | undefined> {
  const rows = await tenant.query<{ kid: string }>(
    sql`select kid from keys where app_id = ${tenant.appId} and key_id = ${keyId}`,
  );
  return rows[0]?.kid;
}
